#include "turning_apart.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <string>
#include <tuple>
#include <unordered_map>

#include "apart_context.hpp"
#include "mover.hpp"
#include "team.hpp"
#include "watched.hpp"

namespace latcover {

namespace {

using Mask = std::uint64_t;
constexpr std::size_t most_in_mask = 64;  // parts
constexpr std::size_t most_turning = 16;  // of more parts, not all sets are tried
constexpr std::size_t most_exits = 32;    // that are compared
constexpr std::size_t most_tight = 4;     // tight turns that are told
constexpr std::size_t at_once = 64;       // positions that are expanded between looks at the limits
using Placed = std::vector<PlacedShape>;

// How a position was reached: who moved, and how.
struct Step {
    Mask who = 0;
    int direction = 0, steps = 0;
    int axis = -1, turn = 0;
    Vec shift{};
};

struct Node {
    Placed parts;
    int first = 0;  // the map that took the first part to its orientation
    std::size_t parent = 0;
    int depth = 0, turns = 0;
    Step by;
};

struct Leaving {
    std::size_t node;
    Mask who;
    int direction;
};

// What is known of a group of parts at their places.
struct Plan {
    Result result = Result::unknown;
    bool least = true;
    std::uint64_t moves = 0, turns = 0;
    std::vector<TurningParting> partings;
};

// What is in the way between parts of some shapes.
struct Kit {
    Kit(TurningShapes& shapes, const Placed& parts, const Groups& groups, const ApartLimits& limits, const Brake& brake)
        : assembly{std::vector<AssemblyPart>(parts.size())},
          context{shapes.shapes(), assembly, groups, limits, brake, static_cast<int>(parts.size())} {
        const std::size_t n = parts.size();
        context.barriers.resize(n * n);
        for (std::size_t i = 0; i < n; ++i) {
            ids.push_back(static_cast<int>(i));
            for (std::size_t j = i + 1; j < n; ++j)
                context.barriers[i * n + j] = &shapes.barriers(parts[i].shape, parts[j].shape);
        }
    }
    Assembly assembly;
    Context context;
    std::vector<int> ids;
};

class Turning {
public:
    Turning(TurningShapes& shapes, const Assembly& assembly, const Groups& groups, bool always,
            const ApartLimits& limits, const Brake& brake)
        : shapes_(shapes), assembly_(assembly), groups_(groups), always_(always), limits_(limits), brake_(brake) {}

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
        const bool some_untried = turning && ids.size() > most_turning;
        if (result != Result::apart) {
            found_.many = found_.many || ids.size() > most_in_mask || (result == Result::stuck && some_untried);
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
            const auto [stays, removed] = sides(ids, exit.who);
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

    // The two sides of a set; the one that stays first, as where parts only slide.
    std::pair<std::vector<int>, std::vector<int>> sides(const std::vector<int>& ids, Mask who) const {
        std::vector<int> in, out;
        for (std::size_t k = 0; k < ids.size(); ++k) (who >> k & 1 ? out : in).push_back(ids[k]);
        const auto rank = [&](const std::vector<int>& side) {
            int heaviest = std::numeric_limits<int>::min();
            for (const int i : side) heaviest = std::max(heaviest, assembly_.parts[i].weight);
            return std::tuple(-static_cast<std::int64_t>(heaviest), -static_cast<std::int64_t>(side.size()), side[0]);
        };
        if (rank(out) < rank(in)) std::swap(in, out);
        return {in, out};
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

    static std::vector<int> named(const std::vector<int>& ids, Mask who) {
        std::vector<int> found;
        for (std::size_t k = 0; k < ids.size(); ++k)
            if (who >> k & 1) found.push_back(ids[k]);
        return found;
    }

    TurningParting told(const std::vector<int>& ids, const std::vector<Node>& nodes, const Leaving& exit,
                        const std::vector<int>& stays, const std::vector<int>& removed) const {
        TurningParting parting{ids, stays, removed, {}};
        for (std::size_t at = exit.node; nodes[at].depth > 0; at = nodes[at].parent) {
            const Step& by = nodes[at].by;
            parting.moves.push_back({named(ids, by.who), by.direction, by.steps, false, by.axis, by.turn, by.shift});
        }
        std::reverse(parting.moves.begin(), parting.moves.end());
        const bool forwards = named(ids, exit.who) == removed;
        parting.moves.push_back({removed, exit.direction, forwards ? 1 : -1, true});
        return parting;
    }

    // Equal for positions that differ by a motion of the whole, or by an exchange of equal parts.
    std::string key_of(const std::vector<int>& ids, const Node& node) const {
        const TurningLattice& lattice = shapes_.lattice();
        int back = 0;
        if (node.first != 0 && lattice.alike)
            while (lattice.then[node.first][back] != 0) ++back;
        std::vector<std::array<int, 5>> rows;
        for (std::size_t k = 0; k < ids.size(); ++k) {
            const PlacedShape part = back == 0 ? node.parts[k] : shapes_.mapped(node.parts[k], back, {});
            rows.push_back(
                {k == 0 ? -1 : assembly_.parts[ids[k]].kind, part.shape, part.place[0], part.place[1], part.place[2]});
        }
        for (std::size_t k = rows.size(); k-- > 0;)
            for (int c = 0; c < 3; ++c) rows[k][2 + c] -= rows[0][2 + c];
        std::sort(rows.begin() + 1, rows.end());
        return {reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof rows[0]};
    }

    struct Expanded {
        std::vector<Leaving> exits;
        std::vector<std::pair<std::string, Node>> following;
        std::vector<TightTurn> tight_turns;
        std::uint64_t tight = 0;
    };

    // Breadth-first; `exits` are those of the first front that has any.
    Result search(const std::vector<int>& ids, const Placed& parts, bool turning, std::vector<Node>& nodes,
                  std::vector<Leaving>& exits) {
        if (ids.size() > most_in_mask) return Result::unknown;
        std::unordered_map<std::string, std::size_t> seen;
        nodes.push_back({parts, 0, 0, 0, 0, {}});
        seen.emplace(key_of(ids, nodes[0]), 0);
        ++found_.states;
        std::size_t from = 0;
        while (from < nodes.size()) {
            const std::size_t to = nodes.size();
            for (std::size_t at = from; at < to; at += at_once) {
                if (brake_.pulled()) return Result::unknown;
                std::vector<Expanded> found(std::min(at_once, to - at));
                const bool leaving = !exits.empty();
                together(limits_.threads, found.size(), [&](std::size_t k, unsigned) {
                    if (!brake_.pulled()) found[k] = expanded(ids, nodes[at + k], at + k, turning, leaving);
                });
                if (brake_.pulled()) return Result::unknown;
                for (Expanded& each : found) {
                    exits.insert(exits.end(), each.exits.begin(), each.exits.end());
                    if (exits.empty() && !merge(each, nodes, seen)) return Result::unknown;
                }
            }
            if (!exits.empty()) return Result::apart;
            from = to;
            found_.reached = std::max(found_.reached, nodes[from - 1].depth + (from < nodes.size()));
        }
        return Result::stuck;
    }

    // False: too many positions.
    bool merge(Expanded& each, std::vector<Node>& nodes, std::unordered_map<std::string, std::size_t>& seen) {
        found_.tight += each.tight;
        for (TightTurn& tight : each.tight_turns)
            if (found_.tight_turns.size() < most_tight) found_.tight_turns.push_back(std::move(tight));
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

    const Kit& kit(const Placed& parts) {
        std::string key;
        for (const PlacedShape& part : parts) key.append(reinterpret_cast<const char*>(&part.shape), sizeof(int));
        {
            const SharedLock hold(lock_);
            if (const auto found = kits_.find(key); found != kits_.end()) return *found->second;
        }
        auto made = std::make_unique<Kit>(shapes_, parts, groups_, limits_, brake_);
        const std::unique_lock hold(lock_);
        return *kits_.try_emplace(key, std::move(made)).first->second;
    }

    Expanded expanded(const std::vector<int>& ids, const Node& node, std::size_t number, bool turning, bool leaving) {
        Expanded found;
        const Kit& kit = this->kit(node.parts);
        Mover<1> mover(kit.context, kit.ids);
        Places places;
        for (const PlacedShape& part : node.parts) places.push_back(part.place);
        if (mover.look(places.data())) {
            mover.leavers([&](const PartSet<1>& set, int direction) {
                found.exits.push_back({number, set.words[0], direction});
                return found.exits.size() < most_exits;
            });
            return found;
        }
        if (leaving) return found;
        const Mask all = PartSet<1>::all(static_cast<int>(ids.size())).words[0];
        std::size_t n = 0;
        mover.moves([&](const PartSet<1>& set, int direction, int steps) {
            // Of a set and the rest, those move that would be removed.
            const bool forwards = sides(ids, set.words[0]).second == named(ids, set.words[0]);
            const Step by{forwards ? set.words[0] : all ^ set.words[0], direction, forwards ? steps : -steps};
            add(found, ids, node, number, by);
            return (++n & 1023) != 0 || !brake_.pulled();
        });
        if (turning) add_turns(found, ids, node, number, kit);
        return found;
    }

    void add(Expanded& found, const std::vector<int>& ids, const Node& node, std::size_t number, const Step& by) {
        Node after{node.parts, node.first, number, node.depth + 1, node.turns + (by.axis >= 0), by};
        const TurningLattice& lattice = shapes_.lattice();
        const int map = by.axis < 0 ? 0 : lattice.axes[by.axis].turns[by.turn].map;
        for (std::size_t k = 0; k < ids.size(); ++k) {
            if (!(by.who >> k & 1)) continue;
            if (by.axis >= 0) {
                after.parts[k] = shapes_.mapped(after.parts[k], map, by.shift);
                continue;
            }
            const Vec& step = shapes_.shapes().directions()[by.direction].step;
            for (int c = 0; c < 3; ++c) after.parts[k].place[c] += by.steps * step[c];
        }
        if (by.axis >= 0 && (by.who & 1)) after.first = lattice.then[node.first][map];
        std::string key = key_of(ids, after);
        found.following.emplace_back(std::move(key), std::move(after));
    }

    // Which parts touch which: one cannot go a step, one way or the other.
    static std::vector<Mask> touching(const Kit& kit, const Placed& parts) {
        const std::size_t n = parts.size();
        std::vector<Mask> found(n);
        const auto& directions = kit.context.shapes.directions();
        for (std::size_t d = 0; d < directions.size(); ++d)
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = i + 1; j < n; ++j) {
                    Vec apart;
                    for (int c = 0; c < 3; ++c) apart[c] = parts[j].place[c] - parts[i].place[c];
                    const Vec v = directions[d].mapped(apart);
                    const Barrier& b = (*kit.context.barriers[i * n + j])[d];
                    const std::uint64_t* row = b.row(v[1], v[2]);
                    if (free_down(b, row, v[0]) != 0 && free_up(b, row, v[0]) != 0) continue;
                    found[i] |= Mask{1} << j;
                    found[j] |= Mask{1} << i;
                }
        return found;
    }

    static bool is_connected(Mask set, const std::vector<Mask>& touching) {
        Mask seen = set & (~set + 1), todo = seen;
        while (todo != 0) {
            const int k = std::countr_zero(todo);
            todo &= todo - 1;
            const Mask more = touching[k] & set & ~seen;
            seen |= more;
            todo |= more;
        }
        return seen == set;
    }

    void add_turns(Expanded& found, const std::vector<int>& ids, const Node& node, std::size_t number, const Kit& kit) {
        const int n = static_cast<int>(ids.size());
        const Mask all = PartSet<1>::all(n).words[0];
        const auto touch = touching(kit, node.parts);
        const auto n_cells = [&](Mask set) {
            int sum = 0;
            for (int k = 0; k < n; ++k)
                if (set >> k & 1) sum += shapes_.n_cells(node.parts[k].shape);
            return sum;
        };
        const int whole = n_cells(all);
        const auto try_set = [&](Mask set) {
            if (!is_connected(set, touch) && !is_connected(all ^ set, touch)) return;
            const Mask who = 2 * n_cells(set) <= whole ? set : all ^ set;  // the smaller side turns
            ask(found, ids, node, number, who);
        };
        if (ids.size() <= most_turning) {
            for (Mask set = 2; set < all && !brake_.pulled(); set += 2) try_set(set);
        } else {
            for (int k = 0; k < n && !brake_.pulled(); ++k) try_set(Mask{1} << k);
        }
    }

    void ask(Expanded& found, const std::vector<int>& ids, const Node& node, std::size_t number, Mask who) {
        std::vector<TurningPart> moving, fixed;
        for (std::size_t k = 0; k < ids.size(); ++k)
            (who >> k & 1 ? moving : fixed).push_back({node.parts[k].shape, node.parts[k].place});
        const TurningLattice& lattice = shapes_.lattice();
        for (std::size_t a = 0; a < lattice.axes.size(); ++a) {
            const auto& turns = lattice.axes[a].turns;
            bool may_go_on = true;
            for (std::size_t t = 0; t < turns.size() && !brake_.pulled(); ++t) {
                if (t > 0 && (turns[t].angle > 0) != (turns[t - 1].angle > 0)) may_go_on = true;
                if (!may_go_on) continue;
                const auto landings = shapes_.land(moving, fixed, static_cast<int>(a), static_cast<int>(t));
                may_go_on = landings->ends;
                for (const Landing& landing : landings->all) {
                    const Step by{who, 0, 0, static_cast<int>(a), static_cast<int>(t), landing.shift};
                    if (landing.how == Turned::yes) add(found, ids, node, number, by);
                    else note_tight(found, ids, node, by);
                }
            }
        }
    }

    void note_tight(Expanded& found, const std::vector<int>& ids, const Node& node, const Step& by) const {
        ++found.tight;
        if (found.tight_turns.size() >= most_tight) return;
        TightTurn tight{named(ids, by.who), {}, {}, {}};
        for (const int i : ids)
            if (std::find(tight.moving.begin(), tight.moving.end(), i) == tight.moving.end()) tight.fixed.push_back(i);
        tight.parts.resize(assembly_.parts.size());
        for (std::size_t k = 0; k < ids.size(); ++k) tight.parts[ids[k]] = node.parts[k];
        tight.move = {tight.moving, 0, 0, false, by.axis, by.turn, by.shift};
        found.tight_turns.push_back(std::move(tight));
    }

    TurningShapes& shapes_;
    const Assembly& assembly_;
    const Groups& groups_;
    bool always_;
    const ApartLimits& limits_;
    const Brake& brake_;
    TurnedApart found_;
    bool over_ = false;
    std::unordered_map<std::string, Plan> known_;
    SharedMutex lock_;
    std::unordered_map<std::string, std::unique_ptr<Kit>> kits_;
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

}  // namespace latcover
