// A search by the bitmap kernel, with its limits, on one or several threads.

#pragma once

#include "bitset.hpp"
#include "cover_matrix.hpp"
#include "kernel_units.hpp"
#include "search.hpp"

namespace latcover {

// require: the matrix is not too large for bitmaps.
BitsetOutcome walk_matrix(const CoverMatrix& matrix, const KernelUnit& unit, const BitsetOptions& options,
                          const Limits& limits, Sink& sink);

}  // namespace latcover
