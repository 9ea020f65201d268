#include "certificate/certified_tree.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>
#include <unordered_map>

#include "cover/progress.hpp"

namespace latcover {
namespace {

constexpr std::size_t line_length = 4000;
constexpr std::size_t piece_length = std::size_t{1} << 20;
constexpr std::size_t rows_between_looks = std::size_t{1} << 16;
constexpr std::size_t options_worth_memory = 4;  // a state with fewer is counted again each time
constexpr std::int32_t most_subsets_of = 8;      // options, of which an item that may be held several times takes some

// Words on their way to the certificate.
class Words {
public:
    Words(std::size_t n_items, const TakeText& take) : take_(take) {
        for (std::size_t item = 0; item < n_items; ++item) names_.push_back(std::to_string(item));
    }

    void item(std::int32_t item, bool remembered) {
        begin();
        text_ += names_[item];
        if (remembered) text_ += '!';
    }
    void parts() {
        begin();
        text_ += '/';
    }
    void end() {
        if (in_line_) text_ += '\n';
        if (!text_.empty()) take_(text_);
        text_.clear();
        in_line_ = false;
    }

private:
    void begin() {
        if (in_line_ && text_.size() - line_ > line_length) {
            text_ += '\n';
            in_line_ = false;
            if (text_.size() > piece_length) {
                take_(text_);
                text_.clear();
            }
        }
        if (in_line_) text_ += ' ';
        else line_ = text_.size();
        in_line_ = true;
    }

    const TakeText& take_;
    std::vector<std::string> names_;
    std::string text_;
    std::size_t line_ = 0;  // where it begins
    bool in_line_ = false;
};

template <int W>
struct StateHash {
    std::size_t operator()(const CoverState<W>& state) const {
        std::uint64_t hash = 0x9e3779b97f4a7c15;
        for (const auto word : state) {
            hash = (hash ^ word) * 0xff51afd7ed558ccd;
            hash ^= hash >> 32;
        }
        return static_cast<std::size_t>(hash);
    }
};

template <int W>
class TreeWriter {
public:
    TreeWriter(const CertifiedProblem& problem, const TreeOptions& options, const TakeText& take, Sink& sink)
        : p_(problem), states_(problem), options_(options), words_(problem.items.size(), take), progress_(sink),
          required_{}, parent_(problem.items.size()) {
        for (const auto word : p_.guard) has_guards_ |= word != 0;
        for (std::size_t item = 0; item < p_.items.size(); ++item) {
            const auto& own = p_.items[item];
            if (own.single && own.low > 0) required_[own.word] |= own.unit;
            item_of_bit_.resize(p_.words * 64, -1);
            item_of_bit_[static_cast<std::size_t>(own.word) * 64 + std::countr_zero(own.unit)] =
                static_cast<std::int32_t>(item);
        }
        for (std::size_t k = 0; k < p_.n_options(); ++k) {
            State taken{};
            for (const auto item : p_.held[k]) {
                const auto& own = p_.items[item];
                taken[own.word] |= own.unit & required_[own.word];
            }
            tests_.push_back({states_.move(static_cast<std::int32_t>(k)).forbid, taken});
        }
    }

    SectionCount run() {
        std::vector<std::int32_t> all(p_.n_options());
        std::iota(all.begin(), all.end(), 0);
        auto start = states_.empty;
        if (options_.chosen >= 0) {
            const auto at = std::lower_bound(p_.numbers.begin(), p_.numbers.end(), options_.chosen);
            start = states_.chosen(start, static_cast<std::int32_t>(at - p_.numbers.begin()));
        }
        rows_ = all;
        Big covers = value(start, 0, rows_.size(), 0, 1);
        for (std::size_t k = 0; k < p_.doublings && !stopped_; ++k) covers += Big(covers);
        words_.end();
        if (!stopped_) result_.limbs.assign(covers.words.begin(), covers.words.end());
        return std::move(result_);
    }

private:
    using State = CoverState<W>;
    struct Test {             // what the loop over all options needs, close together
        State forbid, taken;  // taken: the required items that it holds
    };

    // The value of a state. The options that fit it are among `rows_[begin .. end - 1]`. `from` and `width` place its
    // share in the whole tree.
    Big value(const State& state, std::size_t begin, std::size_t end, double from, double width) {
        if (state == states_.done) return Big{{1}};
        if (options_.most_remembered) {
            const auto known = remembered_.find(state);
            if (known != remembered_.end()) return known->second;
        }
        if (!look(from, end - begin)) return Big{};
        ++result_.states;
        const auto top = rows_.size();
        const auto found = fewest(state, begin, end);
        const auto rows_end = rows_.size();
        Big total;
        if (top == rows_end && (found.item < 0 || found.holders > 0)) {
            words_.parts();  // nothing fits, and no single item is missing
            if (!lacks_any(state)) total = Big{{1}};
        } else if (found.item >= 0 && found.holders == 0) {
            words_.item(found.item, false);  // it cannot be covered
        } else if (options_.splits && split(state, top, rows_end)) {
            total = product(state, top, rows_end, from, width);
        } else {
            const auto item = found.item >= 0 ? found.item : other_item(state, top, rows_end);
            const bool remembers =
                remembered_.size() < options_.most_remembered && rows_end - top >= options_worth_memory;
            words_.item(item, remembers);
            total = sum(state, item, top, rows_end, from, width);
            if (remembers && !stopped_) remembered_.emplace(state, total);
        }
        rows_.resize(top);
        return total;
    }

    Big sum(const State& state, std::int32_t item, std::size_t begin, std::size_t end, double from, double width) {
        Big total;
        const auto& own = p_.items[item];
        if (own.single && own.low > 0) {
            std::size_t holders = 0;
            for (auto k = begin; k < end; ++k) holders += (tests_[rows_[k]].taken[own.word] & own.unit) != 0;
            const auto step = width / static_cast<double>(holders);
            std::size_t nth = 0;
            for (auto k = begin; k < end && !stopped_; ++k)
                if (const auto row = rows_[k]; tests_[row].taken[own.word] & own.unit)
                    total +=
                        value(states_.chosen(state, row), begin, end, from + step * static_cast<double>(nth++), step);
            return total;
        }
        std::vector<std::int32_t> holders;
        for (auto k = begin; k < end; ++k)
            if (const auto& held = p_.held[rows_[k]]; std::binary_search(held.begin(), held.end(), item))
                holders.push_back(rows_[k]);
        std::vector<State> children;
        states_.decide(state, item, holders, children);
        const auto step = width / static_cast<double>(children.size());
        for (std::size_t k = 0; k < children.size() && !stopped_; ++k)
            total += value(children[k], begin, end, from + step * static_cast<double>(k), step);
        return total;
    }

    struct Fewest {
        std::int32_t item = -1;  // open, and must be held exactly once; -1: there is none
        std::size_t holders = 0;
    };

    // Append the options that fit to `rows_`, and find the required item with the fewest of them. The options of all
    // items are counted at once, up to 7: plane k holds bit k of each number, and the last one stays once it is set.
    Fewest fewest(const State& state, std::size_t begin, std::size_t end) {
        std::array<State, planes> count{};
        const auto top = rows_.size();
        rows_.resize(top + (end - begin));
        const auto* from = rows_.data() + begin;
        auto* to = rows_.data() + top;
        for (std::size_t k = 0; k < end - begin; ++k) {
            const auto row = from[k];
            const auto& [forbid, taken] = tests_[row];
            std::uint64_t clash = 0;
            for (int w = 0; w < W; ++w) clash |= state[w] & forbid[w];
            if (clash || (has_guards_ && !states_.fits(state, row))) continue;
            *to++ = row;
            for (int w = 0; w < W; ++w) {
                auto carry = taken[w];
                for (std::size_t plane = 0; plane + 1 < planes; ++plane) {
                    const auto before = count[plane][w];
                    count[plane][w] ^= carry;
                    carry &= before;
                }
                count[planes - 1][w] |= carry;
            }
        }
        rows_.resize(static_cast<std::size_t>(to - rows_.data()));
        bool any = false;
        for (unsigned number = 0; number < 1u << (planes - 1); ++number)
            for (int w = 0; w < W; ++w) {
                const auto open = required_[w] & ~state[w];
                any |= open != 0;
                auto exactly = open & ~count[planes - 1][w];
                for (std::size_t plane = 0; plane + 1 < planes; ++plane)
                    exactly &= number >> plane & 1 ? count[plane][w] : ~count[plane][w];
                if (exactly)
                    return {item_of_bit_[static_cast<std::size_t>(w) * 64 + std::countr_zero(exactly)], number};
            }
        return any ? fewest_of_many(state, top) : Fewest{};
    }

    Fewest fewest_of_many(const State& state, std::size_t top) const {
        std::vector<std::size_t> holders(p_.items.size());
        for (auto k = top; k < rows_.size(); ++k)
            for (const auto item : p_.held[rows_[k]]) ++holders[item];
        Fewest best;
        for (std::size_t item = 0; item < holders.size(); ++item) {
            const auto& own = p_.items[item];
            if (!(required_[own.word] & ~state[own.word] & own.unit)) continue;
            if (best.item < 0 || holders[item] < best.holders) best = {static_cast<std::int32_t>(item), holders[item]};
        }
        return best;
    }

    // An item to decide where none must be covered exactly once: one that cannot be held as often as it must, if that
    // is soon shown; then the one that may be held once and has the most options; then one with colours; then the one
    // with the fewest options.
    std::int32_t other_item(const State& state, std::size_t begin, std::size_t end) const {
        std::vector<std::int32_t> holders(p_.items.size());
        for (auto k = begin; k < end; ++k)
            for (const auto item : p_.held[rows_[k]]) ++holders[item];
        std::int32_t best = -1;
        std::pair<int, std::int32_t> best_rank{};
        for (std::size_t i = 0; i < holders.size(); ++i) {
            const auto item = static_cast<std::int32_t>(i);
            const auto& own = p_.items[i];
            const bool is_short =
                holders[i] <= most_subsets_of && states_.lacks(state, item) && own.low > held(state, own) + holders[i];
            if (!is_short && holders[i] == 0) continue;
            const auto rank = is_short               ? std::pair(0, holders[i])
                              : own.single           ? std::pair(1, -holders[i])
                              : own.mask != own.full ? std::pair(2, holders[i])
                                                     : std::pair(3, holders[i]);
            if (best < 0 || rank < best_rank) {
                best = item;
                best_rank = rank;
            }
        }
        return best;
    }

    static std::int32_t held(const State& state, const CertifiedItem& own) {
        return static_cast<std::int32_t>(((state[own.word] & own.mask) - own.start) / own.unit);
    }

    bool lacks_any(const State& state) const {
        for (std::size_t item = 0; item < p_.items.size(); ++item)
            if (states_.lacks(state, static_cast<std::int32_t>(item))) return true;
        return false;
    }

    std::int32_t root(std::int32_t item) {
        while (parent_[item] != item) item = parent_[item] = parent_[parent_[item]];
        return item;
    }

    // Whether the state has several parts. Afterwards `root` tells them apart.
    bool split(const State&, std::size_t begin, std::size_t end) {
        std::iota(parent_.begin(), parent_.end(), 0);
        for (auto k = begin; k < end; ++k) {
            const auto& held = p_.held[rows_[k]];
            for (const auto item : held) {  // the root of a part is its least item
                const auto a = root(held[0]), b = root(item);
                parent_[std::max(a, b)] = std::min(a, b);
            }
        }
        const auto first = root(p_.held[rows_[begin]][0]);
        for (auto k = begin + 1; k < end; ++k)
            if (root(p_.held[rows_[k]][0]) != first) return true;
        return false;
    }

    Big product(const State& state, std::size_t begin, std::size_t end, double from, double width) {
        words_.parts();
        std::vector<std::pair<std::int32_t, std::int32_t>> part_of;  // and the option
        for (auto k = begin; k < end; ++k) part_of.emplace_back(root(p_.held[rows_[k]][0]), rows_[k]);
        std::sort(part_of.begin(), part_of.end());
        std::vector<std::int32_t> own_part(p_.items.size(), -1);
        for (const auto& [part, row] : part_of)
            for (const auto item : p_.held[row]) own_part[item] = part;
        for (std::size_t item = 0; item < own_part.size(); ++item)
            if (own_part[item] < 0 && states_.lacks(state, static_cast<std::int32_t>(item))) return Big{};
        const auto step = width * static_cast<double>(1) / static_cast<double>(part_of.size());
        Big product{{1}};
        for (std::size_t k = 0, next; k < part_of.size() && !product.is_zero() && !stopped_; k = next) {
            const auto top = rows_.size();
            for (next = k; next < part_of.size() && part_of[next].first == part_of[k].first; ++next)
                rows_.push_back(part_of[next].second);
            auto alone = state;
            for (std::size_t item = 0; item < own_part.size(); ++item)
                if (own_part[item] != part_of[k].first) states_.close(alone, static_cast<std::int32_t>(item));
            product *= value(alone, top, rows_.size(), from + step * static_cast<double>(k),
                             step * static_cast<double>(next - k));
            rows_.resize(top);
        }
        return product;
    }

    bool look(double share, std::size_t rows) {
        if (stopped_) return false;
        if (result_.states >= options_.most_states) stop(Stop::branch_limit);
        seen_ += rows + 1;
        if (seen_ < rows_between_looks) return !stopped_;
        seen_ = 0;
        const auto now = clock_.seconds();
        Statistics so_far;
        so_far.branches = result_.states;
        if (now >= options_.seconds) stop(Stop::time_limit);
        else if (progress_.is_due(now) && !progress_.tell(now, share, so_far)) stop(Stop::cancelled);
        return !stopped_;
    }

    void stop(Stop why) {
        stopped_ = true;
        result_.stop = why;
    }

    static constexpr std::size_t planes = 4;

    const CertifiedProblem& p_;
    const CertifiedStates<W> states_;
    const TreeOptions options_;
    Words words_;
    Progress progress_;
    Clock clock_;
    State required_;           // the bits of items that must be held exactly once
    std::vector<Test> tests_;  // of each option
    bool has_guards_ = false;
    std::vector<std::int32_t> item_of_bit_;  // of the first bit of each item
    std::vector<std::int32_t> rows_;         // a stack: the options that fit the states on the way
    std::vector<std::int32_t> parent_;
    std::unordered_map<State, Big, StateHash<W>> remembered_;
    SectionCount result_;
    bool stopped_ = false;
    std::size_t seen_ = rows_between_looks;
};

}  // namespace

SectionCount write_tree(const CertifiedProblem& problem, const TreeOptions& options, const TakeText& take, Sink& sink) {
    try {
        return with_words(problem.words, [&](auto words) {
            return TreeWriter<decltype(words)::value>(problem, options, take, sink).run();
        });
    } catch (const std::overflow_error& fault) { throw Unsupported(fault.what()); }
}

}  // namespace latcover
