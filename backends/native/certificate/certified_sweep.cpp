#include "certificate/certified_sweep.hpp"

#include <algorithm>

#include "cover/progress.hpp"

namespace latcover {
namespace {

constexpr std::uint64_t states_between_looks = 1 << 12;
constexpr std::uint32_t nobody = ~std::uint32_t{0};

// Different states, each with a weight of some limbs. Weights are added modulo a power of two.
template <int W>
class Layer {
public:
    explicit Layer(std::size_t limbs) : limbs_(limbs), slots_(16, nobody) {}

    std::size_t size() const { return states_.size(); }
    const CoverState<W>& state(std::size_t k) const { return states_[k]; }
    const std::uint64_t* weight(std::size_t k) const { return weights_.data() + k * limbs_; }
    std::size_t bytes() const {
        return states_.capacity() * sizeof(CoverState<W>) + weights_.capacity() * sizeof(std::uint64_t) +
               slots_.capacity() * sizeof(std::uint32_t);
    }

    void add(const CoverState<W>& state, const std::uint64_t* weight) {
        if (2 * states_.size() >= slots_.size()) grow();
        auto slot = hash(state) & (slots_.size() - 1);
        while (slots_[slot] != nobody && states_[slots_[slot]] != state) slot = (slot + 1) & (slots_.size() - 1);
        if (slots_[slot] == nobody) {
            slots_[slot] = static_cast<std::uint32_t>(states_.size());
            states_.push_back(state);
            weights_.insert(weights_.end(), weight, weight + limbs_);
            return;
        }
        auto* sum = weights_.data() + slots_[slot] * limbs_;
        std::uint64_t carry = 0;
        for (std::size_t k = 0; k < limbs_; ++k) {
            const auto partial = sum[k] + carry;
            carry = partial < carry;
            sum[k] = partial + weight[k];
            carry += sum[k] < partial;
        }
    }

    void clear() {
        states_.clear();
        weights_.clear();
        std::fill(slots_.begin(), slots_.end(), nobody);
    }

private:
    static std::size_t hash(const CoverState<W>& state) {
        std::uint64_t hash = 0x9e3779b97f4a7c15;
        for (const auto word : state) {
            hash = (hash ^ word) * 0xff51afd7ed558ccd;
            hash ^= hash >> 32;
        }
        return static_cast<std::size_t>(hash * 0xc4ceb9fe1a85ec53 >> 20);
    }

    void grow() {
        slots_.assign(2 * slots_.size(), nobody);
        for (std::size_t k = 0; k < states_.size(); ++k) {
            auto slot = hash(states_[k]) & (slots_.size() - 1);
            while (slots_[slot] != nobody) slot = (slot + 1) & (slots_.size() - 1);
            slots_[slot] = static_cast<std::uint32_t>(k);
        }
    }

    std::size_t limbs_;
    std::vector<CoverState<W>> states_;
    std::vector<std::uint64_t> weights_;
    std::vector<std::uint32_t> slots_;
};

template <int W>
class Sweep {
public:
    Sweep(const CertifiedProblem& problem, const SweepOptions& options, Sink& sink)
        : p_(problem), states_(problem), options_(options), progress_(sink) {}

    SectionCount run(std::span<const std::int32_t> order) {
        auto start = states_.empty;
        if (options_.chosen >= 0) {
            const auto at = std::lower_bound(p_.numbers.begin(), p_.numbers.end(), options_.chosen);
            start = states_.chosen(start, static_cast<std::int32_t>(at - p_.numbers.begin()));
        }
        Layer<W> now(options_.limbs), next(options_.limbs);
        std::vector<std::uint64_t> weight(options_.limbs);
        weight[0] = 1;
        now.add(start, weight.data());
        for (std::size_t k = 0; k < order.size() && result_.stop == Stop::exhausted; ++k) {
            result_.states += now.size();
            next.clear();
            step(now, next, order[k], static_cast<double>(k) / static_cast<double>(order.size()));
            std::swap(now, next);
        }
        if (result_.stop != Stop::exhausted) return std::move(result_);
        result_.limbs.assign(options_.limbs, 0);
        if (now.size()) result_.limbs.assign(now.weight(0), now.weight(0) + options_.limbs);
        for (std::size_t k = 0; k < p_.doublings; ++k) {
            std::uint64_t carry = 0;
            for (auto& limb : result_.limbs) limb = limb << 1 | std::exchange(carry, limb >> 63);
        }
        return std::move(result_);
    }

private:
    void step(const Layer<W>& now, Layer<W>& next, std::int32_t item, double share) {
        std::vector<CoverState<W>> children;
        for (std::size_t k = 0; k < now.size(); ++k) {
            if (states_.is_full(now.state(k), item)) next.add(now.state(k), now.weight(k));
            else {
                children.clear();
                states_.decide(now.state(k), item, p_.holders[item], children);
                for (const auto& child : children) next.add(child, now.weight(k));
            }
            if (k % states_between_looks == 0 && !look(now, next, share)) return;
        }
    }

    bool look(const Layer<W>& now, const Layer<W>& next, double share) {
        if (now.bytes() + next.bytes() > options_.most_bytes || next.size() >= nobody / 2)
            throw Unsupported("the layers of a certificate take more memory than they may");
        const auto at = clock_.seconds();
        Statistics so_far;
        so_far.branches = result_.states;
        if (result_.states > options_.most_states) result_.stop = Stop::branch_limit;
        else if (at >= options_.seconds) result_.stop = Stop::time_limit;
        else if (progress_.is_due(at) && !progress_.tell(at, share, so_far)) result_.stop = Stop::cancelled;
        return result_.stop == Stop::exhausted;
    }

    const CertifiedProblem& p_;
    const CertifiedStates<W> states_;
    const SweepOptions options_;
    Progress progress_;
    Clock clock_;
    SectionCount result_;
};

}  // namespace

SectionCount count_sweep(const CertifiedProblem& problem, std::span<const std::int32_t> order,
                         const SweepOptions& options, Sink& sink) {
    return with_words(problem.words,
                      [&](auto words) { return Sweep<decltype(words)::value>(problem, options, sink).run(order); });
}

}  // namespace latcover
