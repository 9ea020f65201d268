// Costs of covers, and what a search can tell of them before a cover is complete: latcover/core/cover/cover_costs.py has the terms.
//
// Every item that must be held exactly once has a price, and no option costs less than the prices of its items. So what
// is still to come costs at least the prices of the items that are not yet held: the dual of a linear program, as in
// Knuth's DLX5 (TAOCP 4B, section 7.2.2.1), whose taxes are such prices. Terms add what they certainly cost.

#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

namespace latcover {

// What another cover may cost at most. The caller lowers it while the search goes on.
class Bar {
public:
    explicit Bar(std::int64_t most) : most_(most) {}

    std::int64_t most() const { return most_.load(std::memory_order_relaxed); }
    void set(std::int64_t most) { most_.store(most, std::memory_order_relaxed); }

private:
    std::atomic<std::int64_t> most_;
};

struct Costs {
    std::span<const std::int64_t> own;     // n_options
    std::span<const std::int64_t> prices;  // n_items, in parts of `scale`; 0 of items that are not held exactly once
    std::int64_t scale = 1;
    std::int64_t constant = 0;  // what every cover costs at least, beside
    std::span<const std::int64_t> weights, term_starts, condition_starts;
    std::span<const std::int32_t> condition_options;
};

// Follows a search: which options are chosen and which can no longer be.
class Pricing {
public:
    Pricing(const Costs& costs, const Bar& bar);

    // An option that is linked for the search.
    void link(std::int32_t option) { change<+1>(option); }
    // An option is out of reach, or within reach again.
    void lose(std::int32_t option) { change<-1>(option); }
    void regain(std::int32_t option) { change<+1>(option); }
    // An option is chosen, after it was lost; or no longer.
    void choose(std::int32_t option);
    void unchoose(std::int32_t option);
    // One more chosen option holds an item, or one less.
    void hold(std::int32_t item) { left_ -= prices_[item]; }
    void release(std::int32_t item) { left_ += prices_[item]; }

    // Whether every cover with the chosen options costs more than the bar.
    bool too_dear() const { return least() > bar_.most(); }
    // What every cover with the chosen options costs at least.
    std::int64_t least() const {
        const auto rounded_up = left_ >= 0 ? (left_ + costs_.scale - 1) / costs_.scale : -(-left_ / costs_.scale);
        return costs_.constant + chosen_ + rounded_up + held_ + hoped_;
    }

private:
    template <int sign>
    void change(std::int32_t option) {
        for (auto k = starts_[option]; k < starts_[option + 1]; ++k) {
            const auto c = conditions_[k];
            if constexpr (sign > 0) {
                if (within_reach_[c]++ == 0) revive(term_of_[c]);
            } else {
                if (--within_reach_[c] == 0) kill(term_of_[c]);
            }
        }
    }
    // A term loses hope when one of its conditions can no longer be met.
    void kill(std::int32_t term) {
        if (dead_[term]++ == 0 && costs_.weights[term] < 0) hoped_ -= costs_.weights[term];
    }
    void revive(std::int32_t term) {
        if (--dead_[term] == 0 && costs_.weights[term] < 0) hoped_ += costs_.weights[term];
    }

    const Costs costs_;
    const Bar& bar_;
    std::vector<std::int64_t> prices_;  // of the items, and 0 of the item that the search may add to them
    std::vector<std::int64_t> starts_;  // n_options + 1: the conditions that each option meets
    std::vector<std::int32_t> conditions_;
    std::vector<std::int32_t> term_of_;       // of each condition
    std::vector<std::int32_t> within_reach_;  // of each condition: options that are chosen or can still be
    std::vector<std::int32_t> met_;           // of each condition: chosen options
    std::vector<std::int32_t> dead_, unmet_;  // of each term: conditions that cannot be met; that are not met
    std::int64_t chosen_ = 0, left_ = 0;      // own costs of chosen options; prices of items not yet held
    std::int64_t held_ = 0;                   // of terms that hold and cost something
    std::int64_t hoped_ = 0;                  // of terms that may hold and save something
};

}  // namespace latcover
