// Exact covers by the bitmap kernel: see kernel.cpp. This is its host: it prepares the problem, chooses the unit for
// the processor, and keeps limits, statistics and covers.

#pragma once

#include <string>
#include <vector>

#include "memo.hpp"
#include "search.hpp"

namespace latcover {

struct KernelName {
    std::string name;
    bool runs_here;
};

// The kernels that were compiled in, the fastest last.
std::vector<KernelName> kernels();

struct BitsetOptions {
    std::string kernel;    // one that runs here
    unsigned threads = 1;  // at most; few where there is little to do
    bool ordered = false;  // covers in the order of a single thread
    bool counts = false;   // covers are counted and not handed over
};

struct BitsetOutcome {
    Outcome outcome;
    std::string kernel;  // that ran; empty where dancing links did
    std::string note;    // why dancing links did
    unsigned threads = 1;
    std::uint64_t subproblems = 0;  // into which the tree was split; 0 where it was not
};

// require: `problem` satisfies CoverProblem's checks. ensure: every cover is met exactly once, in the order of `dlx`.
BitsetOutcome bitset_search(const Problem& problem, const BitsetOptions& options, const Limits& limits, Sink& sink);

struct BitsetCount {
    BitsetOutcome result;  // branches are those not saved, where there was a memo
    Big covers;
    bool with_memo = false;
    std::size_t memo_entries = 0, memo_bytes = 0;
    std::uint64_t memo_hits = 0;
};

// Count covers without handing them over; with a memo of at most so many bytes where there may be one, unless it is 0.
// require: no limit of covers.
BitsetCount bitset_count(const Problem& problem, BitsetOptions options, const Limits& limits, std::size_t memo_bytes,
                         Sink& sink);

}  // namespace latcover
