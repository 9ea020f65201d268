// Which states of a frontier are dead after a step: no cover goes on from them.

#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "frontier/frontier_ways.hpp"

namespace latcover {

// An item that must be covered later, and may have lost its last option.
template <int W>
struct Endangered {
    Key<W> itself{};            // the bit of the item, if it is open
    std::vector<Key<W>> needs;  // for each option that is left: the bits that hinder it
};

template <int W>
class DeadEnds {
public:
    explicit DeadEnds(const Plan& plan)
        : plan_(&plan), touched_(plan.position.size()), near_(plan.first.size()), judged_(plan.position.size()) {}

    // The items that step k endangers. An item with an option that nothing can hinder is left out.
    std::vector<Endangered<W>> after(std::int32_t k) {
        std::vector<Endangered<W>> endangered;
        ++mark_;
        const auto is_new = [this](std::vector<std::uint64_t>& marks, std::int32_t k) {
            return std::exchange(marks[static_cast<std::size_t>(k)], mark_) != mark_;
        };
        for (const auto begun : plan_->steps[k].begun)
            for (const auto touched : plan_->items_of(begun)) {
                if (!is_new(touched_, touched)) continue;
                for (const auto near : plan_->holders[touched]) {
                    if (!is_new(near_, near)) continue;
                    for (const auto item : plan_->items_of(near)) {
                        if (!waits(item, k) || !is_new(judged_, item)) continue;
                        auto one = endangered_item(item, k);
                        if (std::find(one.needs.begin(), one.needs.end(), Key<W>{}) == one.needs.end())
                            endangered.push_back(std::move(one));
                    }
                }
            }
        return endangered;
    }

    static bool is_dead(const Key<W>& key, const std::vector<Endangered<W>>& endangered) {
        const auto hindered = [&](const Key<W>& bits) {
            std::uint64_t held = 0;
            for (int w = 0; w < W; ++w) held |= bits[w] & key[w];
            return held != 0;
        };
        return std::any_of(endangered.begin(), endangered.end(), [&](const auto& item) {
            return !hindered(item.itself) && std::all_of(item.needs.begin(), item.needs.end(), hindered);
        });
    }

private:
    // Whether an item must be covered later. One that is not open is looked at only where colours may hinder it.
    bool waits(std::int32_t item, std::int32_t k) const {
        return plan_->problem.low[item] > 0 && plan_->position[item] > k &&
               (plan_->opens[item] <= k || plan_->problem.has_colours());
    }

    Endangered<W> endangered_item(std::int32_t item, std::int32_t k) const {
        Endangered<W> one;
        for (const auto option : plan_->holders[item]) {
            if (plan_->first[option] <= k) continue;
            auto& bits = one.needs.emplace_back();
            plan_->for_each_entry(option, [&](auto other, auto entry) {
                if (other == item || plan_->opens[other] > k) return;
                if (!plan_->has_colours[other]) cover(bits, *plan_, other);
                else mark(bits, *plan_, other, plan_->may_share(entry) ? ~plan_->codes[entry] : all_slots);
            });
        }
        if (plan_->opens[item] <= k) cover(one.itself, *plan_, item);
        return one;
    }

    const Plan* plan_;
    std::vector<std::uint64_t> touched_, near_, judged_;  // items, options and items that have the present mark
    std::uint64_t mark_ = 0;
};

}  // namespace latcover
