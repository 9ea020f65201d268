// The functions that Python calls. They release the lock of the interpreter while they search.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "assembly_module.hpp"
#include "backtrack.hpp"
#include "bitset.hpp"
#include "components.hpp"
#include "cut_module.hpp"
#include "dlx.hpp"
#include "frontier.hpp"
#include "frontier_order.hpp"
#include "probe.hpp"
#include "python_sink.hpp"
#include "restarts.hpp"

namespace nb = nanobind;
using namespace latcover;

namespace {

nb::dict as_dict(const Statistics& s) {
    nb::dict d;
    d["branches"] = s.branches;
    d["covers"] = s.covers;
    d["dead_ends"] = s.dead_ends;
    d["deepest"] = s.deepest;
    d["setup_seconds"] = s.setup_seconds;
    d["search_seconds"] = s.search_seconds;
    d["first_seconds"] = s.first_seconds < 0 ? nb::none() : nb::cast(s.first_seconds);
    nb::list levels;
    for (const auto n : s.branches_by_level) levels.append(n);
    d["branches_by_level"] = levels;
    return d;
}

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

Limits as_limits(std::optional<std::uint64_t> covers, std::optional<std::uint64_t> branches,
                 std::optional<double> seconds) {
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    return {covers.value_or(most), branches.value_or(most), seconds.value_or(std::numeric_limits<double>::infinity())};
}

// The arguments that several searches have in common.
struct Given {
    const Input<std::int64_t>& option_starts;
    const Input<std::int32_t>& option_items;
    const Input<std::int32_t>& low;
    const Input<std::int32_t>& high;
    const Colours& colours;
    std::optional<std::uint64_t> max_covers, max_branches;
    std::optional<double> max_seconds;
    nb::object on_covers, on_progress;
};

template <typename Search>
nb::tuple run(Given given, const std::optional<Cells>& cells, Search search) {
    const Problem problem =
        safe_problem(given.option_starts, given.option_items, given.low, given.high, given.colours, cells);
    const Limits limits = as_limits(given.max_covers, given.max_branches, given.max_seconds);
    PythonSink sink(std::move(given.on_covers), std::move(given.on_progress));
    Outcome outcome;
    {
        nb::gil_scoped_release unlock;
        outcome = search(problem, limits, sink);
    }
    nb::dict figures = as_dict(outcome.statistics);
    figures["stranded"] = outcome.statistics.stranded;
    return nb::make_tuple(name(outcome.stop), figures);
}

Stranding stranding_of(const std::string& name) {
    if (name == "no") return Stranding::none;
    if (name == "rows") return Stranding::rows;
    if (name == "anchor") return Stranding::anchor;
    if (name == "sums") return Stranding::sums;
    throw nb::value_error("strand must be no, rows, anchor or sums");
}

// Bind a search that has the options `size` and `strand`, and perhaps `kernel`.
template <typename Options, auto search>
void define(nb::module_& m, const char* name, const char* what) {
    using namespace nb::literals;
    m.def(
        name,
        [](const Input<std::int64_t>& option_starts, const Input<std::int32_t>& option_items,
           const Input<std::int32_t>& low, const Input<std::int32_t>& high, bool size, const std::string& strand,
           [[maybe_unused]] const std::string& kernel, const Colours& colours, const std::optional<Cells>& cells,
           std::optional<std::uint64_t> max_covers,
           std::optional<std::uint64_t> max_branches, std::optional<double> max_seconds, nb::object on_covers,
           nb::object on_progress) {
            Options options;
            options.size = size;
            options.stranding = stranding_of(strand);
            if constexpr (requires { options.kernel; }) options.kernel = kernel;
            return run({option_starts, option_items, low, high, colours, max_covers, max_branches, max_seconds,
                        std::move(on_covers), std::move(on_progress)},
                       cells, [&](const Problem& problem, const Limits& limits, Sink& sink) {
                           return search(problem, options, limits, sink);
                       });
        },
        "option_starts"_a.noconvert(), "option_items"_a.noconvert(), "low"_a.noconvert(), "high"_a.noconvert(),
        nb::kw_only(), "size"_a, "strand"_a, "kernel"_a = "", "colours"_a.noconvert().none() = nb::none(), "cells"_a.none(),
        "max_covers"_a.none(), "max_branches"_a.none(), "max_seconds"_a.none(), "on_covers"_a, "on_progress"_a.none(), what);
}

// Probe the tree of `dlx` or of `backtrack`. The estimates of the groups are returned as logarithms.
nb::tuple run_probe(const Input<std::int64_t>& option_starts, const Input<std::int32_t>& option_items,
                    const Input<std::int32_t>& low, const Input<std::int32_t>& high, const std::string& tree,
                    bool size, const std::string& strand, const Colours& colours, const Cells& cells,
                    std::uint64_t probes, double seconds, std::uint64_t seed, nb::object on_progress) {
    const Problem problem = safe_problem(option_starts, option_items, low, high, colours, cells);
    if (tree != "dlx" && tree != "backtrack") throw nb::value_error("the tree must be dlx or backtrack");
    PythonSink sink(nb::none(), std::move(on_progress));
    ProbeOutcome found;
    {
        nb::gil_scoped_release unlock;
        const auto probed = tree == "backtrack" ? backtrack_tree(problem, BacktrackOptions{size, stranding_of(strand), ""})
                                                : dlx_tree(problem, DlxOptions{size, stranding_of(strand)});
        found = probe_tree(*probed, ProbeOptions{probes, seconds, seed}, sink);
    }
    std::vector<double> branches, covers;
    for (const ProbeGroup& group : found.groups) {
        branches.push_back(group.branches);
        covers.push_back(group.covers);
    }
    nb::dict figures;
    figures["probes"] = found.probes;
    figures["whole"] = found.whole;
    figures["nodes"] = found.nodes;
    figures["least_branches"] = found.least_branches;
    figures["least_covers"] = found.least_covers;
    figures["covers_met"] = found.covers;
    figures["deepest"] = found.deepest;
    figures["seconds"] = found.seconds;
    return nb::make_tuple(name(found.stop), as_numpy(std::move(branches)), as_numpy(std::move(covers)), figures);
}

// Refuse so many threads or so large a table that asking for them could bring the system down.
void require_means(unsigned threads, std::size_t memo_bytes) {
    constexpr unsigned most_threads = 1024;
    constexpr auto most_bytes = std::size_t{1} << 40;
    if (threads < 1 || threads > most_threads) throw nb::value_error("threads must lie between 1 and 1024");
    if (memo_bytes > most_bytes) throw nb::value_error("memo_bytes must be at most 2^40");
}

// Count by components. The number of covers is returned as words of 64 bits, the lowest first.
nb::tuple run_components(const Input<std::int64_t>& option_starts, const Input<std::int32_t>& option_items,
                         const Input<std::int32_t>& low, const Input<std::int32_t>& high, std::size_t most_bytes,
                         std::optional<double> max_seconds, nb::object on_progress) {
    const Problem problem = safe_problem(option_starts, option_items, low, high);
    require_means(1, most_bytes);
    PythonSink sink(nb::none(), std::move(on_progress));
    ComponentCount count;
    {
        nb::gil_scoped_release unlock;
        count = count_by_components(problem, most_bytes, as_limits({}, {}, max_seconds).seconds, sink);
    }
    nb::list words;
    for (const auto word : count.covers.words) words.append(word);
    nb::dict figures;
    figures["nodes"] = count.nodes;
    figures["splits"] = count.splits;
    figures["memo_entries"] = count.entries;
    figures["memo_bytes"] = count.bytes;
    figures["memo_hits"] = count.hits;
    return nb::make_tuple(name(count.stop), words, count.seconds, figures);
}

std::int32_t width_of(const Input<std::int64_t>& option_starts, const Input<std::int32_t>& option_items,
                      const Input<std::int32_t>& low, const Input<std::int32_t>& high,
                      const Input<std::int32_t>& order) {
    const Problem problem = safe_problem(option_starts, option_items, low, high);
    require_order(problem, view(order));
    return frontier_width(problem, view(order));
}

nb::object order_for(const Input<std::int64_t>& option_starts, const Input<std::int32_t>& option_items,
                     const Input<std::int32_t>& low, const Input<std::int32_t>& high) {
    const Problem problem = safe_problem(option_starts, option_items, low, high);
    std::vector<std::int32_t> order;
    {
        nb::gil_scoped_release unlock;
        order = frontier_order(problem);
    }
    return as_numpy(std::move(order));
}

// Count by the frontier. The number of covers is returned as bytes, the least significant first.
nb::tuple count_by_frontier(const Input<std::int64_t>& option_starts, const Input<std::int32_t>& option_items,
                            const Input<std::int32_t>& low, const Input<std::int32_t>& high,
                            const Input<std::int32_t>& order, std::uint64_t most_bytes,
                            std::optional<double> max_seconds, nb::object on_progress) {
    const Problem problem = safe_problem(option_starts, option_items, low, high);
    require_order(problem, view(order));
    PythonSink sink(nb::none(), std::move(on_progress));
    FrontierCount count;
    {
        nb::gil_scoped_release unlock;
        count = frontier_count(problem, view(order), most_bytes,
                               max_seconds.value_or(std::numeric_limits<double>::infinity()), sink);
    }
    std::string bytes;
    for (const auto limb : count.limbs)
        for (int k = 0; k < 8; ++k) bytes.push_back(static_cast<char>(limb >> 8 * k & 255));
    nb::dict figures;
    figures["width"] = count.width;
    figures["states"] = count.states;
    figures["bytes"] = count.bytes;
    figures["seconds"] = count.seconds;
    return nb::make_tuple(name(count.stop), nb::bytes(bytes.data(), bytes.size()), figures);
}

nb::dict as_dict(const BitsetOutcome& result) {
    nb::dict native;
    native["kernel"] = result.kernel.empty() ? "dancing links" : result.kernel;
    native["threads"] = result.threads;
    native["subproblems"] = result.subproblems;
    return native;
}

nb::tuple run_bitset(const Input<std::int64_t>& option_starts, const Input<std::int32_t>& option_items,
                     const Input<std::int32_t>& low, const Input<std::int32_t>& high, const std::string& kernel,
                     unsigned threads, bool ordered, const Colours& colours, std::optional<std::uint64_t> max_covers,
                     std::optional<std::uint64_t> max_branches, std::optional<double> max_seconds,
                     nb::object on_covers, nb::object on_progress) {
    const Problem problem = safe_problem(option_starts, option_items, low, high, colours);
    require_means(threads, 0);
    const Limits limits = as_limits(max_covers, max_branches, max_seconds);
    PythonSink sink(std::move(on_covers), std::move(on_progress));
    BitsetOutcome result;
    {
        nb::gil_scoped_release unlock;
        result = bitset_search(problem, BitsetOptions{kernel, threads, ordered}, limits, sink);
    }
    return nb::make_tuple(name(result.outcome.stop), as_dict(result.outcome.statistics), as_dict(result), result.note);
}

nb::tuple run_bitset_count(const Input<std::int64_t>& option_starts, const Input<std::int32_t>& option_items,
                           const Input<std::int32_t>& low, const Input<std::int32_t>& high, const std::string& kernel,
                           unsigned threads, std::size_t memo_bytes, const Colours& colours,
                           std::optional<std::uint64_t> max_branches, std::optional<double> max_seconds,
                           nb::object on_progress) {
    const Problem problem = safe_problem(option_starts, option_items, low, high, colours);
    require_means(threads, memo_bytes);
    const Limits limits = as_limits({}, max_branches, max_seconds);
    PythonSink sink(nb::cpp_function([](nb::args) { return true; }), std::move(on_progress));
    BitsetCount count;
    {
        nb::gil_scoped_release unlock;
        count = bitset_count(problem, BitsetOptions{kernel, threads}, limits, memo_bytes, sink);
    }
    nb::dict native = as_dict(count.result);
    if (count.with_memo) {
        native["memo_entries"] = count.memo_entries;
        native["memo_bytes"] = count.memo_bytes;
        native["memo_hits"] = count.memo_hits;
    }
    nb::dict figures = as_dict(count.result.outcome.statistics);
    nb::list words;
    for (const auto word : count.covers.words) words.append(word);
    figures["covers"] = words;
    return nb::make_tuple(name(count.result.outcome.stop), figures, native, count.result.note);
}

// Search for one cover by random restarts.
nb::tuple run_restarts(const Input<std::int64_t>& option_starts, const Input<std::int32_t>& option_items,
                       const Input<std::int32_t>& low, const Input<std::int32_t>& high, const std::string& kernel,
                       unsigned threads, std::uint64_t seed, int tail, const Cells& cells,
                       std::optional<double> max_seconds, nb::object on_covers, nb::object on_progress) {
    const Problem problem = safe_problem(option_starts, option_items, low, high, {}, cells);
    require_means(threads, 0);
    const Limits limits = as_limits(1, {}, max_seconds);
    PythonSink sink(std::move(on_covers), std::move(on_progress));
    RestartsOutcome result;
    {
        nb::gil_scoped_release unlock;
        result = restarts_search(problem, RestartsOptions{kernel, threads, seed, tail}, limits, sink);
    }
    nb::dict native;
    native["heads"] = result.heads;
    native["tails"] = result.tails;
    native["tails_cut"] = result.cut;
    native["threads"] = result.threads;
    return nb::make_tuple(name(result.outcome.stop), as_dict(result.outcome.statistics), native);
}

nb::dict list_kernels() {
    nb::dict d;
    for (const KernelName& kernel : kernels()) d[kernel.name.c_str()] = kernel.runs_here;
    return d;
}

}  // namespace

NB_MODULE(_native, m) {
    m.doc() = "Native searches for exact covers with bounds; use them through latcover.backends.";
    nb::register_exception_translator(
        [](const std::exception_ptr& thrown, void*) {
            try {
                std::rethrow_exception(thrown);
            } catch (const Unsupported& unsupported) {
                const auto kind = nb::module_::import_("latcover.errors").attr("UnsupportedError");
                PyErr_SetString(kind.ptr(), unsupported.what());
            }
        });
    using namespace nb::literals;
    m.def("frontier_order", &order_for, "option_starts"_a.noconvert(), "option_items"_a.noconvert(), "low"_a.noconvert(),
          "high"_a.noconvert(), "An order of the items that keeps the frontier narrow.");
    m.def("frontier_width", &width_of, "option_starts"_a.noconvert(), "option_items"_a.noconvert(),
          "low"_a.noconvert(), "high"_a.noconvert(), "order"_a.noconvert(),
          "The most items that are open at once, when they are taken in this order.");
    m.def("frontier_count", &count_by_frontier, "option_starts"_a.noconvert(), "option_items"_a.noconvert(),
          "low"_a.noconvert(), "high"_a.noconvert(), "order"_a.noconvert(), nb::kw_only(), "most_bytes"_a,
          "max_seconds"_a.none(), "on_progress"_a.none(),
          "Count covers item after item. Returns why it stopped, the number as bytes, and figures.");
    define<DlxOptions, dlx_search>(m, "dlx", "Search by dancing links. Returns why it stopped and the statistics.");
    define<BacktrackOptions, backtrack_search>(m, "backtrack", "Search by the direct method. Returns the same.");
    m.def("bitset", &run_bitset, "option_starts"_a.noconvert(), "option_items"_a.noconvert(), "low"_a.noconvert(),
          "high"_a.noconvert(), nb::kw_only(), "kernel"_a, "threads"_a, "ordered"_a,
          "colours"_a.noconvert().none() = nb::none(), "max_covers"_a.none(), "max_branches"_a.none(),
          "max_seconds"_a.none(), "on_covers"_a, "on_progress"_a.none(),
          "Search by bitmaps. Returns why it stopped, the statistics, what is native to it, and a note where dancing links ran.");
    m.def("bitset_count", &run_bitset_count, "option_starts"_a.noconvert(), "option_items"_a.noconvert(),
          "low"_a.noconvert(), "high"_a.noconvert(), nb::kw_only(), "kernel"_a, "threads"_a, "memo_bytes"_a,
          "colours"_a.noconvert().none() = nb::none(), "max_branches"_a.none(), "max_seconds"_a.none(), "on_progress"_a.none(),
          "Count by bitmaps. Returns what `bitset` does, with the covers as words of 64 bits, the lowest first.");
    m.def("components_count", &run_components, "option_starts"_a.noconvert(), "option_items"_a.noconvert(),
          "low"_a.noconvert(), "high"_a.noconvert(), nb::kw_only(), "most_bytes"_a, "max_seconds"_a.none(),
          "on_progress"_a.none(),
          "Count by components with a memo. Returns why it stopped, the covers as words of 64 bits, the seconds, and figures.");
    m.def("probe", &run_probe, "option_starts"_a.noconvert(), "option_items"_a.noconvert(), "low"_a.noconvert(),
          "high"_a.noconvert(), nb::kw_only(), "tree"_a, "size"_a, "strand"_a,
          "colours"_a.noconvert().none(), "cells"_a, "probes"_a, "seconds"_a,
          "seed"_a, "on_progress"_a.none(),
          "Probe a search tree; with 0 probes, as many as go into the seconds. Returns why it stopped, the logarithms of the "
          "branches and of the covers that each group tells of, and figures.");
    m.def("restarts", &run_restarts, "option_starts"_a.noconvert(), "option_items"_a.noconvert(), "low"_a.noconvert(),
          "high"_a.noconvert(), nb::kw_only(), "kernel"_a, "threads"_a, "seed"_a, "tail"_a, "cells"_a, "max_seconds"_a.none(), "on_covers"_a,
          "on_progress"_a.none(), "Search for one cover by random restarts. Returns why it stopped, the statistics, and what is native to it.");
    define_assembler(m);
    define_cutter(m);
    m.def("kernels", &list_kernels, "The kernels compiled in, the fastest last, and whether each runs here.");
}
