// Taking an assembly apart, as engine.js calls it.

#include <cmath>
#include <limits>

#include "apart/geometry_arrays.hpp"
#include "apart/taking_apart.hpp"
#include "cover/search.hpp"
#include "host.hpp"
#include "json.hpp"

namespace latcover {
namespace {

constexpr double between_looks = 0.05;  // seconds

std::string as_json(const SlideMove& move) {
    return JsonObject()
        .with_text("pieces", json_list(move.parts))
        .with("direction", move.direction)
        .with("steps", move.steps)
        .with("separates", move.separates)
        .text();
}

std::string as_json(const Parting& parting) {
    return JsonObject()
        .with_text("pieces", json_list(parting.parts))
        .with_text("stays", json_list(parting.stays))
        .with_text("removed", json_list(parting.removed))
        .with_text("moves", json_list(parting.moves, [](const SlideMove& move) { return as_json(move); }))
        .text();
}

std::string as_json(const TakenApart& taken) {
    return JsonObject()
        .with("result", name(taken.result))
        .with("stop", name(taken.cut))
        .with("least", taken.least)
        .with("states", taken.states)
        .with("reached", taken.reached)
        .with_text("separations", json_list(taken.partings, [](const Parting& parting) { return as_json(parting); }))
        .text();
}

}  // namespace
}  // namespace latcover

using namespace latcover;

extern "C" {

// See geometry_arrays.hpp. shape_starts: where each shape begins among the cells. The parts are one assembly.
LATCOVER_EXPORT("take_apart")
void latcover_take_apart(const std::int32_t* directions, std::size_t n_directions, const std::int64_t* hit_starts,
                         std::size_t n_hit_starts, const std::int32_t* hits, std::size_t n_hits,
                         const std::int32_t* shape_starts, std::size_t n_shape_starts, const std::int32_t* cells,
                         std::size_t n_cells, const std::int32_t* parts, std::size_t n_parts,
                         const std::int32_t* limits, std::size_t n_limits, std::int32_t n_nodes, std::int32_t n_kinds,
                         double most_states, double seconds) {
    auto [ways, met] = sliding_of({directions, n_directions}, n_nodes, {hit_starts, n_hit_starts}, {hits, n_hits});
    Shapes shapes(std::move(ways), n_nodes, std::move(met));
    require(n_shape_starts > 0 && shape_starts[0] == 0, "shape_starts do not fit the cells");
    for (std::size_t k = 0; k + 1 < n_shape_starts; ++k) {
        const auto from = shape_starts[k], to = shape_starts[k + 1];
        require(from < to && static_cast<std::size_t>(to) <= n_cells / 4, "shape_starts do not fit the cells");
        shapes.add(
            cells_of({cells + 4 * static_cast<std::size_t>(from), 4 * static_cast<std::size_t>(to - from)}, n_nodes));
    }
    const std::int64_t starts[] = {0, static_cast<std::int64_t>(n_parts / 6)};
    const Groups groups = groups_of({limits, n_limits}, n_kinds);
    const auto assemblies = assemblies_of(starts, {parts, n_parts}, n_kinds, shapes.size());

    Brake brake;
    const Clock clock;
    double next_look = between_looks;
    ApartLimits bounds{most_states < 0x1p63 ? static_cast<std::uint64_t>(most_states)
                                            : std::numeric_limits<std::uint64_t>::max()};
    bounds.on_block = [&](std::uint64_t states) {
        const double now = clock.seconds();
        if (now > seconds) brake.pull(Cut::time);
        if (now < next_look) return;
        next_look = now + between_looks;
        if (host_progress(0, static_cast<double>(states), 0, now) == 0) brake.pull(Cut::cancelled);
    };
    answer(as_json(take_apart(shapes, assemblies[0], groups, bounds, brake)));
}
}
