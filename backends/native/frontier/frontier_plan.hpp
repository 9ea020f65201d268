// What a frontier does step after step: the order of the items, and the bits that they have in its states.
//
// A *state* is the set of later items that are already covered, and the colours in which open items are held. Items
// are taken one after another in a given order; each step turns the states before it into the states after it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cover/search.hpp"

namespace latcover {

inline constexpr std::int32_t no_slot = -1, no_option = -1, no_item = -1;
inline constexpr std::int32_t widest_frontier = 256;
inline constexpr std::int32_t most_unsure = 10;  // items of an option that may be held or not: it has 2^n ways

// A step takes an item, or an option that holds nothing but items with colours, or it forgets an item with colours.
struct Step {
    std::int32_t item = no_item;      // which is covered by an option that begins here, is covered already, or stays
    std::vector<std::int32_t> begun;  // the options whose first item it is
    std::int32_t forgets = no_item;   // the item that no later option holds
};

// An item is *open* from the first option that may hold it before its own turn; only open items need bits. An item
// without colours has one bit. An item with colours has no turn: it is open from the first option that holds it to the
// last. Its bits are 0 while it is not held. The codes of its colours all have the same number of ones, so none lies
// within another, and an option in one colour is hindered by any bit that is not in its code. "Without a colour" has a
// code too; options that hold an item so are hindered by all its bits.
struct Plan {
    Problem problem;
    std::vector<Step> steps;
    std::vector<std::uint8_t> has_colours;           // whether each item has
    std::vector<std::int32_t> position;              // of each item: the step of its turn, or that clears its bits
    std::vector<std::int32_t> opens;                 // of each item: the step from which it is open; n_steps() if none
    std::vector<std::int32_t> slot;                  // of each item without colours: its bit; no_slot if never open
    std::vector<std::int32_t> first;                 // of each option: the step at which it begins, if it may be chosen
    std::vector<std::vector<std::int32_t>> holders;  // of each item: the options that may be chosen
    std::int32_t width = 0;                          // the most bits at once
    std::int32_t empty_options = 0;                  // options without items: each of them may be in a cover or not

    // Only of a problem with colours:
    std::vector<std::vector<std::int32_t>> slots;  // of each item with colours: its bits
    std::vector<std::int32_t> n_codes;             // of each item
    std::vector<std::uint32_t> codes;              // of each entry of the options: which slots of its item it sets
    std::vector<bool> is_sure;  // of each entry: whether its item, if open, is held wherever the option fits

    std::int32_t n_steps() const { return static_cast<std::int32_t>(steps.size()); }
    // Whether the item of an entry may be held by other options too.
    bool may_share(std::size_t entry) const { return problem.colour(static_cast<std::int64_t>(entry)) > 0; }
    std::span<const std::int32_t> items_of(std::int32_t option) const {
        return problem.option_items.subspan(problem.option_starts[option],
                                            problem.option_starts[option + 1] - problem.option_starts[option]);
    }
    // Call `use(item, entry)` for each item of an option.
    template <typename Use>
    void for_each_entry(std::int32_t option, Use use) const {
        for (auto entry = problem.option_starts[option]; entry < problem.option_starts[option + 1]; ++entry)
            use(problem.option_items[entry], static_cast<std::size_t>(entry));
    }
};

// Of each item, whether some option holds it in a colour.
std::vector<std::uint8_t> items_with_colours(const Problem& problem);

// require: every item has high <= 1; `order` is a permutation of the items. The plan refers to the problem's arrays.
// throws: Unsupported, if an option has more than `most_unsure` items that may be held or not.
Plan make_plan(const Problem& problem, std::span<const std::int32_t> order);

}  // namespace latcover
