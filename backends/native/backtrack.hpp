// The direct method of Barequet and Tal (2010), section 3: the first empty cell, and every part that can go there.

#pragma once

#include <memory>
#include <string>

#include "islands.hpp"
#include "probe.hpp"
#include "search.hpp"

namespace latcover {

struct BacktrackOptions {
    bool size = false;  // the cell with the fewest options that fit; else the first one
    Stranding stranding = Stranding::none;
    std::string kernel;  // by which instructions masks are compared; the processor must have them
};

// require: `problem` satisfies CoverProblem's checks, and has no colours. ensure: every cover is met exactly once.
Outcome backtrack_search(const Problem& problem, const BacktrackOptions& options, const Limits& limits, Sink& sink);

// The same tree, to be probed; `problem` must outlive it.
std::unique_ptr<ProbedTree> backtrack_tree(const Problem& problem, const BacktrackOptions& options);

}  // namespace latcover
