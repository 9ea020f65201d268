// Counting covers by components, with a memo.
//
// When no option joins two sets of items any more, the covers of both are counted by themselves, and the numbers are
// multiplied. The count of each component is kept in a memo. Its key is the set of items of the component: the options
// that may be chosen are those whose items all lie in this set. Bayardo and Pehoushek (2000) count models of formulas
// in this way.

#pragma once

#include "cover/memo.hpp"
#include "cover/search.hpp"

namespace latcover {

struct ComponentCount {
    Stop stop = Stop::exhausted;
    Big covers;                // only if it finished
    std::uint64_t nodes = 0;   // components that were branched on
    std::uint64_t splits = 0;  // sets of items that fell apart
    std::uint64_t hits = 0;    // components whose count was in the memo
    std::size_t entries = 0, bytes = 0;
    double seconds = 0;
};

// require: every item has high <= 1, and there are no colours. The memo takes at most `most_bytes`. It stops after so
// many nodes with `branch_limit`.
// throws: Unsupported, if there are too many items for its recursion; std::overflow_error, if there are 2^256 covers
// and more.
ComponentCount count_by_components(const Problem& problem, std::size_t most_bytes, std::uint64_t most_nodes,
                                   double seconds, Sink& sink);

}  // namespace latcover
