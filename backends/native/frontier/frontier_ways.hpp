// The states of a frontier, and the ways from those before a step to those after it.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "frontier/frontier_plan.hpp"

namespace latcover {

// A state: the bits of the open items. The first state, and the last, is Key{}.
template <int W>
using Key = std::array<std::uint64_t, W>;

// Set the bit of an item without colours.
template <std::size_t W>
void cover(std::array<std::uint64_t, W>& key, const Plan& plan, std::int32_t item) {
    const auto slot = plan.slot[item];
    if (slot != no_slot) key[slot >> 6] |= std::uint64_t{1} << (slot & 63);
}

// Set bits of an item with colours: those of a code.
template <std::size_t W>
void mark(std::array<std::uint64_t, W>& key, const Plan& plan, std::int32_t item, std::uint32_t code) {
    const auto& slots = plan.slots[item];
    for (std::size_t k = 0; k < slots.size(); ++k)
        if (code >> k & 1) key[slots[k] >> 6] |= std::uint64_t{1} << (slots[k] & 63);
}

inline constexpr auto all_slots = ~std::uint32_t{0};

// One way to do a step: by an option, or by none if the item is covered already or may stay uncovered. It suits some
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

// The ways to choose an option at step k. An item with colours is held in its colour already, or not at all; where both
// may be, there is a way for each.
template <int W>
void add_ways_of_option(std::vector<Way<W>>& ways, const Plan& plan, std::int32_t k, std::int32_t option) {
    const auto item = plan.steps[k].item;
    const auto begin = ways.size();
    Way<W> way;
    way.option = option;
    for (const auto held : plan.items_of(option)) {
        if (plan.has_colours[held]) continue;
        cover(way.must_not, plan, held);
        if (held != item) cover(way.set, plan, held);
    }
    ways.push_back(way);
    if (!plan.problem.has_colours()) return;
    plan.for_each_entry(option, [&](auto held, auto entry) {
        if (!plan.has_colours[held]) return;
        const auto end = ways.size();
        if (plan.slots[held].empty()) return;  // it hinders nobody
        const auto code = plan.codes[entry];
        const bool is_new = plan.opens[held] == k || !plan.may_share(entry), is_sure = !is_new && plan.is_sure[entry];
        const bool closes = plan.position[held] == k;
        for (auto j = begin; j < end; ++j) {
            mark(ways[j].must_not, plan, held, ~code);
            if (closes) mark(ways[j].clear, plan, held, all_slots);
            if (!is_sure) {
                auto unheld = ways[j];
                mark(unheld.must_not, plan, held, code);
                if (!closes) mark(unheld.set, plan, held, code);
                if (is_new) {
                    ways[j] = unheld;
                    continue;
                }
                ways.push_back(unheld);
            }
            mark(ways[j].must, plan, held, code);
        }
    });
}

// The ways to forget an item: one for each colour, and one if it is not held.
template <int W>
std::vector<Way<W>> ways_to_forget(const Plan& plan, std::int32_t item) {
    std::vector<std::uint32_t> codes;
    for (const auto option : plan.holders[item])
        plan.for_each_entry(option, [&](auto held, auto entry) {
            if (held == item) codes.push_back(plan.codes[entry]);
        });
    codes.push_back(0);
    std::sort(codes.begin(), codes.end());
    codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
    std::vector<Way<W>> ways;
    for (const auto code : codes) {
        auto& way = ways.emplace_back();
        mark(way.must, plan, item, code);
        mark(way.must_not, plan, item, ~code);
        mark(way.clear, plan, item, all_slots);
    }
    return ways;
}

// The ways of step k, always in the same order. Those of an option stand together.
template <int W>
std::vector<Way<W>> ways_of_step(const Plan& plan, std::int32_t k) {
    const auto& step = plan.steps[k];
    if (step.forgets != no_item) return ways_to_forget<W>(plan, step.forgets);
    std::vector<Way<W>> ways;
    ways.reserve(step.begun.size() + 2);
    Way<W> covered, stays;
    if (step.item != no_item) {
        cover(covered.must, plan, step.item);
        covered.clear = stays.must_not = covered.must;
        if (plan.slot[step.item] != no_slot) ways.push_back(covered);
    }
    if (step.item == no_item || plan.problem.low[step.item] == 0) ways.push_back(stays);
    for (const auto option : step.begun) add_ways_of_option(ways, plan, k, option);
    return ways;
}

}  // namespace latcover
