// A cover problem as certificates of counts see it: states, and what it takes to choose an option in a state.
//
// docs/reference/count-certificates.md defines both. An option here may be an orbit of options, which are chosen one
// after another. A state is an array of words. An item that may be held at most once has one bit, which is set when the
// item is full. An item that may be held several times has a counter whose bits are all set when it is full, and above
// them a guard bit into which one more would overflow. An item with colours has a bit for "full", the only one set then,
// and one for each colour. No item lies in two words, so words are added without a carry.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cover/search.hpp"

namespace latcover {

template <int W>
using CoverState = std::array<std::uint64_t, W>;

struct CertifiedItem {
    std::int32_t word = 0;
    std::uint64_t mask = 0, full = 0, start = 0, unit = 0;
    std::int32_t low = 0;
    bool single = false;  // it has no colours and is held at most once
};

struct CertifiedProblem {
    std::vector<CertifiedItem> items;
    std::size_t words = 1;
    std::vector<std::uint64_t> empty, done, guard;  // states of so many words; guard: all guard bits

    // Of each option that holds an item and fits the empty state. A move forbids bits, sets others, then adds.
    std::vector<std::int32_t> numbers;               // ascending
    std::vector<std::uint64_t> forbids, puts, adds;  // so many words each
    std::vector<std::vector<std::int32_t>> held;     // the items of each, ascending
    std::vector<std::vector<std::int32_t>> holders;  // of each item: places in these lists, ascending
    std::size_t doublings = 0;                       // options without items: each doubles the number

    std::size_t n_options() const { return numbers.size(); }
};

// The items of an option may stand several times and in any order: those of the options of an orbit, one after another.
// require: `low` and `high` bound the items; only items with the bounds [0, 1] have colours.
// throws: Unsupported, if an item has so many colours that they do not fit a word.
CertifiedProblem certified_problem(const Problem& problem);

// States as arrays of W words.
template <int W>
class CertifiedStates {
public:
    using State = CoverState<W>;
    struct Move {
        State forbid, put, add;
    };

    explicit CertifiedStates(const CertifiedProblem& problem) : problem_(problem) {
        for (std::size_t k = 0; k < problem.n_options(); ++k)
            moves_.push_back({words(problem.forbids, k), words(problem.puts, k), words(problem.adds, k)});
        empty = words(problem.empty, 0);
        done = words(problem.done, 0);
        guard_ = words(problem.guard, 0);
        for (const auto word : guard_) has_guards_ |= word != 0;
    }

    State empty, done;

    const Move& move(std::int32_t option) const { return moves_[option]; }
    bool fits(const State& state, std::int32_t option) const {
        std::uint64_t clash = 0;
        for (int w = 0; w < W; ++w) clash |= state[w] & moves_[option].forbid[w];
        if (clash) return false;
        if (!has_guards_) return true;
        const auto next = chosen(state, option);
        for (int w = 0; w < W; ++w) clash |= next[w] & guard_[w];
        return !clash;
    }
    State chosen(const State& state, std::int32_t option) const {
        State next;
        for (int w = 0; w < W; ++w) next[w] = (state[w] | moves_[option].put[w]) + moves_[option].add[w];
        return next;
    }
    bool is_full(const State& state, std::int32_t item) const {
        const auto& own = problem_.items[item];
        return (state[own.word] & own.mask) == own.full;
    }
    // Whether the item is open and held less often than it must be.
    bool lacks(const State& state, std::int32_t item) const {
        const auto& own = problem_.items[item];
        const auto held = (state[own.word] & own.mask) - own.start;
        return own.low > 0 && !is_full(state, item) && held < static_cast<std::uint64_t>(own.low) * own.unit;
    }
    void close(State& state, std::int32_t item) const {
        const auto& own = problem_.items[item];
        state[own.word] = (state[own.word] & ~own.mask) | own.full;
    }

    // Append the states when the item is decided. `options` are at least those that hold it and fit, ascending.
    void decide(const State& state, std::int32_t item, std::span<const std::int32_t> options,
                std::vector<State>& children) const {
        const auto& own = problem_.items[item];
        const auto first = children.size();
        if (own.single) {
            if (own.low == 0) {
                children.push_back(state);
                close(children.back(), item);
            }
            for (const auto option : options)
                if (fits(state, option)) children.push_back(chosen(state, option));
            return;
        }
        children.push_back(state);
        for (const auto option : options) {
            if (children.size() - first > most_children) throw Unsupported(too_many_children);
            for (auto k = first, end = children.size(); k < end; ++k)
                if (fits(children[k], option)) children.push_back(chosen(children[k], option));
        }
        auto kept = first;
        for (auto k = first; k < children.size(); ++k)
            if (!lacks(children[k], item)) {
                children[kept] = children[k];
                close(children[kept++], item);
            }
        children.resize(kept);
    }

private:
    static constexpr std::size_t most_children = std::size_t{1} << 20;
    static constexpr auto too_many_children =
        "an item that may be held several times would be decided in more ways than a certificate can list";

    static State words(const std::vector<std::uint64_t>& from, std::size_t k) {
        State state{};
        const auto n = from.size() / W;
        if (k < n)
            for (int w = 0; w < W; ++w) state[w] = from[k * W + static_cast<std::size_t>(w)];
        return state;
    }

    const CertifiedProblem& problem_;
    std::vector<Move> moves_;
    State guard_;
    bool has_guards_ = false;
};

// Calls `use` with the least number of words that is enough, as a constant.
// throws: Unsupported, if no number is.
template <typename Use>
auto with_words(std::size_t words, Use use) {
    if (words <= 1) return use(std::integral_constant<int, 1>());
    if (words <= 2) return use(std::integral_constant<int, 2>());
    if (words <= 4) return use(std::integral_constant<int, 4>());
    if (words <= 8) return use(std::integral_constant<int, 8>());
    if (words <= 16) return use(std::integral_constant<int, 16>());
    if (words <= 64) return use(std::integral_constant<int, 64>());
    throw Unsupported("a certificate takes at most 4096 items and colours");
}

}  // namespace latcover
