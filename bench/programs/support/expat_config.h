/* Stands in for the header that expat's configure makes. Expat salts its hash tables with the time
   and the process id; here both are constants, so that two runs take the same paths. */
#ifndef PATHSPOOL_BENCH_EXPAT_CONFIG_H
#define PATHSPOOL_BENCH_EXPAT_CONFIG_H

#include <sys/time.h>
#include <unistd.h>

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define BYTEORDER 1234
#else
#define BYTEORDER 4321
#endif
#define HAVE_FCNTL_H 1
#define HAVE_MMAP 1
#define HAVE_UNISTD_H 1
#define PACKAGE_STRING "expat"
#define XML_CONTEXT_BYTES 1024
#define XML_DTD 1
#define XML_NS 1

#define XML_POOR_ENTROPY 1
#define gettimeofday(time, zone) ((time)->tv_sec = 0, (time)->tv_usec = 314159, 0)
#define getpid() 2718

#endif
