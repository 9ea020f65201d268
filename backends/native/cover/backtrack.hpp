// The direct method of Barequet and Tal (2010), section 3: take the first empty cell, and try every part that fits
// there.

#pragma once

#include <memory>
#include <string>

#include "cover/islands.hpp"
#include "cover/probe.hpp"
#include "cover/search.hpp"

namespace latcover {

struct BacktrackOptions {
    bool size = false;  // take the cell with the fewest options that fit; if not, the first cell
    Stranding stranding = Stranding::none;
    std::string kernel;  // masks are compared by its instructions; the processor must have them
};

// require: `problem` satisfies CoverProblem's checks, and has no colours. ensure: every cover is met exactly once.
Outcome backtrack_search(const Problem& problem, const BacktrackOptions& options, const Limits& limits, Sink& sink);

// The same tree for probes. `problem` must outlive it.
std::unique_ptr<ProbedTree> backtrack_tree(const Problem& problem, const BacktrackOptions& options);

}  // namespace latcover
