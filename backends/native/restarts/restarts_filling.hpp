// A problem filled in part: what `restarts` has chosen so far, which items that holds, and which options still fit.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "restarts/restarts_plan.hpp"

namespace latcover {

class Filling {
public:
    explicit Filling(const RestartsPlan& given)
        : plan(given), left(given.need), used(given.problem.n_items(), 0), taken_(given.problem.n_options(), 0),
          islands_(given.islands) {}

    const RestartsPlan& plan;
    std::int64_t left;               // how often scanned items still have to be held
    std::vector<std::int32_t> used;  // how often each item is held

    // Without a look at islands.
    void add(std::int32_t option) {
        change(option, 1);
        if (islands_) islands_->take(option);
    }
    void remove(std::int32_t option) {
        change(option, -1);
        if (islands_) islands_->give_back(option);
    }
    // Returns false, and leaves everything as it was, if the option cuts off an island that cannot be filled.
    bool take(std::int32_t option) {
        add(option);
        if (!islands_ || !islands_->strands_after(option)) return true;
        remove(option);
        return false;
    }
    bool fits(std::int32_t option) const {
        if (taken_[option]) return false;  // an option is used once, even if its items may be held more often
        for (const auto item : plan.items(option))
            if (used[item] >= plan.problem.high[item]) return false;
        return true;
    }
    bool is_used_up(std::int32_t part) const {
        const auto item = plan.problem.n_cells + part;
        return part != RestartsPlan::none && used[item] >= plan.problem.high[item];
    }
    // Among the scanned items, the first from `place` on that has to be held again.
    std::size_t next_open(std::size_t place) const {
        while (place < plan.scanned.size() && used[plan.scanned[place]] >= plan.problem.low[plan.scanned[place]])
            ++place;
        return place;
    }
    // Sides of an option's cells that lie against cells not filled, and against one another.
    std::int32_t open_sides(std::int32_t option) const {
        const Problem& problem = plan.problem;
        if (problem.neighbour_starts.empty()) return 0;
        std::int32_t open = 0;
        for (const auto item : plan.items(option)) {
            if (item >= problem.n_cells) break;
            for (auto k = problem.neighbour_starts[item]; k < problem.neighbour_starts[item + 1]; ++k)
                open += used[problem.neighbours[k]] == 0;
        }
        return open;
    }

private:
    void change(std::int32_t option, std::int32_t by) {
        for (const auto item : plan.items(option)) used[item] += by;
        taken_[option] = by > 0;
        left -= by * plan.weight[option];
    }

    std::vector<char> taken_;  // of each option
    std::optional<Islands> islands_;
};

}  // namespace latcover
