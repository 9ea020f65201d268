// A search by the bitmap kernel, with its limits, on one or several threads.

#pragma once

#include "bitset/bitset.hpp"
#include "bitset/cover_matrix.hpp"
#include "cover/search.hpp"
#include "kernel/kernel_units.hpp"

namespace latcover {

// require: the matrix is not too large for bitmaps.
BitsetOutcome walk_matrix(const CoverMatrix& matrix, const KernelUnit& unit, const BitsetOptions& options,
                          const Limits& limits, Sink& sink);

}  // namespace latcover
