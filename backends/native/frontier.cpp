#include "frontier.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <utility>

#include "frontier_plan.hpp"
#include "progress.hpp"

namespace latcover {
namespace {

constexpr std::size_t merges_between_looks = 1 << 14, steps_between_gifts = 1 << 12;
// A state takes as long to add up, and to test for an item, as so many ways to compare.
constexpr std::size_t ways_for_a_state = 16, ways_for_a_test = 4;
constexpr std::size_t states_worth_tests = 1000;
constexpr std::size_t tests_to_judge = 1 << 10,
                      rarest_death = 64;  // tests of states go on while one in so many is dead

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

// States in ascending order, and how many ways lead to each. They lie in blocks, so that what was read can be given
// back while more is written.
template <int W>
class States {
public:
    std::size_t size() const { return size_; }
    std::size_t limbs() const { return limbs_; }
    const Key<W>& key(std::size_t k) const { return blocks_[k >> block_bits]->keys[k & in_block]; }
    const std::uint64_t* count(std::size_t k) const {
        return blocks_[k >> block_bits]->counts.data() + (k & in_block) * limbs_;
    }
    std::size_t bytes() const { return n_blocks_ * (sizeof(Key<W>) + 8 * limbs_) << block_bits; }

    // require: no greater key was added before.
    bool ends_with(const Key<W>& key) const { return size_ > 0 && last_ == key; }
    void add_state(const Key<W>& key) {
        if ((size_ & in_block) == 0) {
            blocks_.push_back(std::make_unique<Block>(limbs_));
            ++n_blocks_;
        }
        blocks_.back()->keys[size_++ & in_block] = last_ = key;
    }
    void add_ways(const std::uint64_t* more, std::size_t more_limbs) {
        add_up(blocks_.back()->counts.data() + ((size_ - 1) & in_block) * limbs_, limbs_, more, more_limbs);
    }

    void clear(std::size_t limbs) {
        limbs_ = limbs;
        size_ = n_blocks_ = given_back_ = 0;
        blocks_.clear();
    }

    // Give back the memory of all states before the k-th. They must not be read any more.
    void give_back(std::size_t k) {
        for (; given_back_ < k >> block_bits; ++given_back_, --n_blocks_) blocks_[given_back_].reset();
    }

    // The sum of all counts, with one more limb than a count.
    std::vector<std::uint64_t> total() const {
        std::vector<std::uint64_t> sum(limbs_ + 1, 0);
        for (std::size_t k = 0; k < size(); ++k) add_up(sum.data(), sum.size(), count(k), limbs_);
        return sum;
    }

private:
    static constexpr std::size_t block_bits = 10, in_block = (std::size_t{1} << block_bits) - 1;
    struct Block {
        explicit Block(std::size_t limbs) : keys(std::size_t{1} << block_bits), counts(limbs << block_bits) {}
        std::vector<Key<W>> keys;
        std::vector<std::uint64_t> counts;
    };

    std::size_t limbs_ = 1, size_ = 0, n_blocks_ = 0, given_back_ = 0;
    Key<W> last_{};
    std::vector<std::unique_ptr<Block>> blocks_;
};

// The states that a way leads to, in ascending order: a way changes the same bits in all states that it suits, so the
// changed states ascend as the states do. All ways of an item are merged as sorted streams.
template <int W>
struct Stream {
    Way<W> way;
    std::size_t at = 0;  // the state to change next
    Key<W> head{};       // that state, changed

    // Go to the next state that the way suits, from `at` on. Returns false when there is none.
    bool advance(const States<W>& states) {
        for (; at < states.size(); ++at) {
            const auto& key = states.key(at);
            if (!way.suits(key)) continue;
            head = way.changed(key);
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
    Count(const Plan& plan, std::size_t most_bytes, double seconds, std::uint64_t report_after, Sink& sink)
        : plan_(plan), most_bytes_(most_bytes), seconds_(seconds), progress_(sink), dead_ends_(plan),
          report_at_(report_after) {}

    FrontierCount run() {
        States<W> now, next;
        const std::uint64_t one = 1;
        now.clear(1);
        now.add_state(Key<W>{});
        now.add_ways(&one, 1);
        for (std::int32_t k = 0; k < plan_.n_steps(); ++k) {
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

    // Take the k-th item of the order, in all states. Returns false when the count is to stop.
    bool step(std::int32_t k, States<W>& now, States<W>& next) {
        std::vector<Stream<W>> ways;
        for (const auto& way : ways_of_step<W>(plan_, k)) ways.push_back({way});
        work_ += ways.size() * now.size();  // every way looks at every state once
        std::erase_if(ways, [&](auto& way) { return !way.advance(now); });
        const auto endangered = now.size() < states_worth_tests ? std::vector<Endangered<W>>{} : dead_ends_.after(k);
        bool testing = !endangered.empty();
        std::size_t tested = 0, dead = 0;
        Key<W> last_dead{};
        for (std::size_t looked = 0; !ways.empty(); ++looked) {
            if (looked % merges_between_looks == 0 && !look(k, now, next)) return false;
            if (looked % steps_between_gifts == 0) {
                auto read = now.size();
                for (const auto& way : ways) read = std::min(read, way.at);
                now.give_back(read);
            }
            work_ += ways.size() + ways_for_a_state;
            std::size_t least = 0;
            for (std::size_t j = 1; j < ways.size(); ++j)
                if (ways[j].head < ways[least].head) least = j;
            auto& way = ways[least];
            if (!next.ends_with(way.head) && !(dead > 0 && way.head == last_dead)) {
                if (testing) {
                    work_ += ways_for_a_test * endangered.size();
                    testing = ++tested % tests_to_judge || dead * rarest_death >= tested;
                    if (DeadEnds<W>::is_dead(way.head, endangered)) {
                        ++dead;
                        last_dead = way.head;
                    }
                }
                if (dead == 0 || way.head != last_dead) next.add_state(way.head);
            }
            if (dead == 0 || way.head != last_dead) next.add_ways(now.count(way.at), now.limbs());
            ++way.at;
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
        if (work_ >= report_at_) report_at_ = 2 * work_;
        else if (!progress_.is_due(seconds)) return true;
        Statistics so_far;
        so_far.branches = work_;
        if (progress_.tell(seconds, static_cast<double>(k) / plan_.n_steps(), so_far)) return true;
        result_.stop = Stop::cancelled;
        return false;
    }

    const Plan& plan_;
    std::size_t most_bytes_;
    double seconds_;
    Progress progress_;
    Clock clock_;
    FrontierCount result_;
    DeadEnds<W> dead_ends_;
    std::uint64_t work_ = 0;   // ways compared with states, and states added up
    std::uint64_t report_at_;  // so much work
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
                             double seconds, std::uint64_t report_after, Sink& sink) {
    for (const auto high : problem.high)
        if (high > 1) throw Unsupported("the frontier counts problems whose items are held at most once");
    const auto plan = make_plan(problem, order);
    if (plan.width > widest_frontier) throw Unsupported("the frontier is wider than 256 items");
    auto count = plan.width <= 64    ? Count<1>(plan, most_bytes, seconds, report_after, sink).run()
                 : plan.width <= 128 ? Count<2>(plan, most_bytes, seconds, report_after, sink).run()
                                     : Count<4>(plan, most_bytes, seconds, report_after, sink).run();
    if (count.stop == Stop::exhausted) shift(count.limbs, plan.empty_options);
    return count;
}

}  // namespace latcover
