// Dancing links over arrays (Knuth 2000; TAOCP 4B, 7.2.2.1), with bounds [low, high] on every item.
//
// Differences from Knuth's Algorithms X and M:
// - An item has a *score* in place of its length: its live options, minus what it still needs, plus 1. This is the
//   number of branches that a node on the item can have. Items that are not pending have `not_pending` added. So the
//   choice of an item is a minimum over one flat array of integers, which compilers turn into vector code. No list of
//   items is kept.
// - On an item with high > 1 the options of a cover ascend, and those passed over are hidden. So no set is met twice.
// - Options without an item whose low equals its high may be added to a finished cover. They hold one internal item,
//   the *extension*. The search branches on it as on an item with high > 1.
// - When an option is the first to hold an item in a colour, the item is purified as in Algorithm C: options that hold
//   it in another way are removed. Knuth marks the options that stay, and does not relink their nodes, because nobody
//   walks that list until the item is free again. Here they are relinked, because a test of marks in the inner loop
//   would slow down every search.
// - The stack is explicit: the depth is bounded by memory, and not by the stack of the thread.

#include "cover/dlx.hpp"

#include <algorithm>
#include <limits>

#include "cover/walk_tree.hpp"

namespace latcover {
namespace {

constexpr std::int32_t not_pending = 1 << 29;
constexpr std::int32_t unbounded = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t absent = -1;

struct alignas(16) Node {
    std::int32_t up, down;
    std::int32_t item;   // absent for the spacer that ends an option
    std::int32_t first;  // first node of the same option; the others follow, up to the spacer
};

struct LinkLevel {
    std::int32_t item;     // to branch on
    std::int32_t node;     // of the option now tried; the header of the item before the first option and after the last
    std::int32_t option;   // now chosen, or absent
    std::int32_t covered;  // a node of it: full items before it have lost their other options
    std::int32_t tried;    // options
    std::int32_t total;    // at most so many children
    std::size_t hidden_before;  // height of `hidden_` before the level was opened
};

class Search {
public:
    // `pricing`, if there is any, follows the search and cuts it where covers are too dear.
    Search(const Problem& problem, const DlxOptions& options, const Limits& limits, Sink& sink,
           Pricing* pricing = nullptr)
        : run_(limits, sink, problem.n_options()), asked_(options.asks ? &sink : nullptr), low_(problem.low),
          high_(problem.high.begin(), problem.high.end()), size_(options.size), islands_(problem, options.stranding),
          pricing_(pricing) {
        link(problem);
    }

    Outcome run() { return walk_tree(run_, *this); }

    bool open();
    bool next_option();
    bool skip_option();
    bool strands() { return islands_.watching() && alive_ && islands_.strands(); }
    void close();
    std::size_t depth() const { return levels_.size(); }
    double share_done() const;
    std::uint64_t most_children() const { return static_cast<std::uint64_t>(levels_.back().total); }
    std::uint64_t covers_found() const { return run_.statistics.covers; }
    bool may_refuse() const { return islands_.watching(); }

private:
    void link(const Problem& problem);
    std::int32_t choose() const;
    bool hide_others(std::int32_t node);
    void unhide_others(std::int32_t node);
    bool cover(std::int32_t item);
    void uncover(std::int32_t item);
    void hide_option(std::int32_t node);
    void unhide_option(std::int32_t node);
    void count(std::int32_t item);
    void uncount(std::int32_t item);
    bool purify(std::int32_t node);
    void unpurify(std::int32_t node);
    template <bool coloured>
    bool take_option(std::int32_t node, bool with_own_item);
    template <bool coloured>
    void give_back_option(std::int32_t node, bool with_own_item);
    bool take(std::int32_t node, bool with_own_item) {
        return colour_.empty() ? take_option<false>(node, with_own_item) : take_option<true>(node, with_own_item);
    }
    void give_back(std::int32_t node, bool with_own_item) {
        if (colour_.empty()) give_back_option<false>(node, with_own_item);
        else give_back_option<true>(node, with_own_item);
    }
    bool kills(std::int32_t node) const;
    void report();

    bool one_at_most(std::int32_t item) const { return high_[item] == 1; }
    std::int32_t option_of(std::int32_t node) const { return option_of_node_[nodes_[node].first]; }

    Run run_;
    Sink* asked_;  // whether it prunes; null: nobody
    std::vector<std::int32_t> chosen_;
    std::span<const std::int32_t> low_;
    std::vector<std::int32_t> high_;
    bool size_;
    Islands islands_;
    Pricing* pricing_;
    std::int64_t cheapest_ = std::numeric_limits<std::int64_t>::max();  // of the covers found

    std::vector<Node> nodes_;  // one header for each item; then the options, each with a spacer after it
    std::vector<std::int32_t> option_of_node_;  // of the first node of each option: the number of the option
    std::vector<std::int32_t> score_;           // n_items (+ 1 with an extension)
    std::vector<std::int32_t> need_;            // low - count; may fall below 0
    std::vector<std::int32_t> room_;            // high - count
    std::int32_t n_choosable_ = 0;              // only items below this index can be pending
    std::int32_t extension_ = absent;
    std::vector<std::int32_t> colour_;  // of each node, 0 for none; empty if there are no colours
    std::vector<std::int32_t> claims_;  // of each item: how many chosen options hold it in a colour (the same one)
    std::vector<std::int32_t> hidden_;  // a stack of the options passed over, by their first nodes

    std::vector<LinkLevel> levels_;
    bool alive_ = true;  // no item was found dead when the last option was taken
};

// Whether an option may be added to a finished cover. It may if no item of it is certainly full then.
bool extends(const Problem& problem, std::int64_t option) {
    for (auto k = problem.option_starts[option]; k < problem.option_starts[option + 1]; ++k) {
        const auto item = problem.option_items[k];
        if (problem.low[item] == problem.high[item]) return false;
    }
    return true;
}

// Whether an option can be in a cover at all.
bool usable(const Problem& problem, std::int64_t option) {
    for (auto k = problem.option_starts[option]; k < problem.option_starts[option + 1]; ++k)
        if (problem.high[problem.option_items[k]] == 0) return false;
    return true;
}

void Search::link(const Problem& problem) {
    const auto n_items = problem.n_items();
    const auto n_options = problem.n_options();
    std::vector<char> extending(n_options);
    bool any_extending = false;
    for (std::int64_t o = 0; o < n_options; ++o) any_extending |= (extending[o] = extends(problem, o));

    if (any_extending) {
        extension_ = n_items;
        high_.push_back(unbounded);
    }
    const auto n_headers = static_cast<std::int32_t>(high_.size());
    nodes_.reserve(n_headers + problem.option_items.size() + 2 * n_options);
    for (std::int32_t i = 0; i < n_headers; ++i) nodes_.push_back({i, i, i, absent});
    std::vector<std::int32_t> length(n_headers, 0);
    option_of_node_.assign(n_headers, absent);

    const auto append = [&](std::int32_t item, std::int32_t first) {
        const auto node = static_cast<std::int32_t>(nodes_.size());
        const auto last = nodes_[item].up;
        nodes_.push_back({last, item, item, first});
        nodes_[last].down = node;
        nodes_[item].up = node;
        ++length[item];
    };
    const bool only_rows = islands_.stranding() == Stranding::rows;
    for (std::int64_t o = 0; o < n_options; ++o) {
        if (!usable(problem, o) || (only_rows && islands_.cuts_off(static_cast<std::int32_t>(o)))) continue;
        const auto first = static_cast<std::int32_t>(nodes_.size());
        for (auto k = problem.option_starts[o]; k < problem.option_starts[o + 1]; ++k) {
            append(problem.option_items[k], first);
            if (problem.has_colours()) {
                colour_.resize(nodes_.size(), 0);
                colour_.back() = problem.option_colours[k];
            }
        }
        if (extending[o]) append(extension_, first);
        nodes_.push_back({absent, absent, absent, first});
        option_of_node_.resize(nodes_.size(), absent);
        option_of_node_[first] = static_cast<std::int32_t>(o);
        if (pricing_) pricing_->link(static_cast<std::int32_t>(o));
    }
    if (problem.has_colours()) {
        colour_.resize(nodes_.size(), 0);
        claims_.assign(n_headers, 0);
    }
    for (std::int32_t i = 0; i < n_headers; ++i) {
        const auto low = i < n_items ? low_[i] : 0;
        need_.push_back(low);
        room_.push_back(high_[i]);
        score_.push_back(length[i] - low + 1 + (low > 0 ? 0 : not_pending));
        if (low > 0) n_choosable_ = i + 1;
    }
}

// The item to branch on, or absent when no item is pending. Of several best items it is the first.
std::int32_t Search::choose() const {
    const std::int32_t* score = score_.data();
    if (!size_) {
        for (std::int32_t i = 0; i < n_choosable_; ++i)
            if (score[i] < not_pending / 2) return i;
        return absent;
    }
    std::int32_t least = not_pending / 2;
    for (std::int32_t i = 0; i < n_choosable_; ++i) least = std::min(least, score[i]);
    if (least == not_pending / 2) return absent;
    std::int32_t i = 0;
    while (score[i] != least) ++i;
    return i;
}

// Unlink the other nodes of an option. Returns whether an item has fewer options left than it needs.
//
// The loop runs over all nodes. To the given node it writes back what is there. A branch would be mispredicted instead,
// because the place of this node differs from option to option. The fields are read one by one: a wider read would have
// to wait for the narrow writes before it.
bool Search::hide_others(std::int32_t node) {
    if (pricing_) pricing_->lose(option_of(node));
    Node* const nodes = nodes_.data();
    std::int32_t* const score = score_.data();
    bool dead = false;
    for (auto q = nodes[node].first; nodes[q].item != absent; ++q) {
        const auto up = nodes[q].up, down = nodes[q].down, item = nodes[q].item;
        nodes[up].down = q == node ? q : down;
        nodes[down].up = q == node ? q : up;
        score[item] -= q != node;
        dead |= score[item] <= 0;
    }
    return dead;
}

void Search::unhide_others(std::int32_t node) {
    if (pricing_) pricing_->regain(option_of(node));
    Node* const nodes = nodes_.data();
    std::int32_t* const score = score_.data();
    for (auto q = nodes[node].first; nodes[q].item != absent; ++q) {
        const auto up = nodes[q].up, down = nodes[q].down, item = nodes[q].item;
        nodes[up].down = q;
        nodes[down].up = q;
        score[item] += q != node;
    }
}

bool Search::cover(std::int32_t item) {
    bool dead = false;
    for (auto p = nodes_[item].down; p != item; p = nodes_[p].down) dead |= hide_others(p);
    return dead;
}

void Search::uncover(std::int32_t item) {
    for (auto p = nodes_[item].up; p != item; p = nodes_[p].up) unhide_others(p);
}

// Unlink all nodes of an option.
void Search::hide_option(std::int32_t first) {
    if (pricing_) pricing_->lose(option_of(first));
    for (auto q = first; nodes_[q].item != absent; ++q) {
        const Node n = nodes_[q];
        nodes_[n.up].down = n.down;
        nodes_[n.down].up = n.up;
        --score_[n.item];
    }
}

void Search::unhide_option(std::int32_t first) {
    if (pricing_) pricing_->regain(option_of(first));
    for (auto q = first; nodes_[q].item != absent; ++q) {
        const Node n = nodes_[q];
        nodes_[n.up].down = q;
        nodes_[n.down].up = q;
        ++score_[n.item];
    }
}

// One more chosen option holds the item: its need falls.
void Search::count(std::int32_t item) {
    if (pricing_) pricing_->hold(item);
    if (need_[item] > 0) score_[item] += need_[item] == 1 ? 1 + not_pending : 1;
    --need_[item];
    --room_[item];
}

void Search::uncount(std::int32_t item) {
    if (pricing_) pricing_->release(item);
    ++room_[item];
    if (++need_[item] > 0) score_[item] -= need_[item] == 1 ? 1 + not_pending : 1;
}

// Remove the options that hold the item of this node in another colour or in none. The option of this node is chosen,
// so it is in no list of its items.
bool Search::purify(std::int32_t node) {
    const auto item = nodes_[node].item, colour = colour_[node];
    bool dead = false;
    for (auto p = nodes_[item].down; p != item; p = nodes_[p].down)
        if (colour_[p] != colour) dead |= hide_others(p);
    return dead;
}

void Search::unpurify(std::int32_t node) {
    const auto item = nodes_[node].item, colour = colour_[node];
    for (auto p = nodes_[item].up; p != item; p = nodes_[p].up)
        if (colour_[p] != colour) unhide_others(p);
}

// Count the items of an option, and then remove the other options of those that are full. With `size` this ends early
// and returns false when an item that the option does not hold has too few options left, because the node would be
// found dead anyway. An item that is held in a colour is not counted, because it never gets full. It is never the item
// that was branched on, because it need not be covered.
template <bool coloured>
bool Search::take_option(std::int32_t node, bool with_own_item) {
    const auto has_colour = [this](std::int32_t q) { return coloured && colour_[q] > 0; };
    if (pricing_) pricing_->choose(option_of(node));
    const auto first = nodes_[node].first;
    for (auto q = first; nodes_[q].item != absent; ++q)
        if ((q != node || with_own_item) && !has_colour(q)) count(nodes_[q].item);
    auto q = first;
    for (bool dead = false; nodes_[q].item != absent && !(dead && size_); ++q) {
        if (has_colour(q)) dead = claims_[nodes_[q].item]++ == 0 && purify(q);
        else if ((q != node || with_own_item) && room_[nodes_[q].item] == 0) dead = cover(nodes_[q].item);
    }
    levels_.back().covered = q;
    return nodes_[q].item == absent;
}

template <bool coloured>
void Search::give_back_option(std::int32_t node, bool with_own_item) {
    const auto has_colour = [this](std::int32_t q) { return coloured && colour_[q] > 0; };
    const auto first = nodes_[node].first;
    for (auto q = levels_.back().covered; q-- != first;) {
        if (has_colour(q)) {
            if (--claims_[nodes_[q].item] == 0) unpurify(q);
        } else if ((q != node || with_own_item) && room_[nodes_[q].item] == 0) uncover(nodes_[q].item);
    }
    for (auto q = first; nodes_[q].item != absent; ++q)
        if ((q != node || with_own_item) && !has_colour(q)) uncount(nodes_[q].item);
    if (pricing_) pricing_->unchoose(option_of(node));
}

// Whether a pending item has too few options left after this option was hidden for good.
bool Search::kills(std::int32_t first) const {
    for (auto q = first; nodes_[q].item != absent; ++q)
        if (score_[nodes_[q].item] <= 0) return true;
    return false;
}

void Search::report() {
    run_.cover([this](std::vector<std::int32_t>& options) {
        for (const LinkLevel& level : levels_) options.push_back(level.option);
    });
    if (pricing_ && pricing_->least() < cheapest_) {  // the caller learns at once, and lowers the bar
        cheapest_ = pricing_->least();
        run_.hand_over();
    }
}

// The exact share of the tree that is done, between two branches. It adds up, over the levels, what lies before the
// option now tried. On the top level this option is done too.
double Search::share_done() const {
    double share = 0, width = 1;
    for (const LinkLevel& level : levels_) {
        width /= level.total;
        share += width * (level.tried - (&level != &levels_.back()));
    }
    return share;
}

// Look at the node that the chosen options make. Report it if it is a cover, and open a level on it if it has children.
// Returns false when it has none.
bool Search::open() {
    if (!alive_) {
        ++run_.statistics.dead_ends;
        return false;
    }
    if (pricing_ && pricing_->too_dear()) return false;
    if (asked_ && !levels_.empty()) {
        chosen_.clear();
        for (const LinkLevel& level : levels_) chosen_.push_back(level.option);
        if (asked_->prunes(chosen_)) return false;
    }
    auto item = choose();
    if (item == absent) {
        report();
        if (run_.stopped() || extension_ == absent || nodes_[extension_].down == extension_) return false;
        item = extension_;
    } else if (score_[item] <= 0) {
        ++run_.statistics.dead_ends;
        return false;
    }
    const auto children = item == extension_ ? score_[item] - not_pending - 1 : score_[item];
    levels_.push_back({item, item, absent, absent, 0, std::max(children, 1), hidden_.size()});
    if (one_at_most(item)) {
        count(item);
        cover(item);
    }
    return true;
}

// Take back the option that the top level tried last, and go to its next one. Returns false when there is none.
bool Search::skip_option() {
    LinkLevel& level = levels_.back();
    const bool once = one_at_most(level.item);
    if (level.option != absent) {
        give_back(level.node, !once);
        if (islands_.watching()) islands_.give_back(level.option);
        level.option = absent;
    }
    if (once) {
        level.node = nodes_[level.node].down;
        if (level.node == level.item) return false;
    } else {  // the options before stay hidden, because later sets must not hold them
        if (hidden_.size() > level.hidden_before && kills(hidden_.back())) return false;
        if (level.item != extension_ && score_[level.item] <= 0) return false;
        level.node = nodes_[level.item].down;
        if (level.node == level.item) return false;
        hidden_.push_back(nodes_[level.node].first);
        hide_option(hidden_.back());
    }
    ++level.tried;
    return true;
}

// Take back the option that the top level tried last, and take its next one. Returns false when there is none.
bool Search::next_option() {
    if (!skip_option()) return false;
    LinkLevel& level = levels_.back();
    level.option = option_of_node_[nodes_[level.node].first];
    alive_ = take(level.node, !one_at_most(level.item));
    if (islands_.watching()) islands_.take(level.option);
    return true;
}

void Search::close() {
    const LinkLevel& level = levels_.back();
    if (one_at_most(level.item)) {
        uncover(level.item);
        uncount(level.item);
    }
    for (; hidden_.size() > level.hidden_before; hidden_.pop_back()) unhide_option(hidden_.back());
    levels_.pop_back();
    alive_ = true;  // a node that had a level open was alive
}

}  // namespace

Outcome dlx_search(const Problem& problem, const DlxOptions& options, const Limits& limits, Sink& sink) {
    return Search(problem, options, limits, sink).run();
}

Outcome dlx_improve(const Problem& problem, const DlxOptions& options, const Costs& costs, const Bar& bar,
                    const Limits& limits, Sink& sink) {
    Pricing pricing(costs, bar);
    return Search(problem, options, limits, sink, &pricing).run();
}

std::unique_ptr<ProbedTree> dlx_tree(const Problem& problem, const DlxOptions& options) {
    return std::make_unique<Probed<Search>>(problem, options);
}

}  // namespace latcover
