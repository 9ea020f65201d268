// The direct method of Barequet and Tal (2010), section 3, on bit masks: it takes the first empty cell in anchor order,
// and tries every option that fits there.
//
// Differences from the paper:
// - This search takes any cover problem. It branches on the first pending item, and keeps bounds as dlx.cpp does. So
//   its tree is that of dancing links without `size`.
// - It has `size`, which the paper left as future work: it takes the pending cell with the fewest options that fit, and
//   the first of several. Items that are no cells (parts) are considered only when no cell is pending.
//
// Each item has one bit, which says that it is full. An option fits if none of its items is full. So a problem of few
// items is searched by masks. The masks of the options in the list of an item stand word by word, eight beside each
// other, and are compared at once. The list of an item leaves out the options that hold an earlier item which must be
// covered exactly once. That earlier item is already full.

#include "cover/backtrack.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "cover/fitting.hpp"
#include "cover/walk_tree.hpp"

namespace latcover {
namespace {

using Word = std::uint64_t;
constexpr std::int32_t none = -1;
constexpr int most_words = 8;  // of items; with more words no masks are used
constexpr std::size_t most_mask_words = std::size_t{1} << 27;

struct Level {
    std::int32_t item;       // to branch on; none for options that extend a finished cover
    std::int32_t option;     // now chosen, or none
    std::size_t candidates;  // where the candidates of the level begin in their stack
    std::size_t next;        // the candidate to try next
    std::size_t banned;      // height of the stack of bans before the level
    std::size_t live;        // n_live_ before the level
};

class Backtrack {
public:
    Backtrack(const Problem& problem, const BacktrackOptions& options, const Limits& limits, Sink& sink)
        : run_(limits, sink, problem.n_options()), p_(problem), size_(options.size),
          islands_(problem, options.stranding), fitting_(fitting_of(options.kernel)) {
        if (problem.has_colours()) throw Unsupported("the direct method knows no colours of items");
        set_up();
    }

    Outcome run() { return walk_tree(run_, *this); }

    bool open();
    bool next_option();
    bool skip_option();
    bool strands() { return islands_.watching() && islands_.strands(); }
    void close();
    std::size_t depth() const { return levels_.size(); }
    double share_done() const;
    std::uint64_t most_children() const { return n_candidates_ - levels_.back().candidates; }
    std::uint64_t covers_found() const { return run_.statistics.covers; }
    bool may_refuse() const { return islands_.watching(); }

private:
    void set_up();
    void list_by_item();
    void write_masks(int words);
    std::int32_t first_pending() const;
    std::int32_t fewest_pending();
    void gather(std::int32_t item);
    void gather_masked(std::int32_t item);
    void take(std::int32_t option);
    void give_back(std::int32_t option);
    void ban(std::int32_t option);
    bool kills(std::int32_t option) const;
    std::int32_t live_on(std::int32_t item) const;

    void make_room(std::size_t more) {
        if (candidates_.size() < n_candidates_ + more) candidates_.resize(2 * (n_candidates_ + more));
    }
    bool is_full(std::int32_t item) const { return full_[item >> 6] >> (item & 63) & 1; }
    std::int32_t need(std::int32_t item) const {
        return single_ ? p_.low[item] - is_full(item) : p_.low[item] - count_[item];
    }
    std::span<const std::int32_t> items_of(std::int32_t option) const {
        return p_.option_items.subspan(p_.option_starts[option],
                                       p_.option_starts[option + 1] - p_.option_starts[option]);
    }
    const Word* mask_of(std::int32_t option) const {
        return option_masks_.data() + static_cast<std::size_t>(option) * words_;
    }
    bool fits(std::int32_t option) const {
        if (banned_[option]) return false;
        if (words_) {
            Word hit = 0;
            for (int w = 0; w < words_; ++w) hit |= mask_of(option)[w] & full_[w];
            return hit == 0;
        }
        for (const auto item : items_of(option))
            if (is_full(item)) return false;
        return true;
    }
    std::span<const std::int32_t> list(std::int32_t item) const {
        return {lists_.data() + list_starts_[item], list_starts_[item + 1] - list_starts_[item]};
    }

    Run run_;
    const Problem& p_;
    bool size_;
    Islands islands_;
    const Fitting fitting_;

    std::vector<char> unusable_;            // of each option: it can be in no cover
    std::vector<std::int32_t> extending_;   // options that may be added to a finished cover
    std::vector<std::size_t> list_starts_;  // n_items + 1
    std::vector<std::int32_t> lists_;       // of each item: the options to try on it, ascending
    int words_ = 0;                         // of a mask; 0 if there are too many items for masks
    std::vector<std::size_t> mask_starts_;  // of each item: where the masks of its list begin, in `masks_`
    std::vector<Word> masks_;
    std::vector<Word> option_masks_;  // words_ for each option

    bool single_ = true;                            // no item may be held more than once, so that bits are enough
    std::vector<Word> mandatory_, full_, pending_;  // a bit for each item
    std::vector<std::int32_t> count_;               // of each item, unless single_
    std::vector<char> banned_;                      // of each option: it was passed over
    std::vector<std::int32_t> bans_;                // a stack of these options

    std::vector<std::int32_t> live_;  // with `size`: all options; the first n_live_ may still fit
    std::size_t n_live_ = 0;
    std::vector<std::int32_t> live_count_;  // of each item: how many of them hold it
    std::vector<std::int32_t> candidates_;  // a stack, used up to n_candidates_
    std::size_t n_candidates_ = 0;
    std::vector<Level> levels_;
};

void Backtrack::set_up() {
    const auto n_items = p_.n_items();
    const auto n_options = static_cast<std::int32_t>(p_.n_options());
    const auto n_words = (static_cast<std::size_t>(n_items) + 63) / 64;
    full_.assign(n_words, 0);
    pending_.assign(n_words, 0);
    count_.assign(n_items, 0);
    banned_.assign(n_options, 0);
    unusable_.assign(n_options, 0);
    for (std::int32_t i = 0; i < n_items; ++i) {
        if (p_.high[i] == 0) full_[i >> 6] |= Word{1} << (i & 63);
        if (p_.low[i] > 0) pending_[i >> 6] |= Word{1} << (i & 63);
        single_ = single_ && p_.high[i] <= 1;
    }
    const bool only_rows = islands_.stranding() == Stranding::rows;
    for (std::int32_t o = 0; o < n_options; ++o) {
        unusable_[o] = !fits(o) || (only_rows && islands_.cuts_off(o));
        if (unusable_[o]) continue;
        const auto items = items_of(o);
        if (std::none_of(items.begin(), items.end(), [this](auto i) { return p_.low[i] == p_.high[i]; }))
            extending_.push_back(o);
        if (size_) live_.push_back(o);
    }
    mandatory_ = pending_;
    n_live_ = live_.size();
    live_count_.assign(n_items, 0);
    list_by_item();
    if (n_words <= most_words && lists_.size() * n_words < most_mask_words) write_masks(static_cast<int>(n_words));
}

// List the options of each item. Without `size` an option is listed only up to its first item that is covered exactly
// once.
void Backtrack::list_by_item() {
    const auto n_options = static_cast<std::int32_t>(p_.n_options());
    const auto for_each = [&](auto visit) {
        for (std::int32_t o = 0; o < n_options; ++o) {
            if (unusable_[o]) continue;
            for (const auto item : items_of(o)) {
                visit(item, o);
                if (!size_ && p_.low[item] == 1 && p_.high[item] == 1) break;
            }
        }
    };
    list_starts_.assign(static_cast<std::size_t>(p_.n_items()) + 2, 0);
    for_each([&](auto item, auto) { ++list_starts_[item + 2]; });
    for (std::size_t i = 2; i < list_starts_.size(); ++i) list_starts_[i] += list_starts_[i - 1];
    lists_.resize(list_starts_.back());
    for_each([&](auto item, auto option) { lists_[list_starts_[item + 1]++] = option; });
    list_starts_.pop_back();
}

void Backtrack::write_masks(int words) {
    words_ = words;
    const auto n_options = static_cast<std::size_t>(p_.n_options());
    option_masks_.assign(n_options * words_, 0);
    for (std::size_t o = 0; o < n_options; ++o)
        for (const auto item : items_of(static_cast<std::int32_t>(o)))
            option_masks_[o * words_ + (item >> 6)] |= Word{1} << (item & 63);
    for (std::int32_t item = 0; item < p_.n_items(); ++item) {
        mask_starts_.push_back(masks_.size());
        const auto options = list(item);
        for (std::size_t k = 0; k < options.size(); k += fitting_lanes)
            for (int w = 0; w < words_; ++w)
                for (std::size_t j = k; j < k + fitting_lanes; ++j)
                    masks_.push_back(j < options.size() ? mask_of(options[j])[w] : 0);
    }
}

std::int32_t Backtrack::first_pending() const {
    const std::size_t from = levels_.empty() || levels_.back().item == none ? 0 : levels_.back().item >> 6;
    for (std::size_t w = from; w < pending_.size(); ++w)
        if (pending_[w]) return static_cast<std::int32_t>(64 * w) + std::countr_zero(pending_[w]);
    return none;
}

// The pending cell with the fewest ways left. If no cell is pending, the pending item with the fewest ways. Options
// that no longer fit are moved behind those that do.
std::int32_t Backtrack::fewest_pending() {
    std::fill(live_count_.begin(), live_count_.end(), 0);
    for (std::size_t k = 0; k < n_live_;) {
        const auto option = live_[k];
        if (fits(option)) {
            for (const auto item : items_of(option)) ++live_count_[item];
            ++k;
        } else {
            std::swap(live_[k], live_[--n_live_]);
        }
    }
    std::int32_t best = none, fewest = std::numeric_limits<std::int32_t>::max();
    for (std::size_t w = 0; w < pending_.size(); ++w) {
        for (Word left = pending_[w]; left; left &= left - 1) {
            const auto item = static_cast<std::int32_t>(64 * w) + std::countr_zero(left);
            if (item >= p_.n_cells && best != none && best < p_.n_cells) return best;
            const auto ways = live_count_[item] - need(item) + 1;
            if (ways < fewest) {
                best = item;
                fewest = ways;
            }
        }
    }
    return best;
}

// Put the options to try on an item onto the stack of candidates, ascending.
void Backtrack::gather(std::int32_t item) {
    if (item != none && words_ && bans_.empty()) return gather_masked(item);
    const auto options = item == none ? std::span<const std::int32_t>(extending_) : list(item);
    make_room(options.size());
    for (const auto option : options)
        if (fits(option)) candidates_[n_candidates_++] = option;
}

void Backtrack::gather_masked(std::int32_t item) {
    const auto options = list(item);
    const auto* masks = masks_.data() + mask_starts_[item];
    make_room(options.size());
    auto* out = candidates_.data() + n_candidates_;
    for (std::size_t k = 0; k < options.size(); k += fitting_lanes, masks += fitting_lanes * words_) {
        auto bits = fitting_(masks, full_.data(), words_);
        if (options.size() - k < fitting_lanes) bits &= (1u << (options.size() - k)) - 1;
        for (; bits; bits &= bits - 1) *out++ = options[k + std::countr_zero(bits)];
    }
    n_candidates_ = static_cast<std::size_t>(out - candidates_.data());
}

void Backtrack::take(std::int32_t option) {
    if (islands_.watching()) islands_.take(option);
    if (single_ && words_) {
        for (int w = 0; w < words_; ++w) {
            full_[w] |= mask_of(option)[w];
            pending_[w] &= ~mask_of(option)[w];
        }
        return;
    }
    for (const auto item : items_of(option)) {
        const Word bit = Word{1} << (item & 63);
        const auto n = ++count_[item];
        if (n == p_.high[item]) full_[item >> 6] |= bit;
        if (n == p_.low[item]) pending_[item >> 6] &= ~bit;
    }
}

void Backtrack::give_back(std::int32_t option) {
    if (islands_.watching()) islands_.give_back(option);
    if (single_ && words_) {
        for (int w = 0; w < words_; ++w) {
            full_[w] &= ~mask_of(option)[w];
            pending_[w] |= mask_of(option)[w] & mandatory_[w];
        }
        return;
    }
    for (const auto item : items_of(option)) {
        const Word bit = Word{1} << (item & 63);
        const auto n = count_[item]--;
        if (n == p_.high[item]) full_[item >> 6] &= ~bit;
        if (n == p_.low[item]) pending_[item >> 6] |= bit;
    }
}

void Backtrack::ban(std::int32_t option) {
    banned_[option] = 1;
    bans_.push_back(option);
}

std::int32_t Backtrack::live_on(std::int32_t item) const {
    if (size_) {
        const auto options = list(item);
        return static_cast<std::int32_t>(
            std::count_if(options.begin(), options.end(), [this](auto o) { return fits(o); }));
    }
    std::int32_t n = 0;  // the list of an item does not hold all its options
    for (std::int32_t o = 0; o < p_.n_options(); ++o) {
        const auto items = items_of(o);
        n += !unusable_[o] && std::binary_search(items.begin(), items.end(), item) && fits(o);
    }
    return n;
}

// Whether a pending item has too few options left after this option was passed over for good.
bool Backtrack::kills(std::int32_t option) const {
    for (const auto item : items_of(option))
        if (need(item) > 0 && live_on(item) < need(item)) return true;
    return false;
}

double Backtrack::share_done() const {
    double share = 0, width = 1;
    for (const Level& level : levels_) {
        const auto next = &level == &levels_.back() ? n_candidates_ : (&level + 1)->candidates;
        width /= std::max<double>(1, static_cast<double>(next - level.candidates));
        share += width * static_cast<double>(level.next - level.candidates - (&level != &levels_.back()));
    }
    return share;
}

// Look at the node that the chosen options make. Report it if it is a cover, and open a level on it if it has children.
// Returns false when it has none.
bool Backtrack::open() {
    const auto live = n_live_;
    const auto item = size_ ? fewest_pending() : first_pending();
    if (item == none) {
        run_.cover([this](std::vector<std::int32_t>& options) {
            for (const Level& level : levels_) options.push_back(level.option);
        });
        if (run_.stopped() || extending_.empty()) return n_live_ = live, false;
    }
    const auto begin = n_candidates_;
    gather(item);
    const auto ways = static_cast<std::int32_t>(n_candidates_ - begin);
    if (item == none ? ways == 0 : ways < need(item)) {
        run_.statistics.dead_ends += item != none;
        n_candidates_ = begin;
        n_live_ = live;
        return false;
    }
    levels_.push_back({item, none, begin, begin, bans_.size(), live});
    return true;
}

// Take back the option that the top level tried last, and go to its next one. Returns false when there is none.
bool Backtrack::skip_option() {
    Level& level = levels_.back();
    const bool once = level.item != none && p_.high[level.item] == 1;
    if (level.option != none) give_back(level.option);
    level.option = none;
    if (!once && level.next > level.candidates && kills(candidates_[level.next - 1])) return false;
    if (level.next == n_candidates_) return false;
    const auto option = candidates_[level.next++];
    if (!once) ban(option);
    return true;
}

// Take back the option that the top level tried last, and take its next one. Returns false when there is none.
bool Backtrack::next_option() {
    if (!skip_option()) return false;
    Level& level = levels_.back();
    level.option = candidates_[level.next - 1];
    take(level.option);
    return true;
}

void Backtrack::close() {
    const Level& level = levels_.back();
    for (; bans_.size() > level.banned; bans_.pop_back()) banned_[bans_.back()] = 0;
    n_candidates_ = level.candidates;
    n_live_ = level.live;
    levels_.pop_back();
}

}  // namespace

Outcome backtrack_search(const Problem& problem, const BacktrackOptions& options, const Limits& limits, Sink& sink) {
    return Backtrack(problem, options, limits, sink).run();
}

std::unique_ptr<ProbedTree> backtrack_tree(const Problem& problem, const BacktrackOptions& options) {
    return std::make_unique<Probed<Backtrack>>(problem, options);
}

}  // namespace latcover
