// Whether parts come apart in one order. All positions of a group are connected with each other by moves, so those that
// its own parts can reach do not depend on how the group came free. So each group is looked at once.

#include <deque>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_set>

#include "cut_judge.hpp"
#include "mover.hpp"

namespace latcover {

namespace {

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

template <int W>
struct Order {
    using Set = PartSet<W>;

    const Context& context;
    const Brake& brake;
    std::uint64_t left;

    static std::string key_of(const Places& places) {
        std::string key;
        for (const Vec& at : places)
            for (int c = 0; c < 3; ++c) {
                const int offset = at[c] - places[0][c];
                key.append(reinterpret_cast<const char*>(&offset), sizeof offset);
            }
        return key;
    }

    bool holds(const std::vector<int>& ids, const Places& from) {
        if (ids.size() < 2) return true;
        const int n = static_cast<int>(ids.size());
        Mover<W> mover(context, ids);
        std::unordered_set<std::string> seen{key_of(from)};
        std::deque<Places> waiting{from};
        std::optional<Set> parted;
        Places free;
        bool one = true;
        while (!waiting.empty() && one) {
            const Places places = std::move(waiting.front());
            waiting.pop_front();
            if (left == 0 || brake.pulled()) return false;
            --left;
            if (mover.look(places.data())) {
                mover.leavers([&](const Set& set, int) {
                    const Set group = set.has(0) ? Set::all(n).without(set) : set;
                    if (!parted) {
                        parted = group;
                        free = places;
                    }
                    return one = *parted == group;
                });
                continue;
            }
            mover.moves([&](const Set& set, int direction, int steps) {
                Places moved = places;
                const Vec& step = context.shapes.directions()[direction].step;
                set.each([&](int i) {
                    for (int c = 0; c < 3; ++c) moved[i][c] += steps * step[c];
                });
                if (seen.insert(key_of(moved)).second) waiting.push_back(std::move(moved));
                return seen.size() < left + 2;
            });
        }
        if (!one || !parted) return false;
        std::vector<int> groups[2];
        Places places[2];
        for (int i = 0; i < n; ++i) {
            groups[parted->has(i)].push_back(ids[i]);
            places[parted->has(i)].push_back(free[i]);
        }
        return holds(groups[0], places[0]) && holds(groups[1], places[1]);
    }
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

bool in_one_order(Shapes& shapes, const Assembly& assembly, std::uint64_t most_states, const Brake& brake) {
    const Scene scene(shapes, assembly);
    return with_words(scene.ids.size(), [&](auto words) {
        Order<words()> order{scene.context, brake, most_states};
        return order.holds(scene.ids, scene.places);
    });
}

}  // namespace latcover
