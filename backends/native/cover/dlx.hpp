// Dancing links over arrays: Knuth, "Dancing Links" (2000), and TAOCP 4B, section 7.2.2.1, Algorithms X and M.

#pragma once

#include <memory>

#include "cover/islands.hpp"
#include "cover/pricing.hpp"
#include "cover/probe.hpp"
#include "cover/search.hpp"

namespace latcover {

struct DlxOptions {
    bool size = true;  // branch on the pending item with the fewest options left; if not, on the first pending item
    Stranding stranding = Stranding::none;
    bool asks = false;  // the sink whether it prunes
};

// require: `problem` satisfies CoverProblem's checks. ensure: every cover is met exactly once.
Outcome dlx_search(const Problem& problem, const DlxOptions& options, const Limits& limits, Sink& sink);

// The same, but only covers that cost at most the bar when they are found. Branches are cut where all covers cost more.
// require: options whose cost is small come first, so that good covers are found early.
Outcome dlx_improve(const Problem& problem, const DlxOptions& options, const Costs& costs, const Bar& bar,
                    const Limits& limits, Sink& sink);

// The same tree for probes. `problem` must outlive it.
std::unique_ptr<ProbedTree> dlx_tree(const Problem& problem, const DlxOptions& options);

}  // namespace latcover
