/* What -fsanitize-coverage=trace-pc-guard calls, doing nothing: the cheapest a callback can be. It
   is compiled without coverage of its own and not inlined, as a tool's runtime library would be. */
#include <stdint.h>

void __sanitizer_cov_trace_pc_guard_init(uint32_t* start, uint32_t* stop) {
  (void)start;
  (void)stop;
}

void __sanitizer_cov_trace_pc_guard(uint32_t* guard) { (void)guard; }
