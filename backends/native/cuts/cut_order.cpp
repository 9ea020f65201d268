// Whether parts come apart in one order. The parts that slide may be anywhere where no two groups have separated yet.
// Each group is looked at from where its parts lie in the assembly: what a group can do within the whole, it can do by
// itself too, so the groups that the whole leaves behind need no looking at of their own.

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_set>

#include "apart/mover.hpp"
#include "cuts/cut_judge.hpp"

namespace latcover {

namespace {

constexpr double touch = 1e-6;  // a smaller gap is none

// All parts of an assembly at their places.
struct Scene {
    Scene(Shapes& shapes, const Assembly& assembly)
        : context{shapes, assembly, none, limits, brake, static_cast<int>(assembly.parts.size())} {
        const auto n = assembly.parts.size();
        context.barriers.resize(n * n);
        for (std::size_t i = 0; i < n; ++i) {
            ids.push_back(static_cast<int>(i));
            places.push_back(assembly.parts[i].place);
            for (std::size_t j = i + 1; j < n; ++j)
                context.barriers[i * n + j] = &shapes.barriers(assembly.parts[i].shape, assembly.parts[j].shape);
        }
    }

    Groups none;
    ApartLimits limits;
    Brake brake;
    Context context;
    std::vector<int> ids;
    Places places;
};

// Some parts of an assembly by themselves.
template <int W>
class Group {
public:
    using Set = PartSet<W>;

    Group(const Scene& scene, const CutGeometry& geometry, const std::vector<Reach>& reaches,
          const std::vector<int>& ids)
        : geometry_(geometry), n_(static_cast<int>(ids.size())), mover_(scene.context, ids), order_(ids.size()) {
        for (const int id : ids) {
            start_.push_back(scene.places[id]);
            reaches_.push_back(&reaches[id]);
        }
    }

    bool parts_in_one_way(std::uint64_t most_states, const Brake& brake) {
        if (n_ == 2) return true;
        std::unordered_set<std::string> seen{key_of(start_)};
        std::deque<Places> waiting{start_};
        while (!waiting.empty()) {
            const Places places = std::move(waiting.front());
            waiting.pop_front();
            if (brake.pulled()) return false;
            bool parted = false;
            if (!separated(places, [&](const Set& set) {
                    parted = true;
                    return is_the_one(set);
                }))
                return false;
            if (parted) continue;
            bool one = true;
            if (mover_.look(places.data())) mover_.leavers([&](const Set& set, int) { return one = is_the_one(set); });
            if (!one) return false;
            mover_.steps([&](const Set& set, const Vec& step) {
                Places moved = places;
                set.each([&](int i) {
                    for (int c = 0; c < 3; ++c) moved[i][c] += step[c];
                });
                if (seen.insert(key_of(moved)).second) waiting.push_back(std::move(moved));
                return seen.size() <= most_states;
            });
            if (seen.size() > most_states) return false;
        }
        return one_.has_value();
    }

private:
    static std::string key_of(const Places& places) {
        std::string key;
        for (const Vec& at : places)
            for (int c = 0; c < 3; ++c) {
                const int offset = at[c] - places[0][c];
                key.append(reinterpret_cast<const char*>(&offset), sizeof offset);
            }
        return key;
    }

    // Whether these parts and the rest are the same two groups as all before.
    bool is_the_one(const Set& set) {
        const Set group = set.has(0) ? Set::all(n_).without(set) : set;
        if (!one_) one_ = group;
        return *one_ == group;
    }

    // Hand on each group that a plane across a direction separates from the rest, with a greater gap than at the
    // start. False from it ends the listing.
    template <typename Act>
    bool separated(const Places& places, Act act) {
        for (std::size_t d = 0; d < geometry_.rises.size(); ++d) {
            const auto reach = [&](int i, const Places& where) {
                const auto& [low, high] = (*reaches_[i])[d];
                const auto& rise = geometry_.rises[d];
                const double up = rise[0] * where[i][0] + rise[1] * where[i][1] + rise[2] * where[i][2];
                return std::pair{low + up, high + up};
            };
            for (int i = 0; i < n_; ++i) order_[i] = i;
            std::sort(order_.begin(), order_.end(),
                      [&](int i, int j) { return reach(i, places).first < reach(j, places).first; });
            Set below{};
            double top = -1e300, top_then = -1e300;
            for (int k = 0; k + 1 < n_; ++k) {
                below.add(order_[k]);
                top = std::max(top, reach(order_[k], places).second);
                const double gap = reach(order_[k + 1], places).first - top;
                if (gap < -touch) continue;
                double then = 1e300;
                for (int i = 0; i < n_; ++i) {
                    const auto [low, high] = reach(i, start_);
                    if (below.has(i)) top_then = std::max(top_then, high);
                    else then = std::min(then, low);
                }
                if (gap > then - top_then + touch && !act(below)) return false;
            }
        }
        return true;
    }

    const CutGeometry& geometry_;
    int n_;
    Mover<W> mover_;
    Places start_;
    std::vector<const Reach*> reaches_;
    std::vector<int> order_;
    std::optional<Set> one_;
};

// Calls act with as many words as a set of n parts takes.
template <typename Act>
auto with_words(std::size_t n, Act act) {
    if (n <= 64) return act(std::integral_constant<int, 1>{});
    if (n <= 128) return act(std::integral_constant<int, 2>{});
    static_assert(most_parts <= 256);
    return act(std::integral_constant<int, 4>{});
}

}  // namespace

int ways_out(Shapes& shapes, const Assembly& assembly) {
    const Scene scene(shapes, assembly);
    return with_words(scene.ids.size(), [&](auto words) {
        Mover<words()> mover(scene.context, scene.ids);
        int n = 0;
        if (mover.look(scene.places.data())) mover.leavers([&](const auto&, int) { return ++n < 1000; });
        return n;
    });
}

int partings_in_one_way(Shapes& shapes, const Assembly& assembly, const CutGeometry& geometry,
                        const std::vector<Reach>& reaches, const std::vector<Parting>& partings,
                        std::uint64_t most_states, const Brake& brake) {
    const Scene scene(shapes, assembly);
    return static_cast<int>(std::count_if(partings.begin(), partings.end(), [&](const Parting& parting) {
        return with_words(parting.parts.size(), [&](auto words) {
            return Group<words()>(scene, geometry, reaches, parting.parts).parts_in_one_way(most_states, brake);
        });
    }));
}

}  // namespace latcover
