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
#include "tilting/tilting.hpp"
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

std::vector<TurnPose> poses_of(Reals numbers) {
    require(numbers.size() % 3 == 0, "a pose has 3 numbers");
    std::vector<TurnPose> poses;
    for (std::size_t k = 0; k < numbers.size(); k += 3) poses.push_back({numbers[k], numbers[k + 1], numbers[k + 2]});
    return poses;
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

    // guide: of each time the pose of each part.
    GivingAnswer give(const Input<std::int32_t>& parts, const std::vector<bool>& turning, const std::vector<bool>& held,
                      const std::array<double, 2>& middle, const Input<double>& guide, double pull, double room,
                      double least_room, double softness, std::uint64_t seed, std::uint64_t most_work) {
        GivingQuestion question{{}, turning, held, {}, pull, room, least_room, softness, seed, most_work};
        for (const TurningPart& part : parts_of(view(parts)))
            question.bodies.push_back(turner_.body_at(part, {middle[0], middle[1]}));
        const std::size_t n = question.bodies.size();
        const auto poses = poses_of(view(guide));
        require(n > 0 && turning.size() == n && held.size() == n, "it is not said of each part how it moves");
        require(poses.size() >= 2 * n && poses.size() % n == 0, "a guide has two poses or more of each part");
        require(least_room > 0 && least_room <= room && softness >= 0, "the room must be positive");
        for (std::size_t at = 0; at < poses.size(); at += n)
            question.guide.emplace_back(poses.begin() + static_cast<std::ptrdiff_t>(at),
                                        poses.begin() + static_cast<std::ptrdiff_t>(at + n));
        nb::gil_scoped_release unlock;
        return give_way(question);
    }

    // The same in space. layers: how high each is, and where layer 0 begins, as seen from the middle.
    TiltingAnswer tilt(const Input<std::int32_t>& parts, const std::vector<bool>& turning,
                       const std::vector<bool>& held, const std::array<double, 2>& middle,
                       const std::array<double, 2>& layers, const Input<double>& guide, double pull, double room,
                       double least_room, double softness, std::uint64_t seed, std::uint64_t most_work) {
        TiltingQuestion question{{}, turning, held, {}, pull, room, least_room, softness, seed, most_work};
        for (const TurningPart& part : parts_of(view(parts)))
            question.bodies.push_back(
                solid_of(turner_.body_at(part, {middle[0], middle[1]}), {layers[0], layers[1], turner_.play()}));
        const std::size_t n = question.bodies.size();
        const Reals numbers = view(guide);
        require(n > 0 && turning.size() == n && held.size() == n, "it is not said of each part how it moves");
        require(numbers.size() >= 12 * n && numbers.size() % (6 * n) == 0,
                "a guide has two poses or more of each part");
        require(least_room > 0 && least_room <= room && softness >= 0, "the room must be positive");
        require(layers[0] > 2 * turner_.play(), "a layer is no higher than the play takes away");
        for (std::size_t at = 0; at < numbers.size(); at += 6) {
            if (at % (6 * n) == 0) question.guide.emplace_back();
            question.guide.back().push_back(
                {numbers[at], {numbers[at + 1], numbers[at + 2], numbers[at + 3]}, numbers[at + 4], numbers[at + 5]});
        }
        nb::gil_scoped_release unlock;
        return tilt_way(question);
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
    nb::class_<GivingAnswer>(m, "GivenWay")
        .def_prop_ro("path",
                     [](const GivingAnswer& it) {
                         std::vector<double> rows;
                         for (const Places& places : it.path)
                             for (const TurnPose& pose : places) rows.insert(rows.end(), {pose.angle, pose.u, pose.v});
                         return as_numpy(std::move(rows));
                     })
        .def_ro("work", &GivingAnswer::work);
    nb::class_<TiltingAnswer>(m, "TiltedWay")
        .def_prop_ro("path",
                     [](const TiltingAnswer& it) {
                         std::vector<double> rows;
                         for (const TiltPlaces& places : it.path)
                             for (const TiltPose& pose : places)
                                 rows.insert(rows.end(), {pose.angle, pose.shift.x, pose.shift.y, pose.shift.z,
                                                          pose.tilt_u, pose.tilt_v});
                         return as_numpy(std::move(rows));
                     })
        .def_ro("work", &TiltingAnswer::work);
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
        .def("give", &BoundTurner::give, "parts"_a.noconvert(), nb::kw_only(), "turning"_a, "held"_a, "middle"_a,
             "guide"_a.noconvert(), "pull"_a, "room"_a, "least_room"_a, "softness"_a, "seed"_a, "most_work"_a,
             "A motion in which some parts turn and others give way, if one is found.")
        .def("tilt", &BoundTurner::tilt, "parts"_a.noconvert(), nb::kw_only(), "turning"_a, "held"_a, "middle"_a,
             "layers"_a, "guide"_a.noconvert(), "pull"_a, "room"_a, "least_room"_a, "softness"_a, "seed"_a,
             "most_work"_a, "The same with parts that tilt across the axis, too.");
}

}  // namespace latcover
