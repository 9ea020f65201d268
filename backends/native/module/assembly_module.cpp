#include "module/assembly_module.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <vector>

#include "apart/geometry_arrays.hpp"
#include "apart/many_assemblies.hpp"
#include "module/arrays.hpp"

namespace nb = nanobind;

namespace latcover {

namespace {

void define_assembly_results(nb::module_& m) {
    nb::class_<SlideMove>(m, "SlideMove")
        .def_prop_ro("parts", [](const SlideMove& move) { return as_tuple(move.parts); })
        .def_ro("direction", &SlideMove::direction)
        .def_ro("steps", &SlideMove::steps)
        .def_ro("separates", &SlideMove::separates);
    nb::class_<Parting>(m, "Parting")
        .def_prop_ro("parts", [](const Parting& parting) { return as_tuple(parting.parts); })
        .def_prop_ro("stays", [](const Parting& parting) { return as_tuple(parting.stays); })
        .def_prop_ro("removed", [](const Parting& parting) { return as_tuple(parting.removed); })
        .def_ro("moves", &Parting::moves);
    nb::class_<TakenApart>(m, "TakenApart")
        .def_prop_ro("result", [](const TakenApart& taken) { return name(taken.result); })
        .def_prop_ro("stop", [](const TakenApart& taken) { return name(taken.cut); })
        .def_ro("least", &TakenApart::least)
        .def_ro("states", &TakenApart::states)
        .def_ro("reached", &TakenApart::reached)
        .def_ro("partings", &TakenApart::partings);
}

class Assembler {
public:
    Assembler(const Input<std::int32_t>& directions, int n_nodes, const Input<std::int64_t>& hit_starts,
              const Input<std::int32_t>& hits)
        : n_nodes_(n_nodes) {
        auto [ways, met] = sliding_of(view(directions), n_nodes, view(hit_starts), view(hits));
        shapes_ = std::make_unique<Shapes>(std::move(ways), n_nodes, std::move(met));
    }

    // cells: node, x, y, z of each.
    int add_shape(const Input<std::int32_t>& cells) { return shapes_->add(cells_of(view(cells), n_nodes_)); }

    // See assemblies_of and groups_of.
    std::vector<TakenApart> take_apart(const Input<std::int64_t>& starts, const Input<std::int32_t>& parts, int n_kinds,
                                       const Input<std::int32_t>& limits, std::uint64_t max_states,
                                       std::optional<double> max_seconds, unsigned threads, nb::object on_progress) {
        require(threads >= 1 && threads <= 1024, "threads must lie between 1 and 1024");
        const Groups groups = groups_of(view(limits), n_kinds);
        const std::vector<Assembly> assemblies = assemblies_of(view(starts), view(parts), n_kinds, shapes_->size());
        const ManyLimits bounds{max_states, max_seconds.value_or(std::numeric_limits<double>::infinity()), threads};
        const auto progress = [&](const ManyProgress& so_far) {
            nb::gil_scoped_acquire lock;
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
            return on_progress.is_none() || nb::cast<bool>(on_progress(so_far.done, so_far.states, so_far.seconds));
        };
        nb::gil_scoped_release unlock;
        return take_all_apart(*shapes_, assemblies, groups, bounds, progress);
    }

private:
    int n_nodes_;
    std::unique_ptr<Shapes> shapes_;
};

}  // namespace

void define_assembler(nb::module_& m) {
    using namespace nb::literals;
    define_assembly_results(m);
    nb::class_<Assembler>(m, "Assembler", "Takes assemblies of parts apart by sliding.")
        .def(nb::init<const Input<std::int32_t>&, int, const Input<std::int64_t>&, const Input<std::int32_t>&>(),
             "directions"_a.noconvert(), "n_nodes"_a, "hit_starts"_a.noconvert(), "hits"_a.noconvert())
        .def("add_shape", &Assembler::add_shape, "cells"_a.noconvert(), "Add a shape; returns its number.")
        .def("take_apart", &Assembler::take_apart, "starts"_a.noconvert(), "parts"_a.noconvert(), nb::kw_only(),
             "n_kinds"_a, "limits"_a.noconvert(), "max_states"_a, "max_seconds"_a.none(), "threads"_a,
             "on_progress"_a.none(), "Take assemblies apart.");
    m.attr("most_parts") = most_parts;
}

}  // namespace latcover
