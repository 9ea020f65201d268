#include "module/results_module.hpp"

#include <nanobind/stl/string.h>

#include <vector>

#include "bitset/bitset.hpp"
#include "cover/components.hpp"
#include "cover/probe.hpp"
#include "frontier/diagram.hpp"
#include "frontier/frontier.hpp"
#include "module/arrays.hpp"
#include "restarts/restarts.hpp"

namespace nb = nanobind;

namespace latcover {

namespace {

const char* name(Stop stop) {
    switch (stop) {
        case Stop::exhausted: return "exhausted";
        case Stop::cover_limit: return "solution limit";
        case Stop::branch_limit: return "branch limit";
        case Stop::time_limit: return "time limit";
        case Stop::cancelled: return "cancelled";
    }
    return "";
}

}  // namespace

nb::object as_python(Stop stop) { return nb::module_::import_("latcover.core.cover.result").attr("Stop")(name(stop)); }

namespace {

template <typename Result>
nb::object stop_of(const Result& result) {
    return as_python(result.stop);
}

// The logarithm that each group estimates.
template <double ProbeGroup::* field>
nb::object logarithms(const Probes& probes) {
    std::vector<double> values;
    for (const ProbeGroup& group : probes.groups) values.push_back(group.*field);
    return as_numpy(std::move(values));
}

void define_searches(nb::module_& m) {
    nb::class_<Statistics>(m, "Statistics")
        .def_ro("branches", &Statistics::branches)
        .def_ro("covers", &Statistics::covers)
        .def_ro("dead_ends", &Statistics::dead_ends)
        .def_ro("stranded", &Statistics::stranded)
        .def_ro("deepest", &Statistics::deepest)
        .def_ro("setup_seconds", &Statistics::setup_seconds)
        .def_ro("search_seconds", &Statistics::search_seconds)
        .def_prop_ro("first_seconds",
                     [](const Statistics& s) { return s.first_seconds < 0 ? nb::none() : nb::cast(s.first_seconds); })
        .def_prop_ro("branches_by_level", [](const Statistics& s) { return as_tuple(s.branches_by_level); });
    nb::class_<Outcome>(m, "Outcome").def_prop_ro("stop", &stop_of<Outcome>).def_ro("statistics", &Outcome::statistics);
    nb::class_<BitsetOutcome>(m, "BitsetOutcome")
        .def_ro("outcome", &BitsetOutcome::outcome)
        .def_prop_ro("kernel",
                     [](const BitsetOutcome& b) { return b.kernel.empty() ? std::string("dancing links") : b.kernel; })
        .def_ro("note", &BitsetOutcome::note)
        .def_ro("threads", &BitsetOutcome::threads)
        .def_ro("subproblems", &BitsetOutcome::subproblems);
    nb::class_<RestartsOutcome>(m, "RestartsOutcome")
        .def_ro("outcome", &RestartsOutcome::outcome)
        .def_ro("heads", &RestartsOutcome::heads)
        .def_ro("tails", &RestartsOutcome::tails)
        .def_ro("tails_cut", &RestartsOutcome::tails_cut)
        .def_ro("threads", &RestartsOutcome::threads);
}

void define_counts(nb::module_& m) {
    nb::class_<BitsetCount>(m, "BitsetCount")
        .def_ro("result", &BitsetCount::result)
        .def_prop_ro("covers", [](const BitsetCount& c) { return as_int(c.covers.words); })
        .def_ro("with_memo", &BitsetCount::with_memo)
        .def_ro("memo_entries", &BitsetCount::memo_entries)
        .def_ro("memo_bytes", &BitsetCount::memo_bytes)
        .def_ro("memo_hits", &BitsetCount::memo_hits);
    nb::class_<ComponentCount>(m, "ComponentCount")
        .def_prop_ro("stop", &stop_of<ComponentCount>)
        .def_prop_ro(
            "covers",
            [](const ComponentCount& c) { return c.stop == Stop::exhausted ? as_int(c.covers.words) : nb::none(); })
        .def_ro("nodes", &ComponentCount::nodes)
        .def_ro("splits", &ComponentCount::splits)
        .def_ro("memo_entries", &ComponentCount::entries)
        .def_ro("memo_bytes", &ComponentCount::bytes)
        .def_ro("memo_hits", &ComponentCount::hits)
        .def_ro("seconds", &ComponentCount::seconds);
    nb::class_<FrontierCount>(m, "FrontierCount")
        .def_prop_ro("stop", &stop_of<FrontierCount>)
        .def_prop_ro("covers",
                     [](const FrontierCount& c) { return c.stop == Stop::exhausted ? as_int(c.limbs) : nb::none(); })
        .def_ro("width", &FrontierCount::width)
        .def_ro("states", &FrontierCount::states)
        .def_ro("order", &FrontierCount::order)
        .def_ro("work", &FrontierCount::work)
        .def_ro("left", &FrontierCount::left)
        .def_ro("bytes", &FrontierCount::bytes)
        .def_ro("bytes_on_disk", &FrontierCount::bytes_on_disk)
        .def_ro("seconds", &FrontierCount::seconds);
    nb::class_<Diagram>(m, "Diagram")
        .def_prop_ro("stop", &stop_of<Diagram>)
        .def_prop_ro("options", [](const Diagram& d) { return as_numpy(d.options); })
        .def_prop_ro("starts", [](const Diagram& d) { return as_numpy(d.starts); })
        .def_prop_ro("low", [](const Diagram& d) { return as_numpy(d.low); })
        .def_prop_ro("high", [](const Diagram& d) { return as_numpy(d.high); })
        .def_ro("root", &Diagram::root)
        .def_ro("width", &Diagram::width)
        .def_ro("states", &Diagram::states)
        .def_ro("bytes", &Diagram::bytes)
        .def_ro("seconds", &Diagram::seconds);
    nb::class_<Probes>(m, "Probes")
        .def_prop_ro("stop", &stop_of<Probes>)
        .def_prop_ro("log_branches", &logarithms<&ProbeGroup::branches>)
        .def_prop_ro("log_covers", &logarithms<&ProbeGroup::covers>)
        .def_ro("probes", &Probes::probes)
        .def_ro("whole", &Probes::whole)
        .def_ro("nodes", &Probes::nodes)
        .def_ro("least_branches", &Probes::least_branches)
        .def_ro("least_covers", &Probes::least_covers)
        .def_ro("covers_met", &Probes::covers)
        .def_ro("deepest", &Probes::deepest)
        .def_ro("seconds", &Probes::seconds);
}

}  // namespace

void define_results(nb::module_& m) {
    define_searches(m);
    define_counts(m);
}

}  // namespace latcover
