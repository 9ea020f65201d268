// An order of the items that keeps the frontier narrow.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cover/search.hpp"

namespace latcover {

// The best of several orders: the given one; breadth-first from a corner (Cuthill and McKee 1969); and greedy ones,
// which always take the open item that opens the fewest others. An order is judged by the widths of its frontier at all
// items. Items with colours have no turn in a frontier: each stands after the last item that options hold together with
// it. Problems with very many items keep their order.
std::vector<std::int32_t> frontier_order(const Problem& problem);

// Orders that may race: the one above, and those along the sweeps that may have fewer states. `sweeps` holds for each
// sweep the place of every item, -1 for an item that has none.
std::vector<std::vector<std::int32_t>> frontier_orders(const Problem& problem, std::span<const std::int32_t> sweeps);

}  // namespace latcover
