// The limits of a walk whose kernel tries the children of a node in one go.
//
// The number of branches that the kernel has tried reaches a limit before the search does, because some were tried
// ahead of their visits. From then on the host has to look at every visit. `Run` compares the exact figures with the
// limits.

#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "cover/run.hpp"

namespace latcover {

class WalkLimits {
public:
    WalkLimits(const Limits& limits, Run& run) : most_(limits.branches), run_(run) {}

    bool limits_branches() const { return most_ != never; }

    // Whether a pause is to come.
    bool pauses() const { return run_.pause_at() != never; }

    // Whether the limit lies among the branches that the kernel has tried.
    bool is_near(std::uint64_t tried) const { return tried >= most_; }

    // How many branches the kernel may try before it asks again, at most *pace*.
    std::int64_t until_look(std::uint64_t tried, std::int64_t pace) const {
        if (is_near(tried)) return pace;  // the kernel asks before each visit
        const std::uint64_t left = std::min(most_, std::max(run_.pause_at(), tried + 1)) - tried;
        return static_cast<std::int64_t>(std::min<std::uint64_t>(static_cast<std::uint64_t>(pace), left - 1));
    }

    // How many of so many branches are beyond the limit.
    std::uint64_t excess(std::uint64_t branches) const { return branches > most_ ? branches - most_ : 0; }

    // Compare exact figures with the limits. `share` returns the share of the tree that is done. Returns whether to go
    // on.
    template <typename Share>
    bool allow(std::uint64_t branches, std::uint64_t covers_found, Share share) {
        run_.statistics.branches = branches;
        run_.look(share, covers_found);
        return !run_.stopped();
    }

private:
    static constexpr auto never = std::numeric_limits<std::uint64_t>::max();

    const std::uint64_t most_;  // branches
    Run& run_;
};

}  // namespace latcover
