#include "module/turning_module.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "apart/geometry_arrays.hpp"
#include "giving/giving.hpp"
#include "module/arrays.hpp"
#include "turning/turner.hpp"
#include "turning/turning_arrays.hpp"

namespace nb = nanobind;

namespace latcover {

namespace {

std::vector<double> as_rows(const std::vector<TurnPose>& path) {
    std::vector<double> rows;
    for (const TurnPose& pose : path) rows.insert(rows.end(), {pose.angle, pose.u, pose.v});
    return rows;
}

// How parts are pushed; see GivingQuestion.
struct Pushing {
    std::vector<bool> turning, held;
    double pull, room, least_room, softness;
    std::uint64_t seed, most_work;
};

constexpr std::size_t numbers_of(const TurnPose*) { return 3; }
constexpr std::size_t numbers_of(const TiltPose*) { return 6; }
void read(const double* row, TurnPose& pose) { pose = {row[0], row[1], row[2]}; }
void read(const double* row, TiltPose& pose) { pose = {row[0], {row[1], row[2], row[3]}, row[4], row[5]}; }
void write(const TurnPose& at, std::vector<double>& rows) { rows.insert(rows.end(), {at.angle, at.u, at.v}); }
void write(const TiltPose& at, std::vector<double>& rows) {
    rows.insert(rows.end(), {at.angle, at.shift.x, at.shift.y, at.shift.z, at.tilt_u, at.tilt_v});
}

template <class Of>
GivingAnswer<Of> given_way(std::vector<std::vector<typename Of::Piece>> bodies, const Input<double>& guide,
                           const Pushing& how) {
    using Pose = typename Of::Pose;
    const std::size_t n = bodies.size(), row = n * numbers_of(static_cast<Pose*>(nullptr));
    const Reals numbers = view(guide);
    require(n > 0 && how.turning.size() == n && how.held.size() == n, "it is not said of each part how it moves");
    require(numbers.size() >= 2 * row && numbers.size() % row == 0, "a guide has two poses or more of each part");
    require(how.least_room > 0 && how.least_room <= how.room && how.softness >= 0, "the room must be positive");
    GivingQuestion<Of> question{std::move(bodies), how.turning,    how.held,     {},       how.pull,
                                how.room,          how.least_room, how.softness, how.seed, how.most_work};
    for (std::size_t at = 0; at < numbers.size(); at += row) {
        auto& places = question.guide.emplace_back(n);
        for (std::size_t k = 0; k < n; ++k) read(numbers.data() + at + k * (row / n), places[k]);
    }
    nb::gil_scoped_release unlock;
    return give_way(question);
}

template <class Of>
void define_given(nb::module_& m, const char* name) {
    nb::class_<GivingAnswer<Of>>(m, name)
        .def_prop_ro("path",
                     [](const GivingAnswer<Of>& it) {
                         std::vector<double> rows;
                         for (const auto& places : it.path)
                             for (const auto& pose : places) write(pose, rows);
                         return as_numpy(std::move(rows));
                     })
        .def_ro("work", &GivingAnswer<Of>::work);
}

class BoundTurner {
public:
    BoundTurner(const Input<std::int64_t>& starts, const Input<double>& corners, const Input<double>& centres,
                const Input<std::int32_t>& layers, const Input<double>& steps, const Input<std::int32_t>& rises,
                double play, double bevel, double near)
        : n_nodes_(static_cast<int>(layers.size())),
          turner_(prisms_of(view(starts), points_of(view(corners)), points_of(view(centres)), view(layers),
                            points_of(view(steps)), view(rises)),
                  {play, bevel}, near) {}

    int add_shape(const Input<std::int32_t>& cells) { return turner_.add(cells_of(view(cells), n_nodes_)); }

    // For each piece its layer, and its corners as x and y.
    std::vector<std::pair<int, std::vector<double>>> body(int shape) const {
        require(shape >= 0 && shape < turner_.size(), "an unknown shape");
        std::vector<std::pair<int, std::vector<double>>> found;
        for (const Convex& piece : turner_.body(shape)) {
            auto& corners = found.emplace_back(piece.layer, std::vector<double>{}).second;
            for (const Point p : piece.corners) corners.insert(corners.end(), {p.x, p.y});
        }
        return found;
    }

    PartsTurned ask(const Input<std::int32_t>& moving, const Input<std::int32_t>& fixed, double angle,
                    const Input<double>& goals, double reach, int deepest, std::uint64_t most_boxes) {
        require(moving.size() > 0, "nothing moves");
        require(deepest >= 4 && deepest <= 18, "deepest must lie between 4 and 18");
        require(reach > 0 && reach < 100 && std::abs(angle) < 7, "the reach or the angle is too large");
        const auto parts = parts_of(view(moving)), others = parts_of(view(fixed));
        const Ring ends = points_of(view(goals));
        nb::gil_scoped_release unlock;
        return turner_.ask(parts, others, angle, ends, {reach, deepest, most_boxes});
    }

    // In the plane. guide: of each time the pose of each part.
    GivingAnswer<Bodies> give(const Input<std::int32_t>& parts, const std::array<double, 2>& middle,
                              const Input<double>& guide, const Pushing& how) {
        std::vector<std::vector<Convex>> bodies;
        for (const TurningPart& part : parts_of(view(parts)))
            bodies.push_back(turner_.body_at(part, {middle[0], middle[1]}));
        return given_way<Bodies>(std::move(bodies), guide, how);
    }

    // In space. layers: how high each is, and where layer 0 begins, as seen from the middle.
    GivingAnswer<Solids> tilt(const Input<std::int32_t>& parts, const std::array<double, 2>& middle,
                              const std::array<double, 2>& layers, const Input<double>& guide, const Pushing& how) {
        require(layers[0] > 2 * turner_.play(), "a layer is no higher than the play takes away");
        std::vector<std::vector<Prism>> bodies;
        for (const TurningPart& part : parts_of(view(parts)))
            bodies.push_back(
                solid_of(turner_.body_at(part, {middle[0], middle[1]}), {layers[0], layers[1], turner_.play()}));
        return given_way<Solids>(std::move(bodies), guide, how);
    }

private:
    std::vector<TurningPart> parts_of(Numbers rows) const {
        require(rows.size() % 4 == 0, "a part has 4 numbers");
        std::vector<TurningPart> parts;
        for (std::size_t at = 0; at < rows.size(); at += 4) {
            require(rows[at] >= 0 && rows[at] < turner_.size(), "a part has an unknown shape");
            parts.push_back({rows[at], vec_at(rows, at + 1)});
        }
        return parts;
    }

    int n_nodes_;
    Turner turner_;
};

}  // namespace

void define_turner(nb::module_& m) {
    using namespace nb::literals;
    nb::class_<PartsTurned>(m, "PartsTurned")
        .def_prop_ro("middle", [](const PartsTurned& it) { return nb::make_tuple(it.middle.x, it.middle.y); })
        .def_prop_ro("goals",
                     [](const PartsTurned& it) {
                         std::vector<int> goals;
                         for (const Turned goal : it.answer.goals) goals.push_back(static_cast<int>(goal));
                         return goals;
                     })
        .def("path",
             [](const PartsTurned& it, std::size_t goal) { return as_numpy(as_rows(it.answer.paths.at(goal))); })
        .def_prop_ro("boxes", [](const PartsTurned& it) { return it.answer.boxes; });
    define_given<Bodies>(m, "GivenWay");
    define_given<Solids>(m, "TiltedWay");
    nb::class_<Pushing>(m, "Pushing", "How parts are pushed.")
        .def(nb::init<std::vector<bool>, std::vector<bool>, double, double, double, double, std::uint64_t,
                      std::uint64_t>(),
             nb::kw_only(), "turning"_a, "held"_a, "pull"_a, "room"_a, "least_room"_a, "softness"_a, "seed"_a,
             "most_work"_a);
    nb::class_<BoundTurner>(m, "Turner", "Turns parts about one axis.")
        .def(
            nb::init<const Input<std::int64_t>&, const Input<double>&, const Input<double>&, const Input<std::int32_t>&,
                     const Input<double>&, const Input<std::int32_t>&, double, double, double>(),
            "starts"_a.noconvert(), "corners"_a.noconvert(), "centres"_a.noconvert(), "layers"_a.noconvert(),
            "steps"_a.noconvert(), "rises"_a.noconvert(), nb::kw_only(), "play"_a, "bevel"_a, "near"_a)
        .def("add_shape", &BoundTurner::add_shape, "cells"_a.noconvert(), "Add a shape; returns its number.")
        .def("body", &BoundTurner::body, "shape"_a, "The convex pieces of a shape's body.")
        .def("ask", &BoundTurner::ask, "moving"_a.noconvert(), "fixed"_a.noconvert(), nb::kw_only(), "angle"_a,
             "goals"_a.noconvert(), "reach"_a, "deepest"_a, "most_boxes"_a, "Which goals can be reached.")
        .def("give", &BoundTurner::give, "parts"_a.noconvert(), nb::kw_only(), "middle"_a, "guide"_a.noconvert(),
             "how"_a, "A motion in which some parts turn and others give way, if one is found.")
        .def("tilt", &BoundTurner::tilt, "parts"_a.noconvert(), nb::kw_only(), "middle"_a, "layers"_a,
             "guide"_a.noconvert(), "how"_a, "The same in space.");
}

}  // namespace latcover
