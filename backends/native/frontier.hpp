// Counting covers without listing them: item after item, by the set of later items that are covered already.
//
// The broken-profile method, for any problem whose items are held at most once (Conway and Guttmann call it a transfer matrix).

#pragma once

#include "search.hpp"

namespace latcover {

struct FrontierCount {
    Stop stop = Stop::exhausted;
    std::vector<std::uint64_t> limbs;  // the number of covers, the least significant first; of a finished count alone
    std::int32_t width = 0;            // the most items that are open at once
    std::uint64_t states = 0;          // the most sets of covered items at once
    std::size_t bytes = 0;             // what these took
    double seconds = 0;
};

// The most items that are open at once when items are taken in this order: how wide the frontier is.
std::int32_t frontier_width(const Problem& problem, std::span<const std::int32_t> order);

// require: every item has high <= 1; `order` is a permutation of the items.
// throws: Unsupported, where the frontier is wider than 256 items or takes more memory than `most_bytes`.
FrontierCount frontier_count(const Problem& problem, std::span<const std::int32_t> order, std::size_t most_bytes,
                             double seconds, Sink& sink);

}  // namespace latcover
