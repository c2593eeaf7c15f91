// Whole files: packing, size, reading everything, reading a little somewhere.
#pragma once

#include "measurements.h"

namespace pathspool::bench {

// Adds to the result, which holds the baselines already. Throws Error if a spool does not give the
// trace back.
void measure_spools(const Trace& trace, const MeasureOptions& options, TraceResult& result);

}  // namespace pathspool::bench
