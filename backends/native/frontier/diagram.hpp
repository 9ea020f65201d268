// All covers of a problem as a zero-suppressed decision diagram, made of the layers of a frontier.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cover/search.hpp"

namespace latcover {

// What a node takes in the end, in bytes: here, and with the number of its covers in Python.
inline constexpr std::size_t bytes_of_a_node = 80;

// A node stands for a family of sets of options: those of `low`, and those of `high` with the option of its level.
// Node 0 is the empty family, node 1 the family of the empty set. The others follow, those of the lowest level first.
struct Diagram {
    Stop stop = Stop::exhausted;        // branch_limit: it took more work than it may
    std::vector<std::int32_t> options;  // of each level that has nodes, from the last option to the first
    std::vector<std::int64_t> starts;   // of each level: its first node; then the number of nodes
    std::vector<std::int32_t> low{0, 0}, high{0, 0};
    std::int32_t root = 0;     // the family of all covers
    std::int32_t width = 0;    // the most items that are open at once
    std::uint64_t states = 0;  // of all layers
    std::size_t bytes = 0;     // the most memory at once
    double seconds = 0;
};

struct DiagramLimits {
    std::size_t bytes;
    std::uint64_t work;  // as frontier_count reports it
    double seconds;
};

// The diagram whose levels are the options by the first of their items in `order`, then by their numbers. Items with
// colours count only for options that hold no others; options without items come last. It is reduced: no two nodes are alike, and from each one a cover goes on.
// require: every item has high <= 1; `order` is a permutation of the items.
// throws: Unsupported, if the frontier is wider than 256 items or takes more memory than it may.
Diagram make_diagram(const Problem& problem, std::span<const std::int32_t> order, DiagramLimits limits, Sink& sink);

}  // namespace latcover
