// What keeps a small function a function of its own, and a call a call, at every level of
// optimisation.
#pragma once

#define KEEP __attribute__((noinline))
// After a call: it is not in tail position. In a function: it does something.
#define DONE __asm__ volatile("" ::: "memory")

#define UNUSED __attribute__((unused))
