// Counting covers with a memo: two ways to cover the same columns leave the same problem.

#pragma once

#include <cstddef>

#include "cover_matrix.hpp"
#include "kernel_units.hpp"
#include "memo.hpp"
#include "search.hpp"

namespace latcover {

// Whether what is left of a problem depends on the columns still to be covered alone: each is covered once at most, and
// nothing is added to a finished cover.
bool memo_applies(const CoverMatrix& matrix);

struct MemoCount {
    Stop stop = Stop::exhausted;
    Big covers;
    Statistics statistics;  // branches are those not saved
    std::size_t entries = 0, bytes = 0;
    std::uint64_t hits = 0;
};

// require: memo_applies; no limit of covers or branches.
MemoCount count_with_memo(const CoverMatrix& matrix, const KernelUnit& unit, std::size_t most_bytes, double seconds,
                          Sink& sink);

}  // namespace latcover
