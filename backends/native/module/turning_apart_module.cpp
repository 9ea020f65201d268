#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cmath>
#include <optional>

#include "module/arrays.hpp"
#include "module/turning_module.hpp"
#include "turning/turning_apart.hpp"
#include "turning/turning_arrays.hpp"
#include "turning/turning_moves.hpp"

namespace nb = nanobind;

namespace latcover {

namespace {

nb::tuple vector_tuple(const Vec& v) { return nb::make_tuple(v[0], v[1], v[2]); }

void define_turning_results(nb::module_& m) {
    nb::class_<TurningMove>(m, "TurningMove")
        .def_prop_ro("parts", [](const TurningMove& move) { return as_tuple(move.parts); })
        .def_ro("direction", &TurningMove::direction)
        .def_ro("steps", &TurningMove::steps)
        .def_ro("separates", &TurningMove::separates)
        .def_ro("axis", &TurningMove::axis)
        .def_ro("turn", &TurningMove::turn)
        .def_prop_ro("shift", [](const TurningMove& move) { return vector_tuple(move.shift); });
    nb::class_<TurningParting>(m, "TurningParting")
        .def_prop_ro("parts", [](const TurningParting& parting) { return as_tuple(parting.parts); })
        .def_prop_ro("stays", [](const TurningParting& parting) { return as_tuple(parting.stays); })
        .def_prop_ro("removed", [](const TurningParting& parting) { return as_tuple(parting.removed); })
        .def_ro("moves", &TurningParting::moves);
    nb::class_<TightTurn>(m, "TightTurn")
        .def_prop_ro("moving", [](const TightTurn& tight) { return as_tuple(tight.moving); })
        .def_prop_ro("fixed", [](const TightTurn& tight) { return as_tuple(tight.fixed); })
        .def_ro("move", &TightTurn::move)
        .def_prop_ro("parts", [](const TightTurn& tight) {
            nb::list parts;
            for (const PlacedShape& part : tight.parts)
                parts.append(nb::make_tuple(part.shape, vector_tuple(part.place)));
            return nb::tuple(parts);
        });
    nb::class_<TurnedApart>(m, "TurnedApart")
        .def_prop_ro("result", [](const TurnedApart& turned) { return name(turned.result); })
        .def_prop_ro("stop", [](const TurnedApart& turned) { return name(turned.cut); })
        .def_ro("many", &TurnedApart::many)
        .def_ro("least", &TurnedApart::least)
        .def_ro("states", &TurnedApart::states)
        .def_ro("reached", &TurnedApart::reached)
        .def_ro("tight", &TurnedApart::tight)
        .def_ro("tight_turns", &TurnedApart::tight_turns)
        .def_ro("partings", &TurnedApart::partings);
}

// Built step by step: the axes are added first, then shapes, then assemblies are taken apart.
class TurningAssembler {
public:
    TurningAssembler(const Input<std::int32_t>& directions, int n_nodes, const Input<std::int64_t>& hit_starts,
                     const Input<std::int32_t>& hits, const Input<std::int32_t>& maps, const Input<std::int32_t>& then,
                     bool alike, int deepest, std::uint64_t most_boxes)
        : n_nodes_(n_nodes), directions_(view(directions).begin(), view(directions).end()),
          hit_starts_(view(hit_starts).begin(), view(hit_starts).end()), hits_(view(hits).begin(), view(hits).end()) {
        require(deepest >= 4 && deepest <= 18, "deepest must lie between 4 and 18");
        lattice_.maps = maps_of(view(maps), n_nodes);
        const std::size_t n = lattice_.maps.size();
        require(then.size() == n * n, "the products of the maps do not fit");
        for (std::size_t k = 0; k < n; ++k) {
            lattice_.then.emplace_back(view(then).begin() + k * n, view(then).begin() + (k + 1) * n);
            bool has_inverse = false;
            for (const int product : lattice_.then.back()) {
                require(product >= 0 && static_cast<std::size_t>(product) < n, "a product is no map");
                has_inverse = has_inverse || product == 0;
            }
            require(has_inverse, "a map has no inverse");
        }
        lattice_.alike = alike;
        lattice_.limits = {0, deepest, most_boxes};
    }

    void add_axis(const Input<std::int64_t>& starts, const Input<double>& corners, const Input<double>& centres,
                  const Input<std::int32_t>& layers, const Input<double>& steps, const Input<std::int32_t>& rises,
                  const Input<double>& unit, double play, double bevel, double near, const Input<double>& angles,
                  const Input<std::int32_t>& maps, const Input<std::int32_t>& shifts, double reach) {
        require(shapes_ == nullptr, "axes come before shapes");
        Prisms prisms = prisms_of(view(starts), points_of(view(corners)), points_of(view(centres)), view(layers),
                                  points_of(view(steps)), view(rises));
        require(unit.size() == 9 && angles.size() == maps.size() && shifts.size() % 3 == 0, "an axis does not fit");
        require(reach > 0 && reach < 100, "the reach is too large");
        for (int k = 0; k < 9; ++k) prisms.unit[k / 3][k % 3] = view(unit)[k];
        TurningAxis axis{std::make_unique<Turner>(std::move(prisms), Erosion{play, bevel}, near), {}, {}, reach};
        for (std::size_t k = 0; k < angles.size(); ++k) {
            const int map = view(maps)[k];
            require(map > 0 && map < static_cast<int>(lattice_.maps.size()), "a turn has an unknown map");
            require(std::abs(view(angles)[k]) < 7, "an angle is too large");
            axis.turns.push_back({view(angles)[k], map});
        }
        for (std::size_t at = 0; at < shifts.size(); at += 3) axis.shifts.push_back(vec_at(view(shifts), at));
        lattice_.axes.push_back(std::move(axis));
    }

    int add_shape(const Input<std::int32_t>& cells) { return shapes().add(cells_of(view(cells), n_nodes_)); }

    // The cells of a shape: node, x, y, z of each.
    nb::object cells(int shape) {
        require(shape >= 0 && shape < shapes().size(), "an unknown shape");
        std::vector<std::int32_t> rows;
        for (const Cell& cell : shapes().cells(shape))
            rows.insert(rows.end(), {cell.node, cell.at[0], cell.at[1], cell.at[2]});
        return as_numpy(std::move(rows));
    }

    // Parts: shape, x, y, z of each.
    void strike(const Input<std::int32_t>& moving, const Input<std::int32_t>& fixed, int axis, int turn,
                const std::array<int, 3>& shift) {
        require(moving.size() > 0, "nothing moves");
        require(axis >= 0 && axis < static_cast<int>(shapes().lattice().axes.size()), "an unknown axis");
        require(turn >= 0 && turn < static_cast<int>(shapes().lattice().axes[axis].turns.size()), "an unknown turn");
        shapes().strike(placed(view(moving)), placed(view(fixed)), axis, turn, {shift[0], shift[1], shift[2]});
    }

    void restore() { shapes().restore(); }

    std::vector<TurnedApart> take_apart(const Input<std::int64_t>& starts, const Input<std::int32_t>& parts,
                                        int n_kinds, const Input<std::int32_t>& limits, bool always,
                                        std::uint64_t max_states, std::optional<double> max_seconds, unsigned threads,
                                        nb::object on_progress) {
        require(threads >= 1 && threads <= 1024, "threads must lie between 1 and 1024");
        const Groups groups = groups_of(view(limits), n_kinds);
        const std::vector<Assembly> assemblies = assemblies_of(view(starts), view(parts), n_kinds, shapes().size());
        const ManyLimits bounds{max_states, max_seconds.value_or(std::numeric_limits<double>::infinity()), threads};
        const auto progress = [&](const ManyProgress& so_far) {
            nb::gil_scoped_acquire lock;
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
            return on_progress.is_none() || nb::cast<bool>(on_progress(so_far.done, so_far.states, so_far.seconds));
        };
        nb::gil_scoped_release unlock;
        return turn_all_apart(*shapes_, assemblies, groups, always, bounds, progress);
    }

    // How many turns sets of parts can make where they are, and how many questions were asked for that.
    std::pair<std::uint64_t, std::uint64_t> count_turns(const Input<std::int32_t>& parts, int n_kinds,
                                                        unsigned threads) {
        require(threads >= 1 && threads <= 1024, "threads must lie between 1 and 1024");
        const std::vector<std::int64_t> starts{0, static_cast<std::int64_t>(parts.size() / 6)};
        const std::vector<Assembly> one = assemblies_of(starts, view(parts), n_kinds, shapes().size());
        require(one[0].parts.size() <= TurningMoves::most_turning, "too many parts");
        nb::gil_scoped_release unlock;
        const std::uint64_t before = shapes_->asked(), found = latcover::count_turns(*shapes_, one[0], threads);
        return {found, shapes_->asked() - before};
    }

private:
    std::vector<TurningPart> placed(Numbers rows) {
        require(rows.size() % 4 == 0, "a part has 4 numbers");
        std::vector<TurningPart> parts;
        for (std::size_t at = 0; at < rows.size(); at += 4) {
            require(rows[at] >= 0 && rows[at] < shapes().size(), "a part has an unknown shape");
            parts.push_back({rows[at], vec_at(rows, at + 1)});
        }
        return parts;
    }

    TurningShapes& shapes() {
        if (shapes_ == nullptr) {
            auto [ways, met] = sliding_of(directions_, n_nodes_, hit_starts_, hits_);
            shapes_ = std::make_unique<TurningShapes>(
                std::make_unique<Shapes>(std::move(ways), n_nodes_, std::move(met)), std::move(lattice_));
        }
        return *shapes_;
    }

    int n_nodes_;
    std::vector<std::int32_t> directions_;
    std::vector<std::int64_t> hit_starts_;
    std::vector<std::int32_t> hits_;
    TurningLattice lattice_;
    std::unique_ptr<TurningShapes> shapes_;
};

}  // namespace

void define_turning_assembler(nb::module_& m) {
    using namespace nb::literals;
    define_turning_results(m);
    using Whole = Input<std::int32_t>;
    using Long = Input<std::int64_t>;
    nb::class_<TurningAssembler>(m, "TurningAssembler", "Takes assemblies of parts apart by sliding and turning.")
        .def(nb::init<const Whole&, int, const Long&, const Whole&, const Whole&, const Whole&, bool, int,
                      std::uint64_t>(),
             "directions"_a.noconvert(), "n_nodes"_a, "hit_starts"_a.noconvert(), "hits"_a.noconvert(), nb::kw_only(),
             "maps"_a.noconvert(), "then"_a.noconvert(), "alike"_a, "deepest"_a, "most_boxes"_a)
        .def("add_axis", &TurningAssembler::add_axis, "starts"_a.noconvert(), "corners"_a.noconvert(),
             "centres"_a.noconvert(), "layers"_a.noconvert(), "steps"_a.noconvert(), "rises"_a.noconvert(),
             nb::kw_only(), "unit"_a.noconvert(), "play"_a, "bevel"_a, "near"_a, "angles"_a.noconvert(),
             "maps"_a.noconvert(), "shifts"_a.noconvert(), "reach"_a)
        .def("add_shape", &TurningAssembler::add_shape, "cells"_a.noconvert(), "Add a shape; returns its number.")
        .def("cells", &TurningAssembler::cells, "shape"_a, "The cells of a shape.")
        .def("strike", &TurningAssembler::strike, "moving"_a.noconvert(), "fixed"_a.noconvert(), nb::kw_only(),
             "axis"_a, "turn"_a, "shift"_a, "Take a turn of these parts for impossible.")
        .def(
            "restore", [](TurningAssembler& it) { it.restore(); }, "Forget which turns were taken for impossible.")
        .def("take_apart", &TurningAssembler::take_apart, "starts"_a.noconvert(), "parts"_a.noconvert(), nb::kw_only(),
             "n_kinds"_a, "limits"_a.noconvert(), "always"_a, "max_states"_a, "max_seconds"_a.none(), "threads"_a,
             "on_progress"_a.none(), "Take assemblies apart.")
        .def("count_turns", &TurningAssembler::count_turns, "parts"_a.noconvert(), nb::kw_only(), "n_kinds"_a,
             "threads"_a, "How many turns the parts of an assembly can make, and how many questions were asked.");
}

}  // namespace latcover
