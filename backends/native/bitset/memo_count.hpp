// Counting covers with a memo. When two sets of rows cover the same columns, the rest of the problem is the same.
// Columns that no row can hold any more do not matter then, such as those of the colour of a side between two cells
// that are covered.

#pragma once

#include <cstddef>

#include "bitset/cover_matrix.hpp"
#include "cover/memo.hpp"
#include "cover/search.hpp"
#include "kernel/kernel_units.hpp"

namespace latcover {

// Whether the rest of a problem depends only on the columns still to be covered. It does if each column is covered at
// most once, and nothing is added to a finished cover.
bool memo_applies(const CoverMatrix& matrix);

struct MemoCount {
    Stop stop = Stop::exhausted;
    Big covers;
    Statistics statistics;  // only branches that the memo did not save
    std::size_t entries = 0, bytes = 0;
    std::uint64_t hits = 0;
};

// It stops after about so many nodes with `branch_limit`.
// require: memo_applies.
MemoCount count_with_memo(const CoverMatrix& matrix, const KernelUnit& unit, std::size_t most_bytes,
                          std::uint64_t most_nodes, double seconds, Sink& sink);

}  // namespace latcover
