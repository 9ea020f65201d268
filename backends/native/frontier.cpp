#include "frontier.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "progress.hpp"

namespace latcover {
namespace {

constexpr std::int32_t none = -1;
constexpr std::size_t merges_between_looks = 1 << 14;

// The place of each item in the order, and its bit in a state. An item is *open* from the first option that may cover it early
// up to its own turn; only open items need a bit.
struct Plan {
    std::vector<std::int32_t> position;            // of each item in the order
    std::vector<std::vector<std::int32_t>> begun;  // of each position: the options whose first item has it
    std::vector<std::int32_t> slot;                // of each item: its bit; none if it is never open before its turn
    std::int32_t width = 0;
    std::int32_t empty_options = 0;  // options without items: each of them may be in a cover or not
};

Plan make_plan(const Problem& p, std::span<const std::int32_t> order) {
    const auto n_items = p.n_items();
    Plan plan;
    plan.position.assign(n_items, 0);
    for (std::int32_t k = 0; k < n_items; ++k) plan.position[order[k]] = k;
    plan.begun.resize(n_items);
    plan.slot.assign(n_items, none);
    std::vector<std::int32_t> opens(n_items, n_items);  // the position from which an item is open
    for (std::int32_t o = 0; o < p.n_options(); ++o) {
        const auto items = p.option_items.subspan(p.option_starts[o], p.option_starts[o + 1] - p.option_starts[o]);
        if (items.empty()) ++plan.empty_options;
        if (items.empty() || std::any_of(items.begin(), items.end(), [&](auto i) { return p.high[i] == 0; })) continue;
        std::int32_t first = n_items;
        for (const auto item : items) first = std::min(first, plan.position[item]);
        plan.begun[first].push_back(o);
        for (const auto item : items)
            if (plan.position[item] != first) opens[item] = std::min(opens[item], first);
    }
    std::vector<std::vector<std::int32_t>> opened(n_items);
    for (std::int32_t item = 0; item < n_items; ++item)
        if (opens[item] < n_items) opened[opens[item]].push_back(item);
    std::vector<std::int32_t> free;
    for (std::int32_t k = 0; k < n_items; ++k) {
        for (const auto item : opened[k]) {
            if (free.empty()) free.push_back(plan.width++);
            plan.slot[item] = free.back();
            free.pop_back();
        }
        if (plan.slot[order[k]] != none) free.push_back(plan.slot[order[k]]);  // free again after its turn
    }
    return plan;
}

template <int W>
using Key = std::array<std::uint64_t, W>;

// to += more, where `more` has at most as many limbs.
void add_up(std::uint64_t* to, std::size_t limbs, const std::uint64_t* more, std::size_t more_limbs) {
    std::uint64_t carry = 0;
    for (std::size_t k = 0; k < limbs; ++k) {
        const auto term = k < more_limbs ? more[k] : 0;
        const auto sum = to[k] + term;
        to[k] = sum + carry;
        carry = (sum < term) | (to[k] < carry);
    }
}

// States in ascending order, and how many ways lead to each.
template <int W>
class States {
public:
    std::size_t size() const { return keys_.size(); }
    std::size_t limbs() const { return limbs_; }
    const Key<W>& key(std::size_t k) const { return keys_[k]; }
    const std::uint64_t* count(std::size_t k) const { return counts_.data() + k * limbs_; }
    std::size_t bytes() const { return keys_.capacity() * sizeof(Key<W>) + counts_.capacity() * 8; }

    // require: no greater key was added before.
    void add(const Key<W>& key, const std::uint64_t* more, std::size_t more_limbs) {
        if (keys_.empty() || keys_.back() != key) {
            keys_.push_back(key);
            counts_.resize(counts_.size() + limbs_, 0);
        }
        add_up(counts_.data() + counts_.size() - limbs_, limbs_, more, more_limbs);
    }

    void clear(std::size_t limbs) {
        limbs_ = limbs;
        keys_.clear();
        counts_.clear();
    }

    // The sum of all counts, with one more limb than a count.
    std::vector<std::uint64_t> total() const {
        std::vector<std::uint64_t> sum(limbs_ + 1, 0);
        for (std::size_t k = 0; k < size(); ++k) add_up(sum.data(), sum.size(), count(k), limbs_);
        return sum;
    }

private:
    std::size_t limbs_ = 1;
    std::vector<Key<W>> keys_;
    std::vector<std::uint64_t> counts_;
};

// One way to cover an item or to leave it. A way suits some states, and changes the same bits in all of them. So the changed
// states ascend as the states do, and all ways of an item are merged as sorted streams.
template <int W>
struct Way {
    Key<W> must, must_not;  // bits that a state must have, and must not have
    Key<W> clear, set;      // bits to change
    std::size_t at = 0;     // the state to change next
    Key<W> head{};          // that state, changed

    // Go to the next state that the way suits, from `at` on. Returns false when there is none.
    bool advance(const States<W>& states) {
        for (; at < states.size(); ++at) {
            const auto& key = states.key(at);
            std::uint64_t unsuited = 0;
            for (int w = 0; w < W; ++w) unsuited |= (must[w] & ~key[w]) | (must_not[w] & key[w]);
            if (unsuited) continue;
            for (int w = 0; w < W; ++w) head[w] = (key[w] & ~clear[w]) | set[w];
            return true;
        }
        return false;
    }
};

// How many bits a number has.
std::size_t bits(const std::vector<std::uint64_t>& number) {
    for (std::size_t k = number.size(); k-- > 0;)
        if (number[k]) return 64 * k + std::bit_width(number[k]);
    return 0;
}

template <int W>
class Count {
public:
    Count(const Problem& problem, std::span<const std::int32_t> order, const Plan& plan, std::size_t most_bytes,
          double seconds, Sink& sink)
        : p_(problem), order_(order), plan_(plan), most_bytes_(most_bytes), seconds_(seconds), progress_(sink) {}

    FrontierCount run() {
        States<W> now, next;
        const std::uint64_t one = 1;
        now.add(Key<W>{}, &one, 1);
        for (std::int32_t k = 0; k < p_.n_items(); ++k) {
            auto limbs = now.limbs();
            while (bits(now.total()) + std::bit_width(plan_.begun[k].size() + 1) > 64 * limbs) ++limbs;
            next.clear(limbs);
            if (!step(k, now, next)) return finished();
            std::swap(now, next);
            result_.states = std::max(result_.states, static_cast<std::uint64_t>(now.size()));
        }
        result_.limbs = now.total();  // at most one state is left: no item is open at the end
        return finished();
    }

private:
    FrontierCount finished() {
        result_.seconds = clock_.seconds();
        result_.width = plan_.width;
        return std::move(result_);
    }

    void set(Key<W>& key, std::int32_t item) const {
        const auto slot = plan_.slot[item];
        if (slot != none) key[slot >> 6] |= std::uint64_t{1} << (slot & 63);
    }

    // The ways to cover or leave the k-th item of the order.
    std::vector<Way<W>> ways_on(std::int32_t k) const {
        const auto item = order_[k];
        Way<W> covered{}, stays{};
        set(covered.must, item);
        covered.clear = stays.must_not = covered.must;
        std::vector<Way<W>> ways;
        if (plan_.slot[item] != none) ways.push_back(covered);
        if (p_.low[item] == 0) ways.push_back(stays);
        for (const auto option : plan_.begun[k]) {
            Way<W> way{};
            for (auto q = p_.option_starts[option]; q < p_.option_starts[option + 1]; ++q) {
                set(way.must_not, p_.option_items[q]);
                if (p_.option_items[q] != item) set(way.set, p_.option_items[q]);
            }
            ways.push_back(way);
        }
        return ways;
    }

    // Take the k-th item of the order, in all states. Returns false when the count is to stop.
    bool step(std::int32_t k, const States<W>& now, States<W>& next) {
        auto ways = ways_on(k);
        std::erase_if(ways, [&](auto& way) { return !way.advance(now); });
        for (std::size_t looked = 0; !ways.empty(); ++looked) {
            if (looked % merges_between_looks == 0 && !look(k, now, next)) return false;
            std::size_t least = 0;
            for (std::size_t j = 1; j < ways.size(); ++j)
                if (ways[j].head < ways[least].head) least = j;
            auto& way = ways[least];
            next.add(way.head, now.count(way.at++), now.limbs());
            if (!way.advance(now)) ways.erase(ways.begin() + static_cast<std::ptrdiff_t>(least));
        }
        return look(k, now, next);
    }

    bool look(std::int32_t k, const States<W>& now, const States<W>& next) {
        const auto bytes = now.bytes() + next.bytes();
        result_.bytes = std::max(result_.bytes, bytes);
        if (bytes > most_bytes_) throw Unsupported("the frontier takes more memory than it may");
        const auto seconds = clock_.seconds();
        if (seconds >= seconds_) {
            result_.stop = Stop::time_limit;
            return false;
        }
        if (!progress_.is_due(seconds)) return true;
        if (progress_.tell(seconds, static_cast<double>(k) / p_.n_items(), Statistics())) return true;
        result_.stop = Stop::cancelled;
        return false;
    }

    const Problem& p_;
    std::span<const std::int32_t> order_;
    const Plan& plan_;
    std::size_t most_bytes_;
    double seconds_;
    Progress progress_;
    Clock clock_;
    FrontierCount result_;
};

// Multiply a number by two to the power of `times`.
void shift(std::vector<std::uint64_t>& number, std::int32_t times) {
    number.insert(number.begin(), static_cast<std::size_t>(times) / 64, 0);
    for (std::int32_t k = 0; k < times % 64; ++k) {
        if (number.back() >> 63) number.push_back(0);
        for (std::size_t j = number.size(); j-- > 0;) number[j] = number[j] << 1 | (j ? number[j - 1] >> 63 : 0);
    }
}

}  // namespace

std::int32_t frontier_width(const Problem& problem, std::span<const std::int32_t> order) {
    return make_plan(problem, order).width;
}

FrontierCount frontier_count(const Problem& problem, std::span<const std::int32_t> order, std::size_t most_bytes,
                             double seconds, Sink& sink) {
    for (const auto high : problem.high)
        if (high > 1) throw Unsupported("the frontier counts problems whose items are held at most once");
    const auto plan = make_plan(problem, order);
    if (plan.width > 256) throw Unsupported("the frontier is wider than 256 items");
    auto count = plan.width <= 64    ? Count<1>(problem, order, plan, most_bytes, seconds, sink).run()
                 : plan.width <= 128 ? Count<2>(problem, order, plan, most_bytes, seconds, sink).run()
                                     : Count<4>(problem, order, plan, most_bytes, seconds, sink).run();
    if (count.stop == Stop::exhausted) shift(count.limbs, plan.empty_options);
    return count;
}

}  // namespace latcover
