#include "module/certificate_module.hpp"

#include <nanobind/stl/optional.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "certificate/certified_sweep.hpp"
#include "certificate/certified_tree.hpp"
#include "module/arrays.hpp"
#include "module/python_sink.hpp"
#include "module/results_module.hpp"

namespace nb = nanobind;

namespace latcover {

namespace {

CertifiedProblem problem_of(const Input<std::int64_t>& starts, const Input<std::int32_t>& items,
                            const Input<std::int32_t>& colours, const Input<std::int32_t>& low,
                            const Input<std::int32_t>& high) {
    const Problem problem{.option_starts = view(starts),
                          .option_items = view(items),
                          .low = view(low),
                          .high = view(high),
                          .option_colours = view(colours)};
    const auto n_entries = static_cast<std::int64_t>(items.size());
    const auto s = problem.option_starts;
    bool sound = !s.empty() && s.front() == 0 && s.back() == n_entries && std::is_sorted(s.begin(), s.end()) &&
                 low.size() == high.size() && (colours.size() == 0 || colours.size() == items.size());
    for (const auto item : problem.option_items) sound &= item >= 0 && item < problem.n_items();
    for (std::size_t k = 0; k < low.size() && sound; ++k)
        sound &= 0 <= problem.low[k] && problem.low[k] <= problem.high[k];
    for (std::size_t k = 0; k < colours.size() && sound; ++k)
        sound &= problem.option_colours[k] == 0 || problem.high[problem.option_items[k]] == 1;
    if (!sound) throw nb::value_error("these arrays make no cover problem");
    return certified_problem(problem);
}

void require_fits(const CertifiedProblem& problem, std::int32_t option) {
    if (option >= 0 && !std::binary_search(problem.numbers.begin(), problem.numbers.end(), option))
        throw nb::value_error("the chosen option does not fit");
}

SectionCount tree(const CertifiedProblem& problem, std::int32_t chosen, bool splits, std::size_t most_remembered,
                  std::optional<std::uint64_t> most_states, std::optional<double> max_seconds, nb::object on_text,
                  nb::object on_progress) {
    require_fits(problem, chosen);
    TreeOptions options{chosen, splits, most_remembered};
    if (most_states) options.most_states = *most_states;
    if (max_seconds) options.seconds = *max_seconds;
    const TakeText take = [&](std::string_view text) {
        nb::gil_scoped_acquire lock;
        on_text(nb::bytes(text.data(), text.size()));
    };
    PythonSink sink(nb::none(), std::move(on_progress));
    nb::gil_scoped_release unlock;
    return write_tree(problem, options, take, sink);
}

SectionCount sweep(const CertifiedProblem& problem, const Input<std::int32_t>& order, std::int32_t chosen,
                   std::size_t limbs, std::size_t most_bytes, std::optional<std::uint64_t> most_states,
                   std::optional<double> max_seconds, nb::object on_progress) {
    require_fits(problem, chosen);
    const auto items = view(order);
    std::vector<std::int32_t> sorted(items.begin(), items.end());
    std::sort(sorted.begin(), sorted.end());
    bool sound = sorted.size() == problem.items.size() && limbs > 0;
    for (std::size_t k = 0; k < sorted.size() && sound; ++k) sound &= sorted[k] == static_cast<std::int32_t>(k);
    if (!sound) throw nb::value_error("the order must hold every item once");
    SweepOptions options{chosen, limbs, most_bytes};
    if (most_states) options.most_states = *most_states;
    if (max_seconds) options.seconds = *max_seconds;
    PythonSink sink(nb::none(), std::move(on_progress));
    nb::gil_scoped_release unlock;
    return count_sweep(problem, items, options, sink);
}

}  // namespace

void define_certificates(nb::module_& m) {
    using namespace nb::literals;
    using Ints = Input<std::int32_t>;
    nb::class_<SectionCount>(m, "SectionCount")
        .def_prop_ro("stop", [](const SectionCount& c) { return as_python(c.stop); })
        .def_prop_ro("covers",
                     [](const SectionCount& c) { return c.stop == Stop::exhausted ? as_int(c.limbs) : nb::none(); })
        .def_ro("states", &SectionCount::states);
    nb::class_<CertifiedProblem>(m, "CertifiedProblem", "Options, or orbits of options, of which covers are certified.")
        .def(
            "__init__",
            [](CertifiedProblem* made, const Input<std::int64_t>& starts, const Ints& items, const Ints& colours,
               const Ints& low,
               const Ints& high) { new (made) CertifiedProblem(problem_of(starts, items, colours, low, high)); },
            "option_starts"_a.noconvert(), "option_items"_a.noconvert(), "option_colours"_a.noconvert(),
            "low"_a.noconvert(), "high"_a.noconvert())
        .def("tree", &tree, nb::kw_only(), "chosen"_a, "splits"_a, "most_remembered"_a, "most_states"_a.none(),
             "max_seconds"_a.none(), "on_text"_a, "on_progress"_a.none(), "Write the words of a section `tree`.")
        .def("sweep", &sweep, "order"_a.noconvert(), nb::kw_only(), "chosen"_a, "limbs"_a, "most_bytes"_a,
             "most_states"_a.none(), "max_seconds"_a.none(), "on_progress"_a.none(),
             "Count as a section `sweep` does.");
}

}  // namespace latcover
