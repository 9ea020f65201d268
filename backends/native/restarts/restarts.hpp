// A search for one cover of a large problem: random heads, exhaustive tails, restarts.
//
// A *head* fills the cells in their order. For the first cell that is not covered it takes an option at random; options
// of parts that are hard to place, and options that lie close against what is filled, are more likely. It goes back at
// dead ends, a limited number of times. When about sixty parts are left, a *beam* goes on: many fillings side by side,
// the best of each level (restarts_beam.hpp). The *tail* is what is left: some parts, which tend to be the easy ones,
// for the last cells. The kernel searches the tails with the most room exhaustively, up to a limit of branches. This is
// repeated until a cover is found, each time with a wider beam. A problem that is no larger than a tail is searched as
// a whole by `bitset`.

#pragma once

#include <cstdint>
#include <string>

#include "cover/search.hpp"

namespace latcover {

struct RestartsOptions {
    std::string kernel;    // one that runs here
    unsigned threads = 1;  // each makes heads of its own
    std::uint64_t seed = 0;
    int tail = 13;  // parts of a tail at first
};

struct RestartsOutcome {
    Outcome outcome;
    std::uint64_t heads = 0;      // tried
    std::uint64_t tails = 0;      // searched
    std::uint64_t tails_cut = 0;  // that met their limit of branches
    unsigned threads = 1;
};

// require: `problem` satisfies CoverProblem's checks and has no colours. `limits` allows one cover. Its branches limit
// the work of each thread, in which twenty options that a head looks at count as one more branch.
// ensure: with one thread, the same seed gives the same search. *Exhausted* means that there is no cover.
RestartsOutcome restarts_search(const Problem& problem, const RestartsOptions& options, const Limits& limits,
                                Sink& sink);

}  // namespace latcover
