// Counting covers without listing them, item after item.
//
// A *state* is the set of later items that are already covered. The count keeps, for each state, the number of ways
// that lead to it. This is the broken-profile method, which Conway and Guttmann call a transfer matrix. It works for
// any problem whose items are held at most once.

#pragma once

#include "search.hpp"

namespace latcover {

struct FrontierCount {
    Stop stop = Stop::exhausted;
    std::vector<std::uint64_t> limbs;  // the number of covers, the least significant limb first; only if it finished
    std::int32_t width = 0;            // the most items that are open at once
    std::uint64_t states = 0;          // the most states at once
    std::size_t bytes = 0;             // that these took
    double seconds = 0;
};

// The width of the frontier: the most items that are open at once, when items are taken in this order.
std::int32_t frontier_width(const Problem& problem, std::span<const std::int32_t> order);

// require: every item has high <= 1; `order` is a permutation of the items.
// throws: Unsupported, if the frontier is wider than 256 items or takes more memory than `most_bytes`.
// Reports name the work so far as branches; `report_after` so much work there is a report, and again whenever it has doubled. The
// work depends on nothing but the problem and the order.
FrontierCount frontier_count(const Problem& problem, std::span<const std::int32_t> order, std::size_t most_bytes,
                             double seconds, std::uint64_t report_after, Sink& sink);

}  // namespace latcover
