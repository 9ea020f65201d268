// Branch and bound over bitmaps: covers that cost at most a falling bar. The costs are those of pricing.hpp.

#pragma once

#include "cover/pricing.hpp"
#include "cover/search.hpp"

namespace latcover {

// Whether `priced_search` takes a problem: no colours, no item held more than once, and an item in each option that must
// be held.
bool suits_priced_search(const Problem& problem);

// Find covers that cost at most the bar when they are found.
// require: the problem suits; options stand in the order of what they cost beyond the prices of their items.
// ensure: every cover that costs at most the last bar is met exactly once.
Outcome priced_search(const Problem& problem, const Costs& costs, const Bar& bar, const Limits& limits, Sink& sink);

}  // namespace latcover
