// The Python face of the native searches. The interpreter's lock is held only while Python is being called.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "backtrack.hpp"
#include "bitset.hpp"
#include "dlx.hpp"
#include "frontier.hpp"
#include "probe.hpp"

namespace nb = nanobind;
using namespace latcover;

namespace {

template <typename T>
using Input = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// n_cells, n_parts, neighbour_starts, neighbours. The arrays as objects: within a tuple those of another type would be
// converted, whatever becomes of their numbers.
using Cells = std::tuple<std::int32_t, std::int32_t, nb::object, nb::object>;

template <typename T>
std::span<const T> view(const Input<T>& array) {
    return {array.data(), array.size()};
}

template <typename T>
nb::object as_numpy(std::vector<T> values) {
    auto* owned = new std::vector<T>(std::move(values));
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(owned->data(), {owned->size()}, owner));
}

// Memory safety alone; what makes a problem sensible is checked in latcover/cover/problem.py.
void require_safe(const Problem& p) {
    const auto refuse = [](const char* what) { throw nb::value_error(what); };
    if (p.option_starts.empty() || p.option_starts.front() != 0 ||
        p.option_starts.back() != static_cast<std::int64_t>(p.option_items.size()))
        refuse("option_starts must begin with 0 and end with the length of option_items");
    if (p.low.size() != p.high.size()) refuse("low and high must be of one length");
    constexpr std::size_t most = 1u << 28;
    if (p.option_items.size() >= most || p.option_starts.size() >= most || p.low.size() >= most)
        refuse("at most 2^28 options, items, and places of items in options");
    for (std::size_t i = 0; i < p.low.size(); ++i)
        if (p.low[i] < 0 || p.low[i] > p.high[i] || static_cast<std::size_t>(p.low[i]) >= most)
            refuse("bounds must satisfy 0 <= low <= high");
    for (std::int64_t o = 0; o < p.n_options(); ++o) {
        if (p.option_starts[o] > p.option_starts[o + 1] || p.option_starts[o] < 0 ||
            p.option_starts[o + 1] > p.option_starts.back())
            refuse("option_starts must not descend");
        for (auto k = p.option_starts[o]; k < p.option_starts[o + 1]; ++k) {
            const auto item = p.option_items[k];
            if (item < 0 || item >= p.n_items()) refuse("an option holds an item that does not exist");
            if (k > p.option_starts[o] && p.option_items[k - 1] >= item)
                refuse("the items of an option must ascend");
        }
    }
    if (p.has_colours() && p.option_colours.size() != p.option_items.size())
        refuse("there must be a colour for each entry of option_items, or none at all");
    for (std::size_t k = 0; k < p.option_colours.size(); ++k) {
        const auto item = p.option_items[k];
        if (p.option_colours[k] < 0) refuse("a colour must not be negative");
        if (p.option_colours[k] > 0 && (p.low[item] != 0 || p.high[item] != 1))
            refuse("an item with a colour must have the bounds [0, 1]");
    }
    if (p.neighbour_starts.empty() && p.neighbours.empty() && p.n_cells == 0 && p.n_parts == 0) return;  // none given
    if (p.n_cells < 0 || p.n_parts < 0 || std::int64_t{p.n_cells} + p.n_parts > p.n_items())
        refuse("cells and parts must be items");
    if (p.neighbour_starts.size() != static_cast<std::size_t>(p.n_cells) + 1 || p.neighbour_starts.front() != 0 ||
        p.neighbour_starts.back() != static_cast<std::int64_t>(p.neighbours.size()))
        refuse("neighbour_starts must have one entry a cell and one more, from 0 to the length of neighbours");
    for (std::int32_t cell = 0; cell < p.n_cells; ++cell)
        if (p.neighbour_starts[cell] > p.neighbour_starts[cell + 1]) refuse("neighbour_starts must not descend");
    for (const auto cell : p.neighbours)
        if (cell < 0 || cell >= p.n_cells) refuse("a neighbour is no cell");
}

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

class PythonSink : public Sink {
public:
    PythonSink(nb::object on_covers, nb::object on_progress)
        : on_covers_(std::move(on_covers)), on_progress_(std::move(on_progress)) {}

    bool covers(const Batch& batch) override {
        nb::gil_scoped_acquire lock;
        return nb::cast<bool>(on_covers_(as_numpy(batch.starts), as_numpy(batch.options)));
    }

    bool progress(double share, const Statistics& so_far) override {
        nb::gil_scoped_acquire lock;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();  // Ctrl-C becomes KeyboardInterrupt
        if (on_progress_.is_none()) return true;
        return nb::cast<bool>(on_progress_(share, so_far.branches, so_far.covers, so_far.search_seconds));
    }

private:
    nb::object on_covers_;
    nb::object on_progress_;
};

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

// A colour for each entry of option_items.
using Colours = std::optional<Input<std::int32_t>>;

std::span<const std::int32_t> view(const Colours& colours) {
    return colours ? view(*colours) : std::span<const std::int32_t>();
}

// The array that an object is; its caller keeps it alive.
template <typename T>
std::span<const T> as_it_is(const nb::object& object, const char* refusal) {
    Input<T> array;
    if (!nb::try_cast(object, array, false)) throw nb::type_error(refusal);
    return view(array);
}

Problem with_cells(Problem problem, const Cells& cells) {
    std::tie(problem.n_cells, problem.n_parts) = std::tie(std::get<0>(cells), std::get<1>(cells));
    problem.neighbour_starts =
        as_it_is<std::int64_t>(std::get<2>(cells), "neighbour_starts must be one row of numbers of 64 bits");
    problem.neighbours = as_it_is<std::int32_t>(std::get<3>(cells), "neighbours must be one row of numbers of 32 bits");
    return problem;
}

// The arguments that all searches have in common; `cells` tells n_cells, n_parts and the cells' neighbours.
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
    Problem problem{view(given.option_starts), view(given.option_items), view(given.low), view(given.high)};
    problem.option_colours = view(given.colours);
    if (cells) problem = with_cells(problem, *cells);
    require_safe(problem);
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

// Bind a search whose options are `size` and `strand`, and for some the kernel by whose instructions they compare.
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
            Options options{size, stranding_of(strand)};
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

// Probe the tree of `dlx` or of `backtrack`; groups are pairs of logarithms, of branches and of covers.
nb::tuple run_probe(const Input<std::int64_t>& option_starts, const Input<std::int32_t>& option_items,
                    const Input<std::int32_t>& low, const Input<std::int32_t>& high, const std::string& tree,
                    bool size, const std::string& strand, const Colours& colours, const Cells& cells,
                    std::uint64_t probes, double seconds, std::uint64_t seed, nb::object on_progress) {
    Problem problem = with_cells({view(option_starts), view(option_items), view(low), view(high)}, cells);
    problem.option_colours = view(colours);
    require_safe(problem);
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

// A thread or a table too many is refused here, since asking the system for them could take it down.
void require_means(unsigned threads, std::size_t memo_bytes) {
    constexpr unsigned most_threads = 1024;
    constexpr auto most_bytes = std::size_t{1} << 40;
    if (threads < 1 || threads > most_threads) throw nb::value_error("threads must lie between 1 and 1024");
    if (memo_bytes > most_bytes) throw nb::value_error("memo_bytes must be at most 2^40");
}

void require_order(const Problem& problem, std::span<const std::int32_t> order) {
    std::vector<char> there(problem.low.size(), 0);
    for (const auto item : order)
        if (item >= 0 && item < problem.n_items()) there[item] = 1;
    if (order.size() != there.size() || std::count(there.begin(), there.end(), 1) != problem.n_items())
        throw nb::value_error("the order must hold every item once");
}

std::int32_t width_of(const Input<std::int64_t>& option_starts, const Input<std::int32_t>& option_items,
                      const Input<std::int32_t>& low, const Input<std::int32_t>& high,
                      const Input<std::int32_t>& order) {
    const Problem problem{view(option_starts), view(option_items), view(low), view(high)};
    require_safe(problem);
    require_order(problem, view(order));
    return frontier_width(problem, view(order));
}

// The number of covers as bytes, the least significant first.
nb::tuple count_by_frontier(const Input<std::int64_t>& option_starts, const Input<std::int32_t>& option_items,
                            const Input<std::int32_t>& low, const Input<std::int32_t>& high,
                            const Input<std::int32_t>& order, std::uint64_t most_bytes,
                            std::optional<double> max_seconds, nb::object on_progress) {
    const Problem problem{view(option_starts), view(option_items), view(low), view(high)};
    require_safe(problem);
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
    Problem problem{view(option_starts), view(option_items), view(low), view(high)};
    problem.option_colours = view(colours);
    require_safe(problem);
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
    Problem problem{view(option_starts), view(option_items), view(low), view(high)};
    problem.option_colours = view(colours);
    require_safe(problem);
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
          "colours"_a.noconvert().none() = nb::none(), "max_covers"_a.none(), "max_branches"_a.none(), "max_seconds"_a.none(), "on_covers"_a,
          "on_progress"_a.none(),
          "Search by bitmaps. Returns why it stopped, the statistics, what is native to it, and a note where dancing links ran.");
    m.def("bitset_count", &run_bitset_count, "option_starts"_a.noconvert(), "option_items"_a.noconvert(),
          "low"_a.noconvert(), "high"_a.noconvert(), nb::kw_only(), "kernel"_a, "threads"_a, "memo_bytes"_a,
          "colours"_a.noconvert().none() = nb::none(), "max_branches"_a.none(), "max_seconds"_a.none(), "on_progress"_a.none(),
          "Count by bitmaps. Returns what `bitset` does, with the covers as words of 64 bits, the lowest first.");
    m.def("probe", &run_probe, "option_starts"_a.noconvert(), "option_items"_a.noconvert(), "low"_a.noconvert(),
          "high"_a.noconvert(), nb::kw_only(), "tree"_a, "size"_a, "strand"_a,
          "colours"_a.noconvert().none(), "cells"_a, "probes"_a, "seconds"_a,
          "seed"_a, "on_progress"_a.none(),
          "Probe a search tree; with 0 probes, as many as go into the seconds. Returns why it stopped, the logarithms of the "
          "branches and of the covers that each group tells of, and figures.");
    m.def("kernels", &list_kernels, "The kernels compiled in, the fastest last, and whether each runs here.");
}
