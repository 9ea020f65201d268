#include "turning/turning_moves.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <tuple>

#include "apart/apart_context.hpp"
#include "apart/mover.hpp"

namespace latcover {

namespace {

bool is_connected(TurningMoves::Mask set, const std::vector<TurningMoves::Mask>& touching) {
    TurningMoves::Mask seen = set & (~set + 1), todo = seen;
    while (todo != 0) {
        const int k = std::countr_zero(todo);
        todo &= todo - 1;
        const TurningMoves::Mask more = touching[k] & set & ~seen;
        seen |= more;
        todo |= more;
    }
    return seen == set;
}

Places places_of(const TurningMoves::Placed& parts) {
    Places places;
    for (const PlacedShape& part : parts) places.push_back(part.place);
    return places;
}

}  // namespace

// What is in the way between parts of some shapes.
struct TurningMoves::Kit {
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

TurningMoves::TurningMoves(TurningShapes& shapes, const Assembly& assembly, const Groups& groups,
                           const ApartLimits& limits, const Brake& brake)
    : shapes_(shapes), assembly_(assembly), groups_(groups), limits_(limits), brake_(brake) {}

TurningMoves::~TurningMoves() = default;

std::pair<TurningMoves::Ids, TurningMoves::Ids> TurningMoves::sides(const Ids& ids, Mask who) const {
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

TurningMoves::Ids TurningMoves::named(const Ids& ids, Mask who) {
    std::vector<int> found;
    for (std::size_t k = 0; k < ids.size(); ++k)
        if (who >> k & 1) found.push_back(ids[k]);
    return found;
}

std::string TurningMoves::key_of(const Ids& ids, const Node& node) const {
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

const TurningMoves::Kit& TurningMoves::kit(const Placed& parts) {
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

std::vector<TurningMoves::Leaving> TurningMoves::exits(const Ids&, const Node& node, std::size_t number) {
    std::vector<Leaving> found;
    const Kit& kit = this->kit(node.parts);
    Mover<1> mover(kit.context, kit.ids);
    if (mover.look(places_of(node.parts).data()))
        mover.leavers([&](const PartSet<1>& set, int direction) {
            found.push_back({number, set.words[0], direction});
            return found.size() < most_exits;
        });
    return found;
}

TurningMoves::Expanded TurningMoves::slides(const Ids& ids, const Node& node, std::size_t number) {
    Expanded found;
    const Kit& kit = this->kit(node.parts);
    Mover<1> mover(kit.context, kit.ids);
    mover.look(places_of(node.parts).data());
    const Mask all = PartSet<1>::all(static_cast<int>(ids.size())).words[0];
    std::size_t n = 0;
    mover.moves([&](const PartSet<1>& set, int direction, int steps) {
        // Of a set and the rest, those move that would be removed.
        const bool forwards = sides(ids, set.words[0]).second == named(ids, set.words[0]);
        const Step by{forwards ? set.words[0] : all ^ set.words[0], direction, forwards ? steps : -steps};
        add(found, ids, node, number, by);
        return (++n & 1023) != 0 || !brake_.pulled();
    });
    return found;
}

void TurningMoves::add(Expanded& found, const Ids& ids, const Node& node, std::size_t number, const Step& by) {
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
std::vector<TurningMoves::Mask> TurningMoves::touching(const Kit& kit, const Placed& parts) {
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

std::vector<TurningMoves::Question> TurningMoves::questions(const Ids& ids, const Node& node, std::size_t number) {
    const int n = static_cast<int>(ids.size());
    const Mask all = PartSet<1>::all(n).words[0];
    const auto touch = touching(kit(node.parts), node.parts);
    const auto n_cells = [&](Mask set) {
        int sum = 0;
        for (int k = 0; k < n; ++k)
            if (set >> k & 1) sum += shapes_.n_cells(node.parts[k].shape);
        return sum;
    };
    const int whole = n_cells(all);
    const int n_axes = static_cast<int>(shapes_.lattice().axes.size());
    std::vector<Question> found;
    const auto try_set = [&](Mask set) {
        if (!is_connected(set, touch) && !is_connected(all ^ set, touch)) return;
        const Mask who = 2 * n_cells(set) <= whole ? set : all ^ set;  // the smaller side turns
        for (int axis = 0; axis < n_axes; ++axis)
            for (const bool backwards : {false, true}) found.push_back({number, who, axis, backwards});
    };
    if (ids.size() <= most_turning) {
        for (Mask set = 2; set < all; set += 2) try_set(set);
    } else {
        for (int k = 0; k < n; ++k) try_set(Mask{1} << k);
    }
    return found;
}

TurningMoves::Expanded TurningMoves::turns(const Ids& ids, const Node& node, const Question& question) {
    Expanded found;
    for (const auto& [turn, landing] : landings(ids, node, question)) {
        const Step by{question.who, 0, 0, question.axis, turn, landing.shift};
        if (landing.how == Turned::yes) add(found, ids, node, question.node, by);
        else note_tight(found, ids, node, by);
    }
    return found;
}

std::vector<std::pair<int, Landing>> TurningMoves::landings(const Ids& ids, const Node& node,
                                                            const Question& question) {
    std::vector<TurningPart> moving, fixed;
    for (std::size_t k = 0; k < ids.size(); ++k)
        (question.who >> k & 1 ? moving : fixed).push_back({node.parts[k].shape, node.parts[k].place});
    const auto& turns = shapes_.lattice().axes[question.axis].turns;
    std::vector<std::pair<int, Landing>> found;
    bool may_go_on = true;
    for (std::size_t t = 0; t < turns.size() && may_go_on && !brake_.pulled(); ++t) {
        if ((turns[t].angle < 0) != question.backwards) continue;
        const auto landings = shapes_.land(moving, fixed, question.axis, static_cast<int>(t));
        may_go_on = landings->ends;
        for (const Landing& landing : landings->all) found.emplace_back(static_cast<int>(t), landing);
    }
    return found;
}

void TurningMoves::note_tight(Expanded& found, const Ids& ids, const Node& node, const Step& by) const {
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

}  // namespace latcover
