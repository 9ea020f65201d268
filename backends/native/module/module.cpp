// The functions that Python calls. They release the lock of the interpreter while they search.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "bitset/bitset.hpp"
#include "bitset/priced_kernel.hpp"
#include "cover/backtrack.hpp"
#include "cover/components.hpp"
#include "cover/dlx.hpp"
#include "cover/probe.hpp"
#include "frontier/diagram.hpp"
#include "frontier/frontier.hpp"
#include "frontier/frontier_order.hpp"
#include "module/arrays.hpp"
#include "module/assembly_module.hpp"
#include "module/bound_problem.hpp"
#include "module/certificate_module.hpp"
#include "module/cut_module.hpp"
#include "module/growth_module.hpp"
#include "module/plane_module.hpp"
#include "module/python_sink.hpp"
#include "module/results_module.hpp"
#include "module/strip_module.hpp"
#include "module/turning_module.hpp"
#include "restarts/restarts.hpp"

namespace nb = nanobind;
using namespace latcover;

namespace {

using MaybeCount = std::optional<std::uint64_t>;
using MaybeSeconds = std::optional<double>;

Limits as_limits(MaybeCount covers, MaybeCount branches, MaybeSeconds seconds) {
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    return {covers.value_or(most), branches.value_or(most), seconds.value_or(std::numeric_limits<double>::infinity())};
}

double as_seconds(MaybeSeconds seconds) { return as_limits({}, {}, seconds).seconds; }

Stranding stranding_of(const std::string& name) {
    if (name == "no") return Stranding::none;
    if (name == "rows") return Stranding::rows;
    if (name == "anchor") return Stranding::anchor;
    if (name == "sums") return Stranding::sums;
    throw nb::value_error("strand must be no, rows, anchor or sums");
}

// Refuse so many threads or so large a table that asking for them could bring the system down.
void require_means(unsigned threads, std::size_t memo_bytes) {
    constexpr unsigned most_threads = 1024;
    constexpr auto most_bytes = std::size_t{1} << 40;
    if (threads < 1 || threads > most_threads) throw nb::value_error("threads must lie between 1 and 1024");
    if (memo_bytes > most_bytes) throw nb::value_error("memo_bytes must be at most 2^40");
}

void require_no_colours(const BoundProblem& bound, const char* refusal) {
    if (bound.problem().has_colours()) throw Unsupported(refusal);
}

// Call `search` with a sink that calls Python, without the lock of the interpreter.
template <typename Search>
auto run(nb::object on_covers, nb::object on_progress, Search search) {
    PythonSink sink(std::move(on_covers), std::move(on_progress));
    nb::gil_scoped_release unlock;
    return search(sink);
}

Outcome run_dlx(const BoundProblem& bound, bool size, const std::string& strand, MaybeCount max_covers,
                MaybeCount max_branches, MaybeSeconds max_seconds, nb::object on_covers, nb::object on_progress,
                nb::object prunes) {
    const DlxOptions options{size, stranding_of(strand), !prunes.is_none()};
    const Limits limits = as_limits(max_covers, max_branches, max_seconds);
    PythonSink sink(std::move(on_covers), std::move(on_progress), std::move(prunes));
    nb::gil_scoped_release unlock;
    return dlx_search(bound.problem(), options, limits, sink);
}

// The arrays of costs, checked against the problem that they price.
Costs checked_costs(const Problem& problem, const Input<std::int64_t>& own, const Input<std::int64_t>& prices,
                    std::int64_t scale, std::int64_t constant, const Input<std::int64_t>& weights,
                    const Input<std::int64_t>& term_starts, const Input<std::int64_t>& condition_starts,
                    const Input<std::int32_t>& condition_options) {
    const Costs costs{view(own),
                      view(prices),
                      scale,
                      constant,
                      view(weights),
                      view(term_starts),
                      view(condition_starts),
                      view(condition_options)};
    const auto ascend = [](std::span<const std::int64_t> starts, std::size_t end) {
        return !starts.empty() && starts.front() == 0 && starts.back() == static_cast<std::int64_t>(end) &&
               std::is_sorted(starts.begin(), starts.end());
    };
    const bool fits = std::ssize(costs.own) == problem.n_options() && std::ssize(costs.prices) == problem.n_items() &&
                      scale > 0 && costs.term_starts.size() == costs.weights.size() + 1 &&
                      !costs.condition_starts.empty() && ascend(costs.term_starts, costs.condition_starts.size() - 1) &&
                      ascend(costs.condition_starts, costs.condition_options.size());
    const auto there = [&](std::int32_t option) { return option >= 0 && option < problem.n_options(); };
    if (!fits || !std::all_of(costs.condition_options.begin(), costs.condition_options.end(), there))
        throw nb::value_error("the costs do not fit the problem");
    return costs;
}

Outcome run_improve(const BoundProblem& bound, const std::string& method, bool size, const Bar& bar,
                    const Input<std::int64_t>& own, const Input<std::int64_t>& prices, std::int64_t scale,
                    std::int64_t constant, const Input<std::int64_t>& weights, const Input<std::int64_t>& term_starts,
                    const Input<std::int64_t>& condition_starts, const Input<std::int32_t>& condition_options,
                    MaybeCount max_covers, MaybeCount max_branches, MaybeSeconds max_seconds, nb::object on_covers,
                    nb::object on_progress) {
    if (method != "dlx" && method != "bitmaps") throw nb::value_error("the method must be dlx or bitmaps");
    const Costs costs = checked_costs(bound.problem(), own, prices, scale, constant, weights, term_starts,
                                      condition_starts, condition_options);
    const Limits limits = as_limits(max_covers, max_branches, max_seconds);
    return run(std::move(on_covers), std::move(on_progress), [&](Sink& sink) {
        if (method == "bitmaps") return priced_search(bound.problem(), costs, bar, limits, sink);
        return dlx_improve(bound.problem(), DlxOptions{size, Stranding::none}, costs, bar, limits, sink);
    });
}

Outcome run_backtrack(const BoundProblem& bound, bool size, const std::string& strand, const std::string& kernel,
                      MaybeCount max_covers, MaybeCount max_branches, MaybeSeconds max_seconds, nb::object on_covers,
                      nb::object on_progress) {
    const BacktrackOptions options{size, stranding_of(strand), kernel};
    const Limits limits = as_limits(max_covers, max_branches, max_seconds);
    return run(std::move(on_covers), std::move(on_progress),
               [&](Sink& sink) { return backtrack_search(bound.problem(), options, limits, sink); });
}

Probes run_probe(const BoundProblem& bound, const std::string& tree, bool size, const std::string& strand,
                 std::uint64_t probes, double seconds, std::uint64_t seed, nb::object on_progress) {
    if (tree != "dlx" && tree != "backtrack") throw nb::value_error("the tree must be dlx or backtrack");
    const Stranding stranding = stranding_of(strand);
    return run(nb::none(), std::move(on_progress), [&](Sink& sink) {
        const auto probed = tree == "backtrack" ? backtrack_tree(bound.problem(), BacktrackOptions{size, stranding, ""})
                                                : dlx_tree(bound.problem(), DlxOptions{size, stranding});
        return probe_tree(*probed, ProbeOptions{probes, seconds, seed}, sink);
    });
}

ComponentCount run_components(const BoundProblem& bound, std::size_t most_bytes, MaybeCount max_nodes,
                              MaybeSeconds max_seconds, nb::object on_progress) {
    require_no_colours(bound, "a count by components knows no colours of items");
    require_means(1, most_bytes);
    return run(nb::none(), std::move(on_progress), [&](Sink& sink) {
        return count_by_components(bound.problem(), most_bytes,
                                   max_nodes.value_or(std::numeric_limits<std::uint64_t>::max()),
                                   as_seconds(max_seconds), sink);
    });
}

std::int32_t width_of(const BoundProblem& bound, const Input<std::int32_t>& order) {
    bound.require_order(view(order));
    return frontier_width(bound.problem(), view(order));
}

nb::object order_for(const BoundProblem& bound) {
    std::vector<std::int32_t> order;
    {
        nb::gil_scoped_release unlock;
        order = frontier_order(bound.problem());
    }
    return as_numpy(std::move(order));
}

// One order after another, in one array.
nb::object orders_for(const BoundProblem& bound, const Input<std::int32_t>& sweeps) {
    std::vector<std::int32_t> joined;
    {
        nb::gil_scoped_release unlock;
        for (const auto& order : frontier_orders(bound.problem(), view(sweeps)))
            joined.insert(joined.end(), order.begin(), order.end());
    }
    return as_numpy(std::move(joined));
}

void make_frontier(FrontierSearch* self, const BoundProblem& bound, const Input<std::int32_t>& orders,
                   std::uint64_t most_bytes, std::uint64_t most_on_disk, const std::string& folder, unsigned threads,
                   nb::object on_keep, double keep_seconds, const std::string& kept_path, std::uint64_t kept_from,
                   std::uint64_t kept_seed) {
    require_means(threads, 0);
    FrontierKeeping keeping{{}, keep_seconds, kept_path, kept_from, kept_seed};
    if (!on_keep.is_none())
        keeping.keep = [on_keep](double share, const FrontierKeeping::Append& append) {
            nb::gil_scoped_acquire lock;
            on_keep(share, nb::cpp_function([&append](const std::string& path, std::uint64_t seed) {
                        nb::gil_scoped_release unlock;
                        return append(path, seed);
                    }));
        };
    const auto n_items = bound.problem().low.size();
    std::vector<std::span<const std::int32_t>> each;
    for (auto rest = view(orders); each.empty() || !rest.empty(); rest = rest.subspan(each.back().size())) {
        each.push_back(n_items ? rest.first(std::min(n_items, rest.size())) : rest);
        bound.require_order(each.back());
    }
    FrontierOptions options{most_bytes, most_on_disk, folder, threads, std::move(keeping)};
    new (self) FrontierSearch(bound.problem(), each, std::move(options));
}

FrontierCount run_frontier(FrontierSearch& search, MaybeCount until_work, MaybeSeconds max_seconds,
                           nb::object on_progress) {
    const auto most = until_work.value_or(std::numeric_limits<std::uint64_t>::max());
    return run(nb::none(), std::move(on_progress),
               [&](Sink& sink) { return search.count(most, as_seconds(max_seconds), sink); });
}

Diagram run_diagram(const BoundProblem& bound, const Input<std::int32_t>& order, std::uint64_t most_bytes,
                    MaybeCount most_work, MaybeSeconds max_seconds, nb::object on_progress) {
    bound.require_order(view(order));
    const auto work = most_work.value_or(std::numeric_limits<std::uint64_t>::max());
    return run(nb::none(), std::move(on_progress), [&](Sink& sink) {
        return make_diagram(bound.problem(), view(order), {most_bytes, work, as_seconds(max_seconds)}, sink);
    });
}

BitsetOutcome run_bitset(const BoundProblem& bound, const std::string& kernel, unsigned threads, bool ordered,
                         MaybeCount max_covers, MaybeCount max_branches, MaybeSeconds max_seconds, nb::object on_covers,
                         nb::object on_progress) {
    require_means(threads, 0);
    const Limits limits = as_limits(max_covers, max_branches, max_seconds);
    return run(std::move(on_covers), std::move(on_progress), [&](Sink& sink) {
        return bitset_search(bound.problem(), BitsetOptions{kernel, threads, ordered}, limits, sink);
    });
}

BitsetCount run_bitset_count(const BoundProblem& bound, const std::string& kernel, unsigned threads,
                             std::size_t memo_bytes, MaybeCount max_branches, MaybeSeconds max_seconds,
                             nb::object on_progress, MaybeCount memo_nodes, MaybeCount pause_at, nb::object on_pause) {
    require_means(threads, memo_bytes);
    Limits limits = as_limits({}, max_branches, max_seconds);
    if (pause_at) limits.pause = *pause_at;
    PythonSink sink(nb::cpp_function([](nb::args) { return true; }), std::move(on_progress), nb::none(),
                    std::move(on_pause));
    nb::gil_scoped_release unlock;
    return bitset_count(bound.problem(), BitsetOptions{kernel, threads}, limits,
                        MemoOptions{memo_bytes, memo_nodes.value_or(std::numeric_limits<std::uint64_t>::max())}, sink);
}

RestartsOutcome run_restarts(const BoundProblem& bound, const std::string& kernel, unsigned threads, std::uint64_t seed,
                             int tail, MaybeCount max_work, MaybeSeconds max_seconds, nb::object on_covers,
                             nb::object on_progress) {
    require_no_colours(bound, "random restarts know no colours of items");
    require_means(threads, 0);
    const Limits limits = as_limits(1, max_work, max_seconds);
    return run(std::move(on_covers), std::move(on_progress), [&](Sink& sink) {
        return restarts_search(bound.problem(), RestartsOptions{kernel, threads, seed, tail}, limits, sink);
    });
}

nb::dict list_kernels() {
    nb::dict d;
    for (const KernelName& kernel : kernels()) d[kernel.name.c_str()] = kernel.runs_here;
    return d;
}

void translate_unsupported(const std::exception_ptr& thrown, void*) {
    try {
        std::rethrow_exception(thrown);
    } catch (const Unsupported& unsupported) {
        const auto kind = nb::module_::import_("latcover.errors").attr("UnsupportedError");
        PyErr_SetString(kind.ptr(), unsupported.what());
    }
}

}  // namespace

NB_MODULE(_native, m) {
    using namespace nb::literals;
    m.doc() = "Native searches for exact covers with bounds; use them through latcover.backends.";
    nb::register_exception_translator(translate_unsupported);
    define_problem(m);
    define_results(m);
    define_certificates(m);
    nb::class_<Bar>(m, "Bar", "What another cover may cost at most.")
        .def(nb::init<std::int64_t>(), "most"_a)
        .def_prop_rw("most", &Bar::most, &Bar::set);
    m.def("improve", &run_improve, "problem"_a, nb::kw_only(), "method"_a, "size"_a, "bar"_a, "own"_a.noconvert(),
          "prices"_a.noconvert(), "scale"_a, "constant"_a, "weights"_a.noconvert(), "term_starts"_a.noconvert(),
          "condition_starts"_a.noconvert(), "condition_options"_a.noconvert(), "max_covers"_a.none(),
          "max_branches"_a.none(), "max_seconds"_a.none(), "on_covers"_a, "on_progress"_a.none(),
          "Search by dancing links or bitmaps for covers whose cost is at most a bar that falls.");
    m.def(
        "suits_bitmaps", [](const BoundProblem& bound) { return suits_priced_search(bound.problem()); }, "problem"_a,
        "Whether `improve` takes the problem by bitmaps.");
    m.def("dlx", &run_dlx, "problem"_a, nb::kw_only(), "size"_a, "strand"_a, "max_covers"_a.none(),
          "max_branches"_a.none(), "max_seconds"_a.none(), "on_covers"_a, "on_progress"_a.none(),
          "prunes"_a.none() = nb::none(), "Search by dancing links.");
    m.def("backtrack", &run_backtrack, "problem"_a, nb::kw_only(), "size"_a, "strand"_a, "kernel"_a,
          "max_covers"_a.none(), "max_branches"_a.none(), "max_seconds"_a.none(), "on_covers"_a, "on_progress"_a.none(),
          "Search by the direct method.");
    m.def("bitset", &run_bitset, "problem"_a, nb::kw_only(), "kernel"_a, "threads"_a, "ordered"_a,
          "max_covers"_a.none(), "max_branches"_a.none(), "max_seconds"_a.none(), "on_covers"_a, "on_progress"_a.none(),
          "Search by bitmaps, or by dancing links if the problem is too large for bitmaps.");
    m.def("bitset_count", &run_bitset_count, "problem"_a, nb::kw_only(), "kernel"_a, "threads"_a, "memo_bytes"_a,
          "max_branches"_a.none(), "max_seconds"_a.none(), "on_progress"_a.none(), "memo_nodes"_a.none() = nb::none(),
          "pause_at"_a.none() = nb::none(), "on_pause"_a.none() = nb::none(), "Count by bitmaps.");
    m.def("restarts", &run_restarts, "problem"_a, nb::kw_only(), "kernel"_a, "threads"_a, "seed"_a, "tail"_a,
          "max_work"_a.none(), "max_seconds"_a.none(), "on_covers"_a, "on_progress"_a.none(),
          "Search for one cover by random restarts.");
    m.def("probe", &run_probe, "problem"_a, nb::kw_only(), "tree"_a, "size"_a, "strand"_a, "probes"_a, "seconds"_a,
          "seed"_a, "on_progress"_a.none(), "Probe a search tree; with 0 probes, as many as fit into the seconds.");
    m.def("components_count", &run_components, "problem"_a, nb::kw_only(), "most_bytes"_a, "max_nodes"_a.none(),
          "max_seconds"_a.none(), "on_progress"_a.none(), "Count by components with a memo.");
    m.def("frontier_order", &order_for, "problem"_a, "An order of the items that keeps the frontier narrow.");
    m.def("frontier_width", &width_of, "problem"_a, "order"_a.noconvert(),
          "The most items that are open at once, when they are taken in this order.");
    m.def("frontier_orders", &orders_for, "problem"_a, "sweeps"_a.noconvert(),
          "Orders that may race, one after another in one array.");
    nb::class_<FrontierSearch>(m, "FrontierSearch", "A count item after item, in the best of some orders.")
        .def("__init__", &make_frontier, nb::keep_alive<1, 2>(), "problem"_a, "orders"_a.noconvert(), nb::kw_only(),
             "most_bytes"_a, "most_on_disk"_a, "folder"_a, "threads"_a, "on_keep"_a.none() = nb::none(),
             "keep_seconds"_a = 0.0, "kept_path"_a = "", "kept_from"_a = 0, "kept_seed"_a = 0)
        .def("count", &run_frontier, "until_work"_a.none(), "max_seconds"_a.none(), "on_progress"_a.none(),
             "Begin or go on; perhaps with a count that was kept.");
    m.def("diagram", &run_diagram, "problem"_a, "order"_a.noconvert(), nb::kw_only(), "most_bytes"_a,
          "most_work"_a.none(), "max_seconds"_a.none(), "on_progress"_a.none(), "Make the diagram of all covers.");
    m.def("kernels", &list_kernels, "The kernels compiled in, the fastest last, and whether each runs here.");
    define_assembler(m);
    define_turner(m);
    define_turning_assembler(m);
    define_plane(m);
    define_cutter(m);
    define_growth(m);
    define_strips(m);
}
