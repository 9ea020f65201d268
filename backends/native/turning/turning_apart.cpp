#include "turning/turning_apart.hpp"

#include <algorithm>
#include <atomic>
#include <string>
#include <tuple>
#include <unordered_map>

#include "apart/watched.hpp"
#include "ground/team.hpp"
#include "turning/turning_moves.hpp"

namespace latcover {

namespace {

using Placed = TurningMoves::Placed;
using Node = TurningMoves::Node;
using Leaving = TurningMoves::Leaving;
using Expanded = TurningMoves::Expanded;
constexpr std::size_t most_exits = TurningMoves::most_exits;
constexpr std::size_t at_once = 64;  // positions that are expanded between looks at the limits
constexpr int few = 8;               // parts, whose sets are few

// What is known of a group of parts at their places.
struct Plan {
    Result result = Result::unknown;
    bool least = true;
    std::uint64_t moves = 0, turns = 0;
    std::vector<TurningParting> partings = {};
};

class Turning {
public:
    Turning(TurningShapes& shapes, const Assembly& assembly, const Groups& groups, bool always,
            const ApartLimits& limits, const Brake& brake)
        : assembly_(assembly), groups_(groups), always_(always), limits_(limits), brake_(brake),
          moves_(shapes, assembly, groups, limits, brake) {}

    TurnedApart run() {
        std::vector<int> ids;
        Placed parts;
        for (const AssemblyPart& part : assembly_.parts) {
            ids.push_back(static_cast<int>(ids.size()));
            parts.push_back({part.shape, part.place});
        }
        Plan plan = solve(ids, parts);
        found_.result = plan.result;
        found_.least = plan.least;
        if (plan.result == Result::apart) found_.partings = std::move(plan.partings);
        if (plan.result == Result::unknown && (brake_.pulled() || over_))
            found_.cut = brake_.pulled() ? static_cast<Cut>(brake_.cut.load()) : Cut::states;
        return std::move(found_);
    }

private:
    bool is_done(const std::vector<int>& ids) const {
        if (ids.size() <= 1) return true;
        return std::any_of(groups_.begin(), groups_.end(), [&](const std::vector<int>& most) {
            std::unordered_map<int, int> copies;
            return std::all_of(ids.begin(), ids.end(), [&](int i) {
                const int kind = assembly_.parts[i].kind;
                return ++copies[kind] <= most[kind];
            });
        });
    }

    Plan solve(const std::vector<int>& ids, const Placed& parts) {
        if (is_done(ids)) return {Result::apart};
        std::string key;
        for (std::size_t k = 0; k < ids.size(); ++k) {
            const int numbers[5] = {ids[k], parts[k].shape, parts[k].place[0], parts[k].place[1], parts[k].place[2]};
            key.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
        }
        if (const auto known = known_.find(key); known != known_.end()) return known->second;
        Plan plan = always_ ? Plan{Result::stuck} : part(ids, parts, false);
        if (plan.result == Result::stuck) plan = part(ids, parts, true);
        return known_[key] = plan;
    }

    // Part a group by a shortest separation.
    Plan part(const std::vector<int>& ids, const Placed& parts, bool turning) {
        const std::uint64_t tight = found_.tight;
        std::vector<Node> nodes;
        std::vector<Leaving> exits;
        const Result result = search(ids, parts, turning, nodes, exits);
        const bool some_untried = turning && ids.size() > TurningMoves::most_turning;
        if (result != Result::apart) {
            found_.many =
                found_.many || ids.size() > TurningMoves::most_parts || (result == Result::stuck && some_untried);
            const bool unsure = result == Result::stuck && turning && (found_.tight > tight || some_untried);
            return {unsure ? Result::unknown : result};
        }
        std::stable_sort(exits.begin(), exits.end(), [&](const Leaving& one, const Leaving& other) {
            return nodes[one.node].turns < nodes[other.node].turns;
        });
        Plan best;
        bool is_first = true, doubtful = exits.size() > most_exits || some_untried;
        if (exits.size() > most_exits) exits.resize(most_exits);
        for (const Leaving& exit : exits) {
            const Node& last = nodes[exit.node];
            const auto [stays, removed] = moves_.sides(ids, exit.who);
            if (!is_first && (brake_.pulled() || over_)) {
                doubtful = true;
                break;
            }
            const Plan one = solve(stays, placed(ids, last.parts, stays));
            const Plan other = one.result == Result::apart ? solve(removed, placed(ids, last.parts, removed)) : one;
            if (one.result == Result::stuck || other.result == Result::stuck) return {Result::stuck};
            if (one.result == Result::unknown || other.result == Result::unknown) {
                doubtful = true;
                continue;
            }
            const std::uint64_t moves = last.depth + 1 + one.moves + other.moves;
            const std::uint64_t turns = last.turns + one.turns + other.turns;
            if (!is_first && std::tie(moves, turns) >= std::tie(best.moves, best.turns)) continue;
            is_first = false;
            best = {Result::apart, one.least && other.least, moves, turns, {}};
            best.partings.push_back(told(ids, nodes, exit, stays, removed));
            best.partings.insert(best.partings.end(), one.partings.begin(), one.partings.end());
            best.partings.insert(best.partings.end(), other.partings.begin(), other.partings.end());
            if (groups_.empty() && moves == last.depth + 1 + ids.size() - 2 && turns == 0U + last.turns) break;
        }
        if (is_first) return {};
        best.least = best.least && !doubtful;
        return best;
    }

    static Placed placed(const std::vector<int>& ids, const Placed& parts, const std::vector<int>& side) {
        Placed found;
        for (std::size_t k = 0, s = 0; k < ids.size() && s < side.size(); ++k)
            if (ids[k] == side[s]) {
                found.push_back(parts[k]);
                ++s;
            }
        return found;
    }

    TurningParting told(const std::vector<int>& ids, const std::vector<Node>& nodes, const Leaving& exit,
                        const std::vector<int>& stays, const std::vector<int>& removed) const {
        TurningParting parting{ids, stays, removed, {}};
        for (std::size_t at = exit.node; nodes[at].depth > 0; at = nodes[at].parent) {
            const TurningMoves::Step& by = nodes[at].by;
            parting.moves.push_back(
                {TurningMoves::named(ids, by.who), by.direction, by.steps, false, by.axis, by.turn, by.shift});
        }
        std::reverse(parting.moves.begin(), parting.moves.end());
        const bool forwards = TurningMoves::named(ids, exit.who) == removed;
        parting.moves.push_back({removed, exit.direction, forwards ? 1 : -1, true});
        return parting;
    }

    // Breadth-first; `exits` are those of the first front that has any.
    Result search(const std::vector<int>& ids, const Placed& parts, bool turning, std::vector<Node>& nodes,
                  std::vector<Leaving>& exits) {
        if (ids.size() > TurningMoves::most_parts) return Result::unknown;
        std::unordered_map<std::string, std::size_t> seen;
        nodes.push_back({parts, 0, 0, 0, 0, {}});
        seen.emplace(moves_.key_of(ids, nodes[0]), 0);
        ++found_.states;
        std::size_t from = 0;
        while (from < nodes.size()) {
            const std::size_t to = nodes.size();
            for (std::size_t at = from; at < to; at += at_once)
                if (!leave(ids, nodes, at, std::min(at + at_once, to), exits)) return Result::unknown;
            if (!exits.empty()) return Result::apart;
            // Of more parts more sets may turn, so fewer positions are looked at together.
            const int more = turning ? std::max(0, static_cast<int>(ids.size()) - few) : 0;
            const std::size_t n = std::max(at_once >> more, std::size_t{1});
            for (std::size_t at = from; at < to; at += n)
                if (!go_on(ids, nodes, at, std::min(at + n, to), turning, seen)) return Result::unknown;
            from = to;
            found_.reached = std::max(found_.reached, nodes[from - 1].depth + (from < nodes.size()));
        }
        return Result::stuck;
    }

    // How sets leave from some positions. False: the search was stopped.
    bool leave(const std::vector<int>& ids, const std::vector<Node>& nodes, std::size_t from, std::size_t to,
               std::vector<Leaving>& exits) {
        std::vector<std::vector<Leaving>> found(to - from);
        together(limits_.threads, found.size(), [&](std::size_t k, unsigned) {
            if (!brake_.pulled()) found[k] = moves_.exits(ids, nodes[from + k], from + k);
        });
        for (const auto& each : found) exits.insert(exits.end(), each.begin(), each.end());
        return !brake_.pulled();
    }

    // What follows some positions from which nothing leaves. Threads share the questions about turns, since positions are
    // few and questions differ much. False: the search was stopped, or there are too many positions.
    bool go_on(const std::vector<int>& ids, std::vector<Node>& nodes, std::size_t from, std::size_t to, bool turning,
               std::unordered_map<std::string, std::size_t>& seen) {
        std::vector<Expanded> slides(to - from);
        std::vector<std::vector<TurningMoves::Question>> of_each(to - from);
        together(limits_.threads, slides.size(), [&](std::size_t k, unsigned) {
            if (brake_.pulled()) return;
            slides[k] = moves_.slides(ids, nodes[from + k], from + k);
            if (turning) of_each[k] = moves_.questions(ids, nodes[from + k], from + k);
        });
        std::vector<TurningMoves::Question> questions;
        for (const auto& each : of_each) questions.insert(questions.end(), each.begin(), each.end());
        std::vector<Expanded> turns(questions.size());
        together(limits_.threads, turns.size(), [&](std::size_t q, unsigned) {
            if (!brake_.pulled()) turns[q] = moves_.turns(ids, nodes[questions[q].node], questions[q]);
        });
        if (brake_.pulled()) return false;
        for (std::size_t k = 0, q = 0; k < slides.size(); ++k) {
            if (!merge(slides[k], nodes, seen)) return false;
            for (; q < questions.size() && questions[q].node == from + k; ++q)
                if (!merge(turns[q], nodes, seen)) return false;
        }
        return true;
    }

    // False: too many positions.
    bool merge(Expanded& each, std::vector<Node>& nodes, std::unordered_map<std::string, std::size_t>& seen) {
        found_.tight += each.tight;
        for (TightTurn& tight : each.tight_turns)
            if (found_.tight_turns.size() < TurningMoves::most_tight) found_.tight_turns.push_back(std::move(tight));
        for (auto& [key, node] : each.following) {
            const auto [known, is_new] = seen.try_emplace(std::move(key), nodes.size());
            if (is_new) {
                nodes.push_back(std::move(node));
                ++found_.states;
            } else if (Node& old = nodes[known->second]; old.depth == node.depth && node.turns < old.turns) {
                old = std::move(node);
            }
        }
        over_ = found_.states > limits_.states;
        return !over_;
    }

    const Assembly& assembly_;
    const Groups& groups_;
    bool always_;
    const ApartLimits& limits_;
    const Brake& brake_;
    TurnedApart found_;
    bool over_ = false;
    std::unordered_map<std::string, Plan> known_;
    TurningMoves moves_;
};

}  // namespace

TurnedApart turn_apart(TurningShapes& shapes, const Assembly& assembly, const Groups& groups, bool always,
                       const ApartLimits& limits, const Brake& brake) {
    return Turning(shapes, assembly, groups, always, limits, brake).run();
}

std::vector<TurnedApart> turn_all_apart(TurningShapes& shapes, const std::vector<Assembly>& assemblies,
                                        const Groups& groups, bool always, const ManyLimits& limits,
                                        const std::function<bool(const ManyProgress&)>& on_progress) {
    std::vector<TurnedApart> found(assemblies.size());
    std::atomic<std::size_t> done{0};
    std::atomic<std::uint64_t> states{0};
    Brake brake;
    watched(
        limits.seconds, brake, [&](double now) { return on_progress({done, states, now}); },
        [&] {
            for (std::size_t k = 0; k < assemblies.size(); ++k, ++done) {
                found[k] =
                    turn_apart(shapes, assemblies[k], groups, always, {limits.states, limits.threads, {}}, brake);
                states += found[k].states;
            }
        });
    return found;
}

std::uint64_t count_turns(TurningShapes& shapes, const Assembly& assembly, unsigned threads) {
    const Brake brake;
    const Groups groups;
    const ApartLimits limits{0, threads, {}};
    TurningMoves moves(shapes, assembly, groups, limits, brake);
    std::vector<int> ids;
    Node node;
    for (const AssemblyPart& part : assembly.parts) {
        ids.push_back(static_cast<int>(ids.size()));
        node.parts.push_back({part.shape, part.place});
    }
    const auto questions = moves.questions(ids, node, 0);
    std::atomic<std::uint64_t> found{0};
    together(threads, questions.size(), [&](std::size_t q, unsigned) {
        for (const auto& [turn, landing] : moves.landings(ids, node, questions[q])) found += landing.how == Turned::yes;
    });
    return found;
}

}  // namespace latcover
