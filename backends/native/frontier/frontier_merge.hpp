// A range of a frontier's next layer, merged from the states that the ways lead to.
//
// A way changes the same bits in all states that it suits, so the changed states ascend as the states do. All ways of an
// item are merged as sorted streams. A range of the next layer needs nothing of the others, so ranges are merged at the
// same time, and each to its end before anybody looks at clocks and budgets.

#pragma once

#include <algorithm>
#include <bit>
#include <optional>

#include "frontier/frontier_dead_ends.hpp"
#include "frontier/frontier_states.hpp"
#include "ground/bit_transpose.hpp"

namespace latcover {

// A state takes as long to add up, and to test for an item, as so many ways to compare.
inline constexpr std::size_t ways_for_a_state = 16, ways_for_a_test = 1;
inline constexpr std::size_t rarest_death = 64;  // tests of states go on while one in so many is dead

// to += more, where `more` has at most as many limbs.
inline void add_up(std::uint64_t* to, std::size_t limbs, const std::uint64_t* more, std::size_t more_limbs) {
    std::uint64_t carry = 0;
    for (std::size_t k = 0; k < limbs; ++k) {
        const auto term = k < more_limbs ? more[k] : 0;
        const auto sum = to[k] + term;
        to[k] = sum + carry;
        carry = (sum < term) | (to[k] < carry);
    }
}

// Which of 64 states are dead, for all of them at once: each bit of the states becomes a word.
template <int W>
class DeadTest {
public:
    DeadTest() = default;
    explicit DeadTest(const std::vector<Endangered<W>>& endangered) : n_items_(endangered.size()) {
        const auto list = [this](const Key<W>& key) {
            for (int w = 0; w < W; ++w)
                for (auto bits = key[w]; bits; bits &= bits - 1)
                    program_.push_back(static_cast<std::uint16_t>(64 * w + std::countr_zero(bits)));
        };
        for (const auto& item : endangered) {
            if (item.itself == Key<W>{}) program_.push_back(no_bit);
            list(item.itself);
            program_.push_back(static_cast<std::uint16_t>(item.needs.size()));
            for (const auto& need : item.needs) {
                const auto n_bits = program_.size();
                program_.push_back(0);
                list(need);
                program_[n_bits] = static_cast<std::uint16_t>(program_.size() - n_bits - 1);
            }
        }
    }

    std::size_t n_items() const { return n_items_; }

    // Bit k tells of the k-th of `n` states; n <= 64.
    std::uint64_t dead(const Key<W>* keys, std::size_t n) const {
        std::uint64_t columns[64 * W + 1];  // column k holds bit k of all states
        columns[no_bit] = 0;
        for (int w = 0; w < W; ++w) {
            for (std::size_t k = 0; k < 64; ++k) columns[64 * w + k] = k < n ? keys[k][w] : 0;
            transpose_bits(columns + 64 * w);
        }
        std::uint64_t dead = 0;
        for (const auto* at = program_.data(); at != program_.data() + program_.size();) {
            auto hindered = ~columns[*at++];
            for (auto needs = *at++; needs > 0; --needs) {
                std::uint64_t held = 0;
                for (auto bits = *at++; bits > 0; --bits) held |= columns[*at++];
                hindered &= held;
            }
            dead |= hindered;
        }
        return n == 64 ? dead : dead & ((std::uint64_t{1} << n) - 1);
    }

private:
    static constexpr std::uint16_t no_bit = 64 * W;  // of an item that is not open

    std::size_t n_items_ = 0;
    std::vector<std::uint16_t> program_;  // for each item: its bit, its needs; for each need: how many bits, these bits
};

// The least state not below `bound` that a way leads to; nothing if all are below.
template <int W>
std::optional<Key<W>> least_led_to(const Way<W>& way, const Key<W>& bound) {
    const auto bit = [](const Key<W>& key, int k) {
        return key[W - 1 - k / 64] >> k % 64 & 1;
    };  // the 0-th is the lowest
    Key<W> fixed, found;
    for (int w = 0; w < W; ++w) {
        fixed[w] = way.must[w] | way.must_not[w];
        found[w] = (way.must[w] & ~way.clear[w]) | way.set[w];
    }
    int k = 64 * W - 1;  // the highest fixed bit in which `bound` differs
    while (k >= 0 && !(bit(fixed, k) && bit(found, k) != bit(bound, k))) --k;
    if (k < 0) {
        for (int w = 0; w < W; ++w) found[w] |= bound[w] & ~fixed[w];
        return found;
    }
    if (bit(bound, k)) {  // so a free bit above it must be higher than in `bound`
        for (++k; k < 64 * W && (bit(fixed, k) || bit(bound, k)); ++k) continue;
        if (k == 64 * W) return {};
    }
    for (int w = 0; w < W; ++w) {
        const int above = 64 * (W - 1 - w);  // the lowest bit of this word
        auto higher = k < above ? ~std::uint64_t{0} : k - above >= 63 ? 0 : ~std::uint64_t{0} << (k - above + 1);
        found[w] |= bound[w] & ~fixed[w] & higher;
    }
    found[W - 1 - k / 64] |= std::uint64_t{1} << k % 64;
    return found;
}

// The first state from `from` on that a way may change into a state not below `bound`.
template <int W>
Place source_of(const Layer<W>& layer, const Way<W>& way, const Key<W>& bound, Place from) {
    auto led_to = least_led_to<W>(way, bound);
    if (!led_to) return {layer.blocks.size(), 0};
    for (int w = 0; w < W; ++w) (*led_to)[w] = ((*led_to)[w] & ~(way.must_not[w] | way.set[w])) | way.must[w];
    return layer.not_less(*led_to, from);
}

// The states that a way leads to, in ascending order, less those from `end` on.
template <int W>
class Stream {
public:
    Stream(const Way<W>& way, const Layer<W>& from, Place start, const Key<W>* end)
        : way_(&way), from_(&from), end_(end), next_(start), heads_(new Key<W>[states_in_a_block]),
          places_(new std::uint16_t[states_in_a_block]) {}

    // Go to the next state. Returns false when there is none.
    bool advance() { return ++at_ < n_ || refill(); }
    bool refill() {
        for (at_ = n_ = 0; n_ == 0; next_ = {next_.block + 1, 0}) {
            if (next_.block >= from_->blocks.size() || ended_) return false;
            const auto& block = *from_->blocks[next_.block];
            reader_.open(block, from_->limbs);
            looked_at += block.size - next_.at;
            std::size_t n = 0;
            for (auto k = next_.at; k < block.size; ++k) {  // without branches
                heads_[n] = way_->changed(reader_.keys[k]);
                places_[n] = static_cast<std::uint16_t>(k);
                n += way_->suits(reader_.keys[k]);
            }
            if (end_ != nullptr && n > 0 && !less<W>(heads_[n - 1], *end_)) {
                ended_ = true;
                n = static_cast<std::size_t>(std::lower_bound(heads_.get(), heads_.get() + n, *end_, less<W>) -
                                             heads_.get());
            }
            n_ = n;
        }
        return true;
    }

    const Key<W>& head() const { return heads_[at_]; }
    const std::uint64_t* count() const { return reader_.counts + places_[at_] * from_->limbs; }

    std::size_t looked_at = 0;

private:
    const Way<W>* way_;
    const Layer<W>* from_;
    const Key<W>* end_;
    Place next_;  // what is not yet read
    Reader<W> reader_;
    std::unique_ptr<Key<W>[]> heads_;  // the states of a block that the way suits, changed
    std::unique_ptr<std::uint16_t[]> places_;
    std::size_t at_ = 0, n_ = 0;
    bool ended_ = false;
};

template <int W>
struct Merged {
    Blocks<W> blocks;
    std::vector<std::uint64_t> total;
    std::uint64_t work = 0;
};

// Merges a range of a layer.
template <int W>
class Merge {
public:
    Merge(Layer<W>& to, const DeadTest<W>& test, Room& room, std::size_t expected)
        : to_(to), test_(test), room_(room), testing_(test.n_items() > 0),
          capacity_(std::min(states_in_a_block, expected)) {
        merged_.total.assign(to.limbs + 1, 0);
    }

    Merged<W> run(const Layer<W>& from, const std::vector<Way<W>>& ways, const std::vector<Place>& starts,
                  const Key<W>* end) {
        std::vector<Stream<W>> streams;
        streams.reserve(ways.size());
        for (std::size_t k = 0; k < ways.size(); ++k) {
            streams.emplace_back(ways[k], from, starts[k], end);
            if (!streams.back().refill()) close(streams, streams.size() - 1);
        }
        std::vector<Key<W>> heads;
        for (const auto& stream : streams) heads.push_back(stream.head());
        const auto from_limbs = from.limbs, limbs = to_.limbs;
        begin();
        while (!streams.empty()) {
            const auto n = heads.size();
            std::size_t least = 0;
            auto head = heads[0];
            for (std::size_t j = 1; j < n; ++j) {
                const bool better = less<W>(heads[j], head);
                least = better ? j : least;
                head = better ? heads[j] : head;
            }
            merged_.work += n + ways_for_a_state;
            auto& stream = streams[least];
            const auto* more = stream.count();
            if (n_ > 0 && equal<W>(block_->keys[n_ - 1], head)) {
                add_up(block_->counts.get() + (n_ - 1) * limbs, limbs, more, from_limbs);
            } else {
                if (n_ == capacity_) {
                    finish();
                    begin();
                }
                block_->keys[n_] = head;
                auto* count = block_->counts.get() + n_++ * limbs;
                for (std::size_t k = 0; k < limbs; ++k) count[k] = k < from_limbs ? more[k] : 0;
            }
            if (stream.advance()) heads[least] = stream.head();
            else {
                close(streams, least);
                heads.erase(heads.begin() + static_cast<std::ptrdiff_t>(least));
            }
        }
        finish();
        return std::move(merged_);
    }

private:
    void close(std::vector<Stream<W>>& streams, std::size_t k) {
        merged_.work += streams[k].looked_at;
        streams.erase(streams.begin() + static_cast<std::ptrdiff_t>(k));
    }

    void begin() {
        n_ = 0;
        block_ = std::make_unique<Block<W>>(room_, to_.limbs, capacity_);
    }

    void finish() {
        if (testing_) drop_dead();
        if (n_ == 0) return;
        for (std::size_t k = 0; k < n_; ++k)
            add_up(merged_.total.data(), to_.limbs + 1, block_->counts.get() + k * to_.limbs, to_.limbs);
        block_->size = n_;
        block_->first = block_->keys[0];
        to_.settle(*block_, room_);
        merged_.blocks.push_back(std::move(block_));
    }

    void drop_dead() {
        merged_.work += ways_for_a_test * test_.n_items() * n_;
        const auto limbs = to_.limbs;
        std::size_t alive = 0;
        for (std::size_t from = 0; from < n_; from += 64) {
            const auto n = std::min<std::size_t>(64, n_ - from);
            const auto dead = test_.dead(block_->keys.get() + from, n);
            if (dead == 0 && alive == from) {
                alive += n;
                continue;
            }
            for (std::size_t k = 0; k < n; ++k) {
                block_->keys[alive] = block_->keys[from + k];
                for (std::size_t w = 0; w < limbs; ++w)
                    block_->counts[alive * limbs + w] = block_->counts[(from + k) * limbs + w];
                alive += ~dead >> k & 1;
            }
        }
        tested_ += n_;
        dead_ += n_ - alive;
        testing_ = dead_ * rarest_death >= tested_;
        n_ = alive;
    }

    Layer<W>& to_;
    const DeadTest<W>& test_;
    Room& room_;
    bool testing_;
    std::size_t capacity_, tested_ = 0, dead_ = 0, n_ = 0;
    std::unique_ptr<Block<W>> block_;
    Merged<W> merged_;
};

}  // namespace latcover
