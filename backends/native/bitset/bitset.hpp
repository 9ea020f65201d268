// Search and count by the bitmap kernel (kernel.cpp). These functions prepare the problem, and choose the kernel or
// another method.

#pragma once

#include <limits>
#include <string>
#include <vector>

#include "cover/memo.hpp"
#include "cover/search.hpp"

namespace latcover {

struct KernelName {
    std::string name;
    bool runs_here;
};

// The kernels that were compiled in, the fastest last.
std::vector<KernelName> kernels();

struct BitsetOptions {
    std::string kernel;    // one that runs here
    unsigned threads = 1;  // at most; a small search uses one
    bool ordered = false;  // covers in the order of a single thread
    bool counts = false;   // covers are only counted, and not handed over
};

struct BitsetOutcome {
    Outcome outcome;
    std::string kernel;  // the one that ran; empty if dancing links searched
    std::string note;    // why dancing links searched
    unsigned threads = 1;
    std::uint64_t subproblems = 0;  // into which the tree was split; 0 if it was not
};

// require: `problem` satisfies CoverProblem's checks. ensure: every cover is met exactly once, in the order of `dlx`.
BitsetOutcome bitset_search(const Problem& problem, const BitsetOptions& options, const Limits& limits, Sink& sink);

struct BitsetCount {
    BitsetOutcome result;  // with a memo, only branches that the memo did not save
    Big covers;
    bool with_memo = false;
    std::size_t memo_entries = 0, memo_bytes = 0;
    std::uint64_t memo_hits = 0;
};

struct MemoOptions {
    std::size_t bytes;  // 0 means no memo
    std::uint64_t most_nodes =
        std::numeric_limits<std::uint64_t>::max();  // a count with a memo stops after about so many
};

// Count covers without handing them over. A memo helps if the problem allows one.
// require: no limit of covers.
BitsetCount bitset_count(const Problem& problem, BitsetOptions options, const Limits& limits, const MemoOptions& memo,
                         Sink& sink);

}  // namespace latcover
