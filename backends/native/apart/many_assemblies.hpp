// Takes many assemblies apart at once: threads over assemblies, and over the fronts of those that are hard.

#pragma once

#include <functional>
#include <vector>

#include "apart/taking_apart.hpp"

namespace latcover {

struct ManyLimits {
    std::uint64_t states;  // of one assembly
    double seconds;        // of all
    unsigned threads;
};

struct ManyProgress {
    std::size_t done;
    std::uint64_t states;
    double seconds;
};

// `on_progress` is called on the thread of the caller, some twenty times a second; returning false cancels.
std::vector<TakenApart> take_all_apart(Shapes& shapes, const std::vector<Assembly>& assemblies, const Groups& groups,
                                       const ManyLimits& limits,
                                       const std::function<bool(const ManyProgress&)>& on_progress);

}  // namespace latcover
