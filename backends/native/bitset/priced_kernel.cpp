// Branch and bound over bitmaps.
//
// A node is a bitmap of the options that may still be chosen. Options stand in the order of their *surplus*: what they
// cost beyond the prices of their items. As in Knuth's DLX5 the cheapest options come first, and a node ends where the
// rest cannot do better:
// - What the bar leaves after the prices, the surpluses of chosen options and the terms is the *slack*. Options with a
//   greater surplus are at the end, so a shorter bitmap leaves all of them out. The slack falls on the way down.
// - Some items are *apart*: no option holds two of them, as the parts. Each needs an option of its own, so their least
//   surpluses add up.
// - A term that saves something is hoped for until one of its conditions has no option left. Each condition watches one
//   option that could meet it, as clauses of SAT solvers watch literals; another is looked for when that one is gone.

#include "bitset/priced_kernel.hpp"

#include <bit>
#include <numeric>

#include "cover/run.hpp"

// One function for each of several processors; which is run is chosen when the program starts.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define LATCOVER_CLONES __attribute__((target_clones("arch=haswell", "popcnt", "default")))
#else
#define LATCOVER_CLONES
#endif

namespace latcover {
namespace {

using Word = std::uint64_t;

struct Fewest {
    std::int32_t place = -1;  // among the items
    int options = 0;
};

// The item with the fewest options; the search ends at one without any.
LATCOVER_CLONES Fewest fewest(const Word* alive, std::size_t words, const Word* holders, std::size_t stride,
                              const std::int32_t* items, std::size_t n) {
    Fewest best;
    for (std::size_t k = 0; k < n; ++k) {
        const auto* row = holders + stride * static_cast<std::size_t>(items[k]);
        int options = 0;
        for (std::size_t w = 0; w < words; ++w) options += std::popcount(alive[w] & row[w]);
        if (best.place < 0 || options < best.options) best = {static_cast<std::int32_t>(k), options};
        if (options == 0) break;
    }
    return best;
}

class PricedSearch {
public:
    PricedSearch(const Problem& problem, const Costs& costs, const Bar& bar, const Limits& limits, Sink& sink)
        : problem_(problem), costs_(costs), bar_(bar), run_(limits, sink, problem.n_options()),
          stride_((static_cast<std::size_t>(problem.n_options()) + 63) / 64), surplus_(costs.own.size()) {
        holders_.assign(stride_ * problem.low.size(), 0);
        for (std::int64_t o = 0; o < problem.n_options(); ++o) {
            surplus_[o] = costs.own[o] * costs.scale;
            for (const auto item : items_of(o)) {
                surplus_[o] -= costs.prices[item];
                holders(item)[o >> 6] |= Word{1} << (o & 63);
            }
        }
        find_items_apart();
        link_terms();
    }

    Outcome run() {
        if (run_.start()) {
            Level root;
            root.alive.assign(stride_, ~Word{0});
            if (problem_.n_options() & 63) root.alive.back() = (Word{1} << (problem_.n_options() & 63)) - 1;
            for (std::int32_t i = 0; i < problem_.n_items(); ++i) {
                if (problem_.low[i] == 1) root.pending.push_back(i);
                if (problem_.high[i] == 0)
                    for (std::size_t w = 0; w < stride_; ++w) root.alive[w] &= ~holders(i)[w];
            }
            for (std::size_t t = 0; t < costs_.weights.size(); ++t)
                if (costs_.weights[t] < 0) root.hopes.push_back(static_cast<std::int32_t>(t));
            levels_.resize(root.pending.size() + 2);
            levels_[0] = std::move(root);
            search(0, 0, 1);
        }
        return run_.finish();
    }

private:
    struct Level {
        std::vector<Word> alive;
        std::vector<std::int32_t> pending;  // items that must still be held
        std::vector<std::int32_t> hopes;    // terms that may still save something
    };

    Word* holders(std::int32_t item) { return holders_.data() + stride_ * static_cast<std::size_t>(item); }
    std::span<const std::int32_t> items_of(std::int64_t option) const {
        const auto first = problem_.option_starts[option], last = problem_.option_starts[option + 1];
        return problem_.option_items.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
    }

    // From the last item on, so that parts come before cells.
    void find_items_apart() {
        apart_.assign(problem_.low.size(), 0);
        std::vector<Word> taken(stride_, 0);
        for (auto i = problem_.n_items(); i-- > 0;) {
            if (problem_.low[i] != 1) continue;
            Word common = 0;
            for (std::size_t w = 0; w < stride_; ++w) common |= taken[w] & holders(i)[w];
            if (common) continue;
            apart_[i] = 1;
            for (std::size_t w = 0; w < stride_; ++w) taken[w] |= holders(i)[w];
        }
    }

    void link_terms() {
        const auto n_conditions = costs_.condition_starts.size() - 1;
        term_of_.resize(n_conditions);
        unmet_.resize(costs_.weights.size());
        for (std::size_t t = 0; t < unmet_.size(); ++t) {
            unmet_[t] = static_cast<std::int32_t>(costs_.term_starts[t + 1] - costs_.term_starts[t]);
            for (auto c = costs_.term_starts[t]; c < costs_.term_starts[t + 1]; ++c)
                term_of_[c] = static_cast<std::int32_t>(t);
        }
        met_.assign(n_conditions, 0);
        watched_.assign(costs_.condition_starts.begin(), costs_.condition_starts.end() - 1);
        meets_starts_.assign(costs_.own.size() + 1, 0);
        for (const auto option : costs_.condition_options) ++meets_starts_[option + 1];
        std::partial_sum(meets_starts_.begin(), meets_starts_.end(), meets_starts_.begin());
        meets_.resize(costs_.condition_options.size());
        auto next = meets_starts_;
        for (std::size_t c = 0; c < n_conditions; ++c)
            for (auto k = costs_.condition_starts[c]; k < costs_.condition_starts[c + 1]; ++k)
                meets_[next[costs_.condition_options[k]]++] = static_cast<std::int32_t>(c);
    }

    void choose(std::int32_t option) {
        chosen_.push_back(option);
        spent_ += surplus_[option];
        for (auto k = meets_starts_[option]; k < meets_starts_[option + 1]; ++k) {
            const auto c = meets_[k], t = term_of_[c];
            if (met_[c]++ == 0 && --unmet_[t] == 0 && costs_.weights[t] > 0) held_ += costs_.weights[t];
        }
    }

    void unchoose(std::int32_t option) {
        chosen_.pop_back();
        spent_ -= surplus_[option];
        for (auto k = meets_starts_[option]; k < meets_starts_[option + 1]; ++k) {
            const auto c = meets_[k], t = term_of_[c];
            if (--met_[c] == 0 && unmet_[t]++ == 0 && costs_.weights[t] > 0) held_ -= costs_.weights[t];
        }
    }

    // Whether a term may still hold, by its watched options.
    bool may_hold(std::int32_t term, const std::vector<Word>& alive) {
        for (auto c = costs_.term_starts[term]; c < costs_.term_starts[term + 1]; ++c) {
            if (met_[c] > 0) continue;
            const auto there = [&](std::int64_t k) {
                const auto option = costs_.condition_options[k];
                return (alive[static_cast<std::size_t>(option) >> 6] >> (option & 63) & 1) != 0;
            };
            if (there(watched_[c])) continue;
            auto k = costs_.condition_starts[c];
            while (k < costs_.condition_starts[c + 1] && !there(k)) ++k;
            if (k == costs_.condition_starts[c + 1]) return false;
            watched_[c] = k;
        }
        return true;
    }

    // Keep the terms of `from` that may still hold, and return what they save together.
    std::int64_t hope(const std::vector<std::int32_t>& from, Level& level) {
        std::int64_t saved = 0;
        level.hopes.clear();
        for (const auto term : from)
            if (unmet_[term] == 0 || may_hold(term, level.alive)) {
                level.hopes.push_back(term);
                saved += costs_.weights[term];
            }
        return saved;
    }

    // What the bar leaves, in parts of the scale; below 0 every cover with the chosen options is too dear.
    std::int64_t slack(std::int64_t hoped) const {
        const auto above = bar_.most() - costs_.constant - held_ - hoped;
        if (above > (std::int64_t{1} << 62) / costs_.scale) return std::int64_t{1} << 62;
        if (above < -(std::int64_t{1} << 62) / costs_.scale) return -1;
        return above * costs_.scale - total_ - spent_;
    }

    // The least surplus of the options that may hold an item; -1 if there are none.
    std::int64_t least_surplus(std::int32_t item, const Word* alive, std::size_t words) const {
        const auto* row = holders_.data() + stride_ * static_cast<std::size_t>(item);
        for (std::size_t w = 0; w < words; ++w)
            if (const auto both = alive[w] & row[w])
                return surplus_[64 * w + static_cast<std::size_t>(std::countr_zero(both))];
        return -1;
    }

    void search(std::size_t depth, double share, double width) {
        Level& level = levels_[depth];
        const auto hoped = depth == 0 ? hope(std::vector(level.hopes), level) : hope(levels_[depth - 1].hopes, level);
        auto left = slack(hoped);
        if (left < 0) return;
        if (level.pending.empty()) {
            run_.cover([this](std::vector<std::int32_t>& options) {
                options.insert(options.end(), chosen_.begin(), chosen_.end());
            });
            run_.hand_over();  // the caller learns at once, and lowers the bar
            return;
        }
        const auto reach =
            static_cast<std::size_t>(std::upper_bound(surplus_.begin(), surplus_.end(), left) - surplus_.begin());
        const auto words = (reach + 63) / 64;
        if (reach & 63) level.alive[words - 1] &= (Word{1} << (reach & 63)) - 1;
        std::fill(level.alive.begin() + static_cast<std::ptrdiff_t>(words), level.alive.end(), 0);
        std::int64_t least = 0;
        for (const auto item : level.pending)
            if (apart_[item]) {
                const auto surplus = least_surplus(item, level.alive.data(), words);
                if (surplus < 0) return dead();
                least += surplus;
            }
        if (least > left) return;
        const auto best =
            fewest(level.alive.data(), words, holders_.data(), stride_, level.pending.data(), level.pending.size());
        if (best.options == 0) return dead();
        const auto item = level.pending[static_cast<std::size_t>(best.place)];
        const auto own = apart_[item] ? least_surplus(item, level.alive.data(), words) : 0;
        width /= best.options;
        for (std::size_t w = 0; w < words; ++w)
            for (auto bits = level.alive[w] & holders(item)[w]; bits; bits &= bits - 1, share += width) {
                const auto option = static_cast<std::int32_t>(64 * w) + std::countr_zero(bits);
                left = slack(hoped);
                if (surplus_[option] > left || (apart_[item] && surplus_[option] - own + least > left)) return;
                choose(option);
                run_.branch(depth + 1);
                if (run_.due()) run_.look([&] { return share; });
                if (!run_.stopped()) {
                    descend(level, levels_[depth + 1], option, words);
                    search(depth + 1, share, width);
                }
                unchoose(option);
                if (run_.stopped()) return;
            }
    }

    void descend(const Level& from, Level& to, std::int32_t option, std::size_t words) {
        to.alive = from.alive;
        for (const auto item : items_of(option)) {
            const auto* row = holders(item);
            for (std::size_t w = 0; w < words; ++w) to.alive[w] &= ~row[w];
        }
        to.pending.clear();
        const auto held = items_of(option);
        std::set_difference(from.pending.begin(), from.pending.end(), held.begin(), held.end(),
                            std::back_inserter(to.pending));
    }

    void dead() { ++run_.statistics.dead_ends; }

    const Problem& problem_;
    const Costs costs_;
    const Bar& bar_;
    Run run_;
    std::size_t stride_;  // words of a bitmap
    std::vector<std::int64_t> surplus_;
    std::vector<Word> holders_;  // of each item: the options that hold it
    std::vector<char> apart_;    // of each item
    std::int64_t total_ = std::accumulate(costs_.prices.begin(), costs_.prices.end(), std::int64_t{0});
    std::vector<std::int32_t> term_of_, met_, unmet_;  // of each condition, condition, term
    std::vector<std::int64_t> watched_;                // of each condition: the place of an option
    std::vector<std::int64_t> meets_starts_;           // the conditions that each option meets
    std::vector<std::int32_t> meets_;
    std::vector<Level> levels_;
    std::vector<std::int32_t> chosen_;
    std::int64_t spent_ = 0;  // surpluses of the chosen options
    std::int64_t held_ = 0;   // terms that hold and cost something
};

}  // namespace

bool suits_priced_search(const Problem& problem) {
    if (problem.has_colours()) return false;
    for (const auto high : problem.high)
        if (high > 1) return false;
    for (std::int64_t o = 0; o < problem.n_options(); ++o) {
        bool must = false;
        for (auto k = problem.option_starts[o]; k < problem.option_starts[o + 1]; ++k)
            must |= problem.low[problem.option_items[k]] == 1;
        if (!must) return false;
    }
    return true;
}

Outcome priced_search(const Problem& problem, const Costs& costs, const Bar& bar, const Limits& limits, Sink& sink) {
    if (!suits_priced_search(problem)) throw Unsupported("bitmaps take no such problem with costs");
    return PricedSearch(problem, costs, bar, limits, sink).run();
}

}  // namespace latcover
