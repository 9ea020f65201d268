#include "module/plane_module.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "apart/geometry_arrays.hpp"
#include "module/arrays.hpp"
#include "plane/holes.hpp"
#include "plane/orbit_tilings.hpp"

namespace nb = nanobind;

namespace latcover {

namespace {

constexpr std::int32_t most_coordinate = 1 << 20;  // products of it with the entries of matrices stay small
constexpr int most_turns = 64, most_nodes_of_lattice = 64, most_classes = 16;
constexpr std::chrono::milliseconds between_questions{50};  // whether to go on

std::vector<std::int32_t> small_numbers(const Input<std::int32_t>& given) {
    std::vector<std::int32_t> numbers(given.data(), given.data() + given.size());
    for (const std::int32_t x : numbers)
        require(x >= -most_coordinate && x <= most_coordinate, "a coordinate is too large");
    return numbers;
}

std::vector<PlaneCell> plane_cells(const Input<std::int32_t>& rows, int n_nodes) {
    const auto numbers = small_numbers(rows);
    require(!numbers.empty() && numbers.size() % 3 == 0, "a cell has 3 numbers");
    std::vector<PlaneCell> cells;
    for (std::size_t k = 0; k < numbers.size(); k += 3) {
        require(numbers[k] >= 0 && numbers[k] < n_nodes, "a cell has an unknown node");
        cells.push_back({numbers[k], numbers[k + 1], numbers[k + 2]});
    }
    return cells;
}

// Of each node, what leads to the cells beside it; a row of four numbers for each side: both nodes and the step.
std::vector<std::vector<PlaneCell>> sides_of(int n_nodes, const Input<std::int32_t>& rows) {
    require(n_nodes >= 1 && n_nodes <= most_nodes_of_lattice, "too many nodes");
    require(rows.size() % 4 == 0, "a side has 4 numbers");
    const auto numbers = small_numbers(rows);
    std::vector<std::vector<PlaneCell>> beside(n_nodes);
    for (std::size_t k = 0; k < numbers.size(); k += 4) {
        require(numbers[k] >= 0 && numbers[k] < n_nodes && numbers[k + 1] >= 0 && numbers[k + 1] < n_nodes,
                "a side has an unknown node");
        beside[numbers[k]].push_back({numbers[k + 1], numbers[k + 2], numbers[k + 3]});
    }
    return beside;
}

// Numbers of cells or of copies, whose nodes or orientations are known.
std::vector<std::int64_t> plane_numbers(const Input<std::int64_t>& given, int n_known) {
    for (std::size_t k = 0; k < given.size(); ++k)
        require(given.data()[k] >= 0 && given.data()[k] < n_known * PlaneNumbers::units, "an unknown cell or copy");
    return {given.data(), given.data() + given.size()};
}

HoleFinder hole_finder(int n_nodes, const Input<std::int32_t>& sides, const std::vector<Input<std::int64_t>>& cells) {
    std::vector<std::vector<std::int64_t>> own;
    for (const auto& each : cells) {
        require(each.size() > 0, "an orientation has no cells");
        own.push_back(plane_numbers(each, n_nodes));
    }
    return {sides_of(n_nodes, sides), std::move(own)};
}

PlaneTurns turns_of(int n_nodes, const Input<std::int32_t>& nodes, const Input<std::int32_t>& matrices,
                    const Input<std::int32_t>& shifts) {
    require(n_nodes >= 1 && n_nodes <= most_nodes_of_lattice, "too many nodes");
    const std::size_t n_turns = matrices.size() / 4;
    require(n_turns >= 1 && n_turns <= most_turns && matrices.size() == 4 * n_turns &&
                nodes.size() == n_turns * n_nodes && shifts.size() == 2 * nodes.size(),
            "the arrays of the transformations do not fit");
    for (std::size_t k = 0; k < nodes.size(); ++k)
        require(nodes.data()[k] >= 0 && nodes.data()[k] < n_nodes, "a transformation leads to an unknown node");
    return {n_nodes, small_numbers(nodes), small_numbers(matrices), small_numbers(shifts)};
}

class OrbitTiler {
public:
    OrbitTiler(int n_nodes, const Input<std::int32_t>& nodes, const Input<std::int32_t>& matrices,
               const Input<std::int32_t>& shifts, const Input<std::int32_t>& sides)
        : turns_(turns_of(n_nodes, nodes, matrices, shifts)), beside_(sides_of(n_nodes, sides)) {}

    OrbitAnswer tile(const std::vector<Input<std::int32_t>>& shapes, const std::vector<std::vector<int>>& allowed,
                     int classes, std::optional<std::uint64_t> nodes,
                     const std::optional<nb::callable>& goes_on) const {
        require(!shapes.empty() && shapes.size() == allowed.size(), "the shapes do not fit their transformations");
        require(classes >= 1 && classes <= most_classes, "so many classes cannot be asked for");
        OrbitShapes found;
        found.beside = beside_;
        for (std::size_t s = 0; s < shapes.size(); ++s) {
            found.cells.push_back(plane_cells(shapes[s], turns_.n_nodes()));
            std::vector<bool>& may = found.allowed.emplace_back(turns_.size());
            for (const int turn : allowed[s]) {
                require(turn >= 0 && turn < turns_.size(), "an unknown transformation");
                may[turn] = true;
            }
        }
        nb::gil_scoped_release unlock;
        auto asked = std::chrono::steady_clock::now();
        const std::function<bool()> looks = [&] {
            const auto now = std::chrono::steady_clock::now();
            if (now - asked < between_questions) return true;
            asked = now;
            nb::gil_scoped_acquire lock;
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
            return !goes_on || nb::cast<bool>((*goes_on)());
        };
        return OrbitSearch(turns_, std::move(found))
            .run(classes, nodes.value_or(std::numeric_limits<std::uint64_t>::max()), looks);
    }

private:
    PlaneTurns turns_;
    std::vector<std::vector<PlaneCell>> beside_;
};

}  // namespace

void define_plane(nb::module_& m) {
    using namespace nb::literals;
    nb::class_<OrbitAnswer>(m, "OrbitAnswer")
        .def_prop_ro("found", [](const OrbitAnswer& it) { return it.end == OrbitEnd::found; })
        .def_prop_ro("complete", [](const OrbitAnswer& it) { return it.end != OrbitEnd::cut; })
        .def_prop_ro("nodes", [](const OrbitAnswer& it) { return it.nodes; })
        .def_prop_ro("period",
                     [](const OrbitAnswer& it) {
                         const Translations& group = it.tiling.group.translations;
                         return std::vector<std::vector<int>>{{group.a, group.b}, {0, group.d}};
                     })
        .def_prop_ro("motions",
                     [](const OrbitAnswer& it) {
                         std::vector<std::vector<int>> rows;
                         for (const Motion each : it.tiling.group.motions) rows.push_back({each.turn, each.x, each.y});
                         return rows;
                     })
        .def_prop_ro("tiles", [](const OrbitAnswer& it) {
            std::vector<std::vector<int>> rows;
            for (const PlaneTile& tile : it.tiling.tiles)
                rows.push_back({tile.shape, tile.motion.turn, tile.motion.x, tile.motion.y});
            return rows;
        });
    nb::class_<OrbitTiler>(m, "OrbitTiler", "Looks for tilings of the plane with few classes of tiles.")
        .def(nb::init<int, const Input<std::int32_t>&, const Input<std::int32_t>&, const Input<std::int32_t>&,
                      const Input<std::int32_t>&>(),
             "n_nodes"_a, "nodes"_a.noconvert(), "matrices"_a.noconvert(), "shifts"_a.noconvert(),
             "sides"_a.noconvert())
        .def("tile", &OrbitTiler::tile, "shapes"_a, "allowed"_a, nb::kw_only(), "classes"_a, "nodes"_a.none(),
             "goes_on"_a.none(), "Look for a tiling with at most so many classes.");
    nb::class_<HoleFinder>(m, "HoleFinder", "Finds holes between copies of shapes in the plane.")
        .def(nb::new_(&hole_finder), "n_nodes"_a, "sides"_a.noconvert(), "cells"_a)
        .def(
            "of",
            [](const HoleFinder& it, const Input<std::int64_t>& covered) {
                require(covered.size() > 0, "no cell is covered");
                nb::list holes;
                for (auto& hole : it.of(plane_numbers(covered, it.n_nodes()))) holes.append(as_numpy(std::move(hole)));
                return holes;
            },
            "covered"_a.noconvert(), "The holes between covered cells.")
        .def(
            "at_once",
            [](const HoleFinder& it, int orientation, const Input<std::int64_t>& copies) {
                require(orientation >= 0 && orientation < it.n_orientations(), "an unknown orientation");
                return as_numpy(it.at_once(orientation, plane_numbers(copies, it.n_orientations())));
            },
            "orientation"_a, "copies"_a.noconvert(),
            "Those copies that leave a hole beside the orientation which nothing fills.");
}

}  // namespace latcover
