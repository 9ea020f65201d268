#include "frontier/diagram.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "cover/progress.hpp"
#include "frontier/frontier_dead_ends.hpp"

namespace latcover {
namespace {

constexpr std::size_t steps_between_looks = 1 << 14;
constexpr std::size_t ways_for_a_node = 16, ways_for_a_check = 4;  // what takes as long as so many ways to compare
constexpr std::size_t nodes_worth_tests = 1000;
constexpr std::size_t checks_to_judge = 1 << 10,
                      rarest_dead_node = 64;  // tests go on while one state in so many is dead

// The nodes of one level by what they hold, so that no two are alike.
class Level {
public:
    explicit Level(Diagram& diagram) : diagram_(diagram), first_(diagram.low.size()) {}

    // The node of this level with these families; made if there is none.
    std::int32_t node(std::int32_t low, std::int32_t high) {
        if (2 * (diagram_.low.size() - first_ + 1) > places_.size()) grow();
        auto& place = find(low, high);
        if (place == 0) {
            if (diagram_.low.size() >= std::numeric_limits<std::int32_t>::max())
                throw Unsupported("the diagram has more nodes than can be numbered");
            place = static_cast<std::int32_t>(diagram_.low.size());
            diagram_.low.push_back(low);
            diagram_.high.push_back(high);
        }
        return place;
    }

    void close(std::int32_t option) {
        if (diagram_.low.size() == first_) return;
        diagram_.options.push_back(option);
        diagram_.starts.push_back(static_cast<std::int64_t>(first_));
    }

private:
    std::int32_t& find(std::int32_t low, std::int32_t high) {
        const auto mixed = (static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint32_t>(high)) *
                           std::uint64_t{0x9E3779B97F4A7C15};
        auto at = static_cast<std::size_t>(mixed >> 32) & (places_.size() - 1);
        while (places_[at] && (diagram_.low[places_[at]] != low || diagram_.high[places_[at]] != high))
            at = (at + 1) & (places_.size() - 1);
        return places_[at];
    }

    void grow() {
        places_.assign(std::max<std::size_t>(16, 2 * places_.size()), 0);
        for (auto k = first_; k < diagram_.low.size(); ++k)
            find(diagram_.low[k], diagram_.high[k]) = static_cast<std::int32_t>(k);
    }

    Diagram& diagram_;
    std::size_t first_;
    std::vector<std::int32_t> places_;  // a table of nodes; 0: free
};

// A way, and where it has come to among the states before a step.
template <int W>
struct LevelStream {
    Way<W> way;
    std::size_t at = 0;
    Key<W> head{};

    bool advance(const std::vector<Key<W>>& states) {
        while (at < states.size() && !way.suits(states[at])) ++at;
        if (at == states.size()) return false;
        head = way.changed(states[at]);
        return true;
    }
};

template <int W>
class Maker {
public:
    Maker(const Plan& plan, DiagramLimits limits, Sink& sink)
        : plan_(plan), limits_(limits), progress_(sink), dead_ends_(plan) {}

    Diagram make() {
        diagram_.width = plan_.width;
        if (forwards()) backwards();
        diagram_.seconds = clock_.seconds();
        return std::move(diagram_);
    }

private:
    // Find the states of all layers. Returns false when the work is to stop.
    bool forwards() {
        layers_.reserve(static_cast<std::size_t>(plan_.n_steps()) + 1);
        layers_.push_back({Key<W>{}});
        for (std::int32_t k = 0; k < plan_.n_steps(); ++k) {
            layers_.emplace_back();
            if (!step(k, layers_[k], layers_.back())) return false;
            layers_.back().shrink_to_fit();
            bytes_of_layers_ += layers_.back().size() * sizeof(Key<W>);
            diagram_.states += layers_.back().size();
        }
        return true;
    }

    // Merge the states that the ways of step k lead to. A way leads to ascending states.
    bool step(std::int32_t k, const std::vector<Key<W>>& now, std::vector<Key<W>>& next) {
        std::vector<LevelStream<W>> streams;
        for (const auto& way : ways_of_step<W>(plan_, k)) streams.push_back({way});
        work_ += streams.size() * now.size();
        std::erase_if(streams, [&](auto& stream) { return !stream.advance(now); });
        const auto endangered = now.size() < nodes_worth_tests ? std::vector<Endangered<W>>{} : dead_ends_.after(k);
        bool testing = !endangered.empty();
        std::size_t tested = 0, dead = 0;
        bool any = false;
        Key<W> last{};  // the state before, dead or not
        for (std::size_t looked = 0; !streams.empty(); ++looked) {
            if (looked % steps_between_looks == 0 && !look(0.5 * k / plan_.n_steps(), next.size() * sizeof(Key<W>)))
                return false;
            work_ += streams.size() + ways_for_a_node;
            auto least = streams.begin();
            for (auto other = least + 1; other != streams.end(); ++other)
                if (other->head < least->head) least = other;
            if (!any || least->head != last) {
                any = true;
                last = least->head;
                bool is_dead = false;
                if (testing) {
                    work_ += ways_for_a_check * endangered.size();
                    testing = ++tested % checks_to_judge || dead * rarest_dead_node >= tested;
                    is_dead = DeadEnds<W>::is_dead(last, endangered);
                    dead += is_dead;
                }
                if (!is_dead) next.push_back(last);
            }
            ++least->at;
            if (!least->advance(now)) streams.erase(least);
        }
        return look(0.5 * k / plan_.n_steps(), next.size() * sizeof(Key<W>));
    }

    // Make the nodes, from the last layer to the first. A state from which no cover goes on gets node 0.
    void backwards() {
        std::int32_t top = 1;
        for (auto option = static_cast<std::int32_t>(plan_.problem.n_options()); option-- > 0;)
            if (plan_.items_of(option).empty() && !layers_.back().empty()) {
                Level level(diagram_);
                top = level.node(top, top);
                level.close(option);
            }
        std::vector<std::int32_t> nodes(layers_.back().size(), top);  // of the states of the last layer left
        for (auto k = plan_.n_steps(); k-- > 0;) {
            if (!look(1 - 0.5 * (k + 1) / plan_.n_steps(), 0)) return;
            nodes = nodes_before(k, nodes);
            bytes_of_layers_ -= layers_.back().size() * sizeof(Key<W>);
            layers_.pop_back();
        }
        diagram_.root = nodes.front();
        diagram_.starts.push_back(static_cast<std::int64_t>(diagram_.low.size()));
    }

    // The nodes of the states before step k, given those of the states after it.
    std::vector<std::int32_t> nodes_before(std::int32_t k, const std::vector<std::int32_t>& after) {
        const auto &now = layers_[k], &next = layers_[k + 1];
        const auto ways = ways_of_step<W>(plan_, k);
        std::vector<std::int32_t> nodes(now.size(), 0);
        const auto follow = [&](const Way<W>& way, auto take) {
            std::size_t at = 0;
            for (std::size_t s = 0; s < now.size(); ++s) {
                if (!way.suits(now[s])) continue;
                const auto key = way.changed(now[s]);
                while (at < next.size() && next[at] < key) ++at;
                if (at < next.size() && next[at] == key && after[at]) nodes[s] = take(nodes[s], after[at]);
            }
        };
        for (const auto& way : ways)
            if (way.option == no_option) follow(way, [](std::int32_t, std::int32_t node) { return node; });
        for (auto way = ways.rbegin(); way != ways.rend() && way->option != no_option;) {
            Level level(diagram_);
            const auto option = way->option;
            for (; way != ways.rend() && way->option == option; ++way)  // they suit different states
                follow(*way, [&](std::int32_t low, std::int32_t high) { return level.node(low, high); });
            level.close(option);
        }
        return nodes;
    }

    bool look(double share, std::size_t more_bytes) {
        const auto bytes = bytes_of_layers_ + more_bytes + diagram_.low.size() * bytes_of_a_node;
        diagram_.bytes = std::max(diagram_.bytes, bytes);
        if (bytes > limits_.bytes) throw Unsupported("the diagram of all solutions takes more memory than it may");
        const auto seconds = clock_.seconds();
        if (work_ > limits_.work) diagram_.stop = Stop::branch_limit;
        else if (seconds >= limits_.seconds) diagram_.stop = Stop::time_limit;
        else if (progress_.is_due(seconds) && !progress_.tell(seconds, share, {})) diagram_.stop = Stop::cancelled;
        return diagram_.stop == Stop::exhausted;
    }

    const Plan& plan_;
    DiagramLimits limits_;
    Progress progress_;
    DeadEnds<W> dead_ends_;
    Clock clock_;
    Diagram diagram_;
    std::vector<std::vector<Key<W>>> layers_;  // the states before each step; then those after the last
    std::size_t bytes_of_layers_ = 0;
    std::uint64_t work_ = 0;
};

}  // namespace

Diagram make_diagram(const Problem& problem, std::span<const std::int32_t> order, DiagramLimits limits, Sink& sink) {
    if (std::any_of(problem.high.begin(), problem.high.end(), [](auto high) { return high > 1; }))
        throw Unsupported("the frontier makes diagrams of problems whose items are held at most once");
    const auto plan = make_plan(problem, order);
    if (plan.width > widest_frontier) throw Unsupported("the frontier is wider than 256 items");
    return plan.width <= 64    ? Maker<1>(plan, limits, sink).make()
           : plan.width <= 128 ? Maker<2>(plan, limits, sink).make()
                               : Maker<4>(plan, limits, sink).make();
}

}  // namespace latcover
