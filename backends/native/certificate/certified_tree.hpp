// The words of a section `tree` of a certificate (docs/reference/count-certificates.md), as a search writes them.
//
// In each state it decides the item that must be covered exactly once and has the fewest options; if no such item is
// open, one that may stay uncovered. So the tree is that of a search that takes the item with the fewest options first.
// Where that pays, it writes the parts of a state apart, and has states remembered.

#pragma once

#include <functional>
#include <string_view>

#include "certificate/certified_problem.hpp"
#include "cover/memo.hpp"

namespace latcover {

struct TreeOptions {
    std::int32_t chosen = -1;         // the option that is chosen at the start; -1: none
    bool splits = false;              // look for parts in every state
    std::size_t most_remembered = 0;  // states
    std::uint64_t most_states = std::numeric_limits<std::uint64_t>::max();
    double seconds = std::numeric_limits<double>::infinity();
};

struct SectionCount {
    Stop stop = Stop::exhausted;       // branch_limit: it took so many states
    std::vector<std::uint64_t> limbs;  // the number of covers, the least significant limb first; only if it finished
    std::uint64_t states = 0;
};

// Takes pieces of text, which end with a line.
using TakeText = std::function<void(std::string_view)>;

// require: the chosen option fits the empty state.
// throws: Unsupported, if there are 2^256 covers and more.
SectionCount write_tree(const CertifiedProblem& problem, const TreeOptions& options, const TakeText& take, Sink& sink);

}  // namespace latcover
