// What a frontier does at each item: the bits of its states, the ways to take an item, and which states are dead.
//
// A *state* is the set of later items that are already covered. Items are taken one after another in a given order; step
// k takes the k-th of them, and turns the states before it into the states after it.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cover/search.hpp"

namespace latcover {

inline constexpr std::int32_t no_slot = -1, no_option = -1;
inline constexpr std::int32_t widest_frontier = 256;

// The place of each item in the order, and its bit in a state. An item is *open* from the first option that may cover
// it early up to its own turn; only open items need a bit.
struct Plan {
    Problem problem;
    std::vector<std::int32_t> order;
    std::vector<std::int32_t> position;              // of each item in the order
    std::vector<std::vector<std::int32_t>> begun;    // of each position: the options whose first item has it
    std::vector<std::int32_t> slot;                  // of each item: its bit; no_slot if it is never open early
    std::vector<std::int32_t> opens;                 // of each item: the position from which it is open
    std::vector<std::int32_t> first;                 // of each option: the first position of its items
    std::vector<std::vector<std::int32_t>> holders;  // of each item: the options that may be chosen
    std::int32_t width = 0;                          // the most items that are open at once
    std::int32_t empty_options = 0;                  // options without items: each of them may be in a cover or not

    std::int32_t n_steps() const { return static_cast<std::int32_t>(order.size()); }
    std::span<const std::int32_t> items_of(std::int32_t option) const {
        return problem.option_items.subspan(problem.option_starts[option],
                                            problem.option_starts[option + 1] - problem.option_starts[option]);
    }
};

// require: every item has high <= 1; `order` is a permutation of the items. The plan refers to the problem's arrays.
Plan make_plan(const Problem& problem, std::span<const std::int32_t> order);

// A state: the bits of the open items that are covered. The first state, and the last, is Key{}.
template <int W>
using Key = std::array<std::uint64_t, W>;

template <std::size_t W>
void cover(std::array<std::uint64_t, W>& key, const Plan& plan, std::int32_t item) {
    const auto slot = plan.slot[item];
    if (slot != no_slot) key[slot >> 6] |= std::uint64_t{1} << (slot & 63);
}

// One way to take an item: by an option, or by none if the item is covered already or may stay uncovered. It suits some
// states, and changes the same bits in all of them.
template <int W>
struct Way {
    std::int32_t option = no_option;
    Key<W> must{}, must_not{};  // bits that a state must have, and must not have
    Key<W> clear{}, set{};      // bits to change; those to clear are all in `must` or in `must_not`

    bool suits(const Key<W>& key) const {
        std::uint64_t unsuited = 0;
        for (int w = 0; w < W; ++w) unsuited |= (must[w] & ~key[w]) | (must_not[w] & key[w]);
        return !unsuited;
    }
    Key<W> changed(const Key<W>& key) const {
        Key<W> next;
        for (int w = 0; w < W; ++w) next[w] = (key[w] & ~clear[w]) | set[w];
        return next;
    }
};

// The ways of step k, always in the same order.
template <int W>
std::vector<Way<W>> ways_of_step(const Plan& plan, std::int32_t k) {
    const auto item = plan.order[k];
    Way<W> covered, stays;
    cover(covered.must, plan, item);
    covered.clear = stays.must_not = covered.must;
    std::vector<Way<W>> ways;
    if (plan.slot[item] != no_slot) ways.push_back(covered);
    if (plan.problem.low[item] == 0) ways.push_back(stays);
    for (const auto option : plan.begun[k]) {
        auto& way = ways.emplace_back();
        way.option = option;
        for (const auto held : plan.items_of(option)) {
            cover(way.must_not, plan, held);
            if (held != item) cover(way.set, plan, held);
        }
    }
    return ways;
}

// An item that must be covered later, and may have lost its last option.
template <int W>
struct Endangered {
    Key<W> itself{};            // the bit of the item
    std::vector<Key<W>> needs;  // for each option that is left: the bits that hinder it
};

// Finds which states are dead after a step: no cover goes on from them.
template <int W>
class DeadEnds {
public:
    explicit DeadEnds(const Plan& plan)
        : plan_(&plan), touched_(plan.order.size()), near_(plan.first.size()), judged_(plan.order.size()) {}

    // The items that step k endangers. An item with an option that nothing can hinder is left out.
    std::vector<Endangered<W>> after(std::int32_t k) {
        std::vector<Endangered<W>> endangered;
        ++mark_;
        const auto is_new = [this](std::vector<std::uint64_t>& marks, std::int32_t k) {
            return std::exchange(marks[static_cast<std::size_t>(k)], mark_) != mark_;
        };
        for (const auto begun : plan_->begun[k])
            for (const auto touched : plan_->items_of(begun)) {
                if (!is_new(touched_, touched)) continue;
                for (const auto near : plan_->holders[touched]) {
                    if (!is_new(near_, near)) continue;
                    for (const auto item : plan_->items_of(near)) {
                        const bool waits =
                            plan_->problem.low[item] > 0 && plan_->position[item] > k && plan_->opens[item] <= k;
                        if (!waits || !is_new(judged_, item)) continue;
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
    Endangered<W> endangered_item(std::int32_t item, std::int32_t k) const {
        Endangered<W> one;
        for (const auto option : plan_->holders[item]) {
            if (plan_->first[option] <= k) continue;
            auto& bits = one.needs.emplace_back();
            for (const auto other : plan_->items_of(option))
                if (other != item && plan_->opens[other] <= k) cover(bits, *plan_, other);
        }
        cover(one.itself, *plan_, item);
        return one;
    }

    const Plan* plan_;
    std::vector<std::uint64_t> touched_, near_, judged_;  // items, options and items that have the present mark
    std::uint64_t mark_ = 0;
};

}  // namespace latcover
