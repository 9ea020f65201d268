#include "cover/pricing.hpp"

#include <numeric>

namespace latcover {

Pricing::Pricing(const Costs& costs, const Bar& bar)
    : costs_(costs), bar_(bar), prices_(costs.prices.begin(), costs.prices.end()), starts_(costs.own.size() + 1, 0) {
    prices_.push_back(0);
    const auto n_terms = costs.weights.size();
    const auto n_conditions = costs.condition_starts.size() - 1;
    term_of_.resize(n_conditions);
    for (std::size_t t = 0; t < n_terms; ++t)
        for (auto c = costs.term_starts[t]; c < costs.term_starts[t + 1]; ++c)
            term_of_[c] = static_cast<std::int32_t>(t);

    for (const auto option : costs.condition_options) ++starts_[option + 1];
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    conditions_.resize(costs.condition_options.size());
    auto next = starts_;
    for (std::size_t c = 0; c < n_conditions; ++c)
        for (auto k = costs.condition_starts[c]; k < costs.condition_starts[c + 1]; ++k)
            conditions_[next[costs.condition_options[k]]++] = static_cast<std::int32_t>(c);

    within_reach_.assign(n_conditions, 0);
    met_.assign(n_conditions, 0);
    for (std::size_t t = 0; t < n_terms; ++t) {
        const auto many = static_cast<std::int32_t>(costs.term_starts[t + 1] - costs.term_starts[t]);
        unmet_.push_back(many);
        dead_.push_back(many);  // until options are linked
    }
    left_ = std::accumulate(costs.prices.begin(), costs.prices.end(), std::int64_t{0});
}

void Pricing::choose(std::int32_t option) {
    chosen_ += costs_.own[option];
    for (auto k = starts_[option]; k < starts_[option + 1]; ++k) {
        const auto c = conditions_[k];
        if (within_reach_[c]++ == 0) revive(term_of_[c]);
        if (met_[c]++ == 0 && --unmet_[term_of_[c]] == 0) {
            const auto weight = costs_.weights[term_of_[c]];
            if (weight > 0) held_ += weight;
        }
    }
}

void Pricing::unchoose(std::int32_t option) {
    chosen_ -= costs_.own[option];
    for (auto k = starts_[option]; k < starts_[option + 1]; ++k) {
        const auto c = conditions_[k];
        if (--met_[c] == 0 && unmet_[term_of_[c]]++ == 0) {
            const auto weight = costs_.weights[term_of_[c]];
            if (weight > 0) held_ -= weight;
        }
        if (--within_reach_[c] == 0) kill(term_of_[c]);
    }
}

}  // namespace latcover
