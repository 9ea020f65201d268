// Groups of parts are parted again and again, each time by a shortest separation; of several the one with the fewest
// moves below it is taken. What is known of a group at its places is remembered.

#include "apart/taking_apart.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "apart/group_search.hpp"

namespace latcover {

namespace {

// Positions that may be spent on comparing, beside as many as the first plan took.
constexpr std::uint64_t free_comparing = 2'000;

// What is known of a group of parts at their places.
struct Known {
    Result result = Result::unknown;
    std::uint64_t moves = 0;
    bool least = true;
    std::vector<int> ids;
    std::vector<SlideMove> way;  // parts by their numbers in the assembly
    std::vector<int> slots;      // ids[slots[k]] stands where the groups below name ids[k]
    std::vector<int> stays, removed;
    std::shared_ptr<const Known> below_stays, below_removed;
};

template <int W>
class Taking {
public:
    using Set = PartSet<W>;

    explicit Taking(Context& context) : context_(context) {}

    TakenApart run() {
        std::vector<int> ids(context_.n);
        Places places(context_.n);
        for (int i = 0; i < context_.n; ++i) {
            ids[i] = i;
            places[i] = context_.assembly.parts[i].place;
        }
        context_.most_states = context_.limits.states;
        const auto known = solve(ids, places);
        TakenApart taken;
        taken.result = known->result;
        taken.least = known->least;
        taken.states = context_.states;
        taken.reached = context_.reached;
        if (known->result == Result::unknown)
            taken.cut = context_.brake.pulled() ? static_cast<Cut>(context_.brake.cut.load()) : Cut::states;
        if (known->result == Result::apart) write(*known, ids, taken.partings);
        return taken;
    }

private:
    using Answer = std::shared_ptr<const Known>;

    // Whether these parts may stay together.
    bool is_done(const std::vector<int>& ids) const {
        if (ids.size() <= 1) return true;
        return std::any_of(context_.groups.begin(), context_.groups.end(), [&](const std::vector<int>& most) {
            std::unordered_map<int, int> copies;
            return std::all_of(ids.begin(), ids.end(), [&](int i) {
                const int kind = context_.assembly.parts[i].kind;
                return ++copies[kind] <= most[kind];
            });
        });
    }

    std::uint64_t fewest(const std::vector<int>& ids) const {
        if (context_.groups.empty()) return ids.size() - 1;
        return is_done(ids) ? 0 : 1;
    }

    Answer solve(const std::vector<int>& ids, const Places& places) {
        if (is_done(ids)) {
            auto known = std::make_shared<Known>();
            known->result = Result::apart;
            known->ids = ids;
            return known;
        }
        std::string key;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const int numbers[4] = {ids[i], places[i][0] - places[0][0], places[i][1] - places[0][1],
                                    places[i][2] - places[0][2]};
            key.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
        }
        if (const auto found = known_.find(key); found != known_.end()) return found->second;
        const std::uint64_t before = context_.states;
        Answer known = search(ids, places, false);
        if (known == nullptr) {
            context_.states = before;
            known = search(ids, places, true);
        }
        if (known == nullptr) known = std::make_shared<Known>();
        return known_[key] = known;
    }

    // None: parts went too far for keys of this width.
    Answer search(const std::vector<int>& ids, const Places& places, bool wide) {
        auto known = std::make_shared<Known>();
        known->ids = ids;
        GroupSearch<W> group(context_, ids, places, wide);
        known->result = group.run();
        if (group.too_far()) return nullptr;
        if (known->result != Result::apart) return known;
        known->least = !group.exits_cut();
        const std::uint64_t own = group.depth() + 1;
        std::uint64_t best = std::numeric_limits<std::uint64_t>::max();
        const Exit<W>* chosen = nullptr;
        bool doubtful = false;
        std::unordered_set<std::string> seen;
        for (const Exit<W>& exit : group.exits()) {
            const auto [stays, removed] = parted(ids, exit.leaving);
            const std::uint64_t low_stays = fewest(stays.ids), low_removed = fewest(removed.ids);
            if (own + low_stays + low_removed >= best) continue;
            if (chosen != nullptr) {  // from here on the aim is only to need fewer moves
                if (context_.states >= context_.most_states || context_.brake.pulled() || !may_compare()) {
                    known->least = false;
                    break;
                }
            }
            const Comparing comparing(*this, chosen != nullptr);
            const Answer one = solve(stays.ids, placed(stays, *exit.places));
            if (one->result == Result::stuck) return stuck(ids);
            if (one->result == Result::unknown) {
                doubtful = true;
                if (context_.states > context_.most_states || context_.brake.pulled()) break;
                continue;
            }
            if (own + one->moves + low_removed >= best) continue;
            const Answer other = solve(removed.ids, placed(removed, *exit.places));
            if (other->result == Result::stuck) return stuck(ids);
            if (other->result == Result::unknown) {
                doubtful = true;
                if (context_.states > context_.most_states || context_.brake.pulled()) break;
                continue;
            }
            const std::uint64_t total = own + one->moves + other->moves;
            if (total < best) {
                best = total;
                chosen = &exit;
                known->below_stays = one;
                known->below_removed = other;
                known->stays = stays.ids;
                known->removed = removed.ids;
                const bool fewest_of_all = total == own + fewest_below(ids);
                known->least = known->least && one->least && other->least;
                if (fewest_of_all) {
                    known->least = true;
                    break;
                }
            }
        }
        if (chosen == nullptr) {
            known->result = Result::unknown;
            return known;
        }
        if (doubtful) known->least = false;
        known->moves = best;
        tell_way(group, *chosen, *known);
        return known;
    }

    // The fewest moves that two groups can need, if these parts make them up.
    std::uint64_t fewest_below(const std::vector<int>& ids) const {
        return context_.groups.empty() ? ids.size() - 2 : 0;
    }

    // Counts the positions that are examined only to need fewer moves. They must not be many more than those of the
    // first plan.
    struct Comparing {
        Comparing(Taking& taking, bool begins) : owner(taking), first(begins && taking.comparing_since_ == 0) {
            if (first) owner.comparing_since_ = owner.context_.states;
        }
        ~Comparing() {
            if (!first) return;
            owner.compared_ += owner.context_.states - owner.comparing_since_;
            owner.comparing_since_ = 0;
        }
        Comparing(const Comparing&) = delete;
        Comparing& operator=(const Comparing&) = delete;
        Taking& owner;
        bool first;
    };

    bool may_compare() const {
        const std::uint64_t now = comparing_since_ == 0 ? 0 : context_.states - comparing_since_;
        return compared_ + now < free_comparing + (context_.states - compared_ - now);
    }

    Answer stuck(const std::vector<int>& ids) const {
        auto known = std::make_shared<Known>();
        known->result = Result::stuck;
        known->ids = ids;
        return known;
    }

    struct Side {
        std::vector<int> ids, slots;  // numbers in the assembly, and within the group
    };

    // The two groups; the one that stays first: the one with the heaviest part, with more parts, with the first part.
    std::pair<Side, Side> parted(const std::vector<int>& ids, const Set& leaving) const {
        Side in, out;
        for (std::size_t k = 0; k < ids.size(); ++k) {
            Side& side = leaving.has(static_cast<int>(k)) ? out : in;
            side.ids.push_back(ids[k]);
            side.slots.push_back(static_cast<int>(k));
        }
        const auto rank = [&](const Side& side) {
            int heaviest = std::numeric_limits<int>::min();
            for (const int i : side.ids) heaviest = std::max(heaviest, context_.assembly.parts[i].weight);
            return std::tuple(-static_cast<std::int64_t>(heaviest), -static_cast<std::int64_t>(side.ids.size()),
                              side.ids[0]);
        };
        if (rank(out) < rank(in)) std::swap(in, out);
        return {in, out};
    }

    static Places placed(const Side& side, const Places& places) {
        Places found;
        for (const int k : side.slots) found.push_back(places[k]);
        return found;
    }

    void tell_way(const GroupSearch<W>& group, const Exit<W>& exit, Known& known) const {
        const auto& ids = known.ids;
        const auto add = [&](const Set& set, int direction, int steps, bool separates) {
            const auto [stays, removed] = parted(ids, set);
            const bool turned = !set.has(removed.slots[0]);
            known.way.push_back({removed.ids, direction, turned ? -steps : steps, separates});
        };
        for (const auto& [set, move] : group.way(exit.position, known.slots)) add(set, move.first, move.second, false);
        // The parts that leave are named by slots, as the groups below are.
        const auto [stays, removed] = parted(ids, exit.leaving);
        const bool turned = !exit.leaving.has(removed.slots[0]);
        known.way.push_back({removed.ids, exit.direction, turned ? -1 : 1, true});
    }

    // List the separations of `known`. names[k] is the part that its name ids[k] stands for.
    void write(const Known& known, const std::vector<int>& names, std::vector<Parting>& into) const {
        if (known.way.empty()) return;
        std::unordered_map<int, int> entering, leaving;
        for (std::size_t k = 0; k < known.ids.size(); ++k) entering[known.ids[k]] = names[k];
        for (std::size_t k = 0; k < known.ids.size(); ++k) leaving[known.ids[k]] = names[known.slots[k]];
        const auto renamed = [](const std::vector<int>& ids, const std::unordered_map<int, int>& by) {
            std::vector<int> found;
            for (const int i : ids) found.push_back(by.at(i));
            return found;
        };
        const auto sorted = [](std::vector<int> ids) {
            std::sort(ids.begin(), ids.end());
            return ids;
        };
        Parting parting;
        parting.parts = sorted(names);
        for (const SlideMove& move : known.way) {
            const auto& by = move.separates ? leaving : entering;
            parting.moves.push_back({sorted(renamed(move.parts, by)), move.direction, move.steps, move.separates});
        }
        const auto stays = renamed(known.stays, leaving), removed = renamed(known.removed, leaving);
        parting.stays = sorted(stays);
        parting.removed = sorted(removed);
        into.push_back(std::move(parting));
        write(*known.below_stays, stays, into);
        write(*known.below_removed, removed, into);
    }

    Context& context_;
    std::unordered_map<std::string, Answer> known_;
    std::uint64_t compared_ = 0, comparing_since_ = 0;
};

}  // namespace

TakenApart take_apart(Shapes& shapes, const Assembly& assembly, const Groups& groups, const ApartLimits& limits,
                      const Brake& brake) {
    const int n = static_cast<int>(assembly.parts.size());
    Context context{shapes, assembly, groups, limits, brake, n};
    context.barriers.resize(static_cast<std::size_t>(n) * n);
    for (int i = 0; i < n && !brake.pulled(); ++i)
        for (int j = i + 1; j < n; ++j)
            context.barriers[static_cast<std::size_t>(i) * n + j] =
                &shapes.barriers(assembly.parts[i].shape, assembly.parts[j].shape);
    if (brake.pulled()) {
        TakenApart taken;
        taken.cut = static_cast<Cut>(brake.cut.load());
        return taken;
    }
    if (n <= 64) return Taking<1>(context).run();
    if (n <= 128) return Taking<2>(context).run();
    return Taking<4>(context).run();
}

}  // namespace latcover
