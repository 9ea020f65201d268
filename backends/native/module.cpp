// The Python face of the native searches. The interpreter's lock is held only while Python is being called.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <limits>
#include <optional>
#include <utility>

#include "bitset.hpp"
#include "dlx.hpp"

namespace nb = nanobind;
using namespace latcover;

namespace {

template <typename T>
using Input = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

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

// Memory safety alone; what makes a problem sensible is checked in latcover/problem.py.
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

nb::tuple run_dlx(const Input<std::int64_t>& option_starts, const Input<std::int32_t>& option_items,
                  const Input<std::int32_t>& low, const Input<std::int32_t>& high, bool size,
                  std::optional<std::uint64_t> max_covers, std::optional<std::uint64_t> max_branches,
                  std::optional<double> max_seconds, nb::object on_covers, nb::object on_progress) {
    const Problem problem{view(option_starts), view(option_items), view(low), view(high)};
    require_safe(problem);
    const Limits limits = as_limits(max_covers, max_branches, max_seconds);
    PythonSink sink(std::move(on_covers), std::move(on_progress));
    Outcome outcome;
    {
        nb::gil_scoped_release unlock;
        outcome = dlx_search(problem, DlxOptions{size}, limits, sink);
    }
    return nb::make_tuple(name(outcome.stop), as_dict(outcome.statistics));
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
                     unsigned threads, bool ordered, std::optional<std::uint64_t> max_covers,
                     std::optional<std::uint64_t> max_branches, std::optional<double> max_seconds,
                     nb::object on_covers, nb::object on_progress) {
    const Problem problem{view(option_starts), view(option_items), view(low), view(high)};
    require_safe(problem);
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
                           unsigned threads, std::size_t memo_bytes, std::optional<std::uint64_t> max_branches,
                           std::optional<double> max_seconds, nb::object on_progress) {
    const Problem problem{view(option_starts), view(option_items), view(low), view(high)};
    require_safe(problem);
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
    using namespace nb::literals;
    m.def("dlx", &run_dlx, "option_starts"_a.noconvert(), "option_items"_a.noconvert(), "low"_a.noconvert(),
          "high"_a.noconvert(), nb::kw_only(), "size"_a,
          "max_covers"_a.none(), "max_branches"_a.none(), "max_seconds"_a.none(), "on_covers"_a,
          "on_progress"_a.none(),
          "Search by dancing links. Returns why it stopped and the statistics.");
    m.def("bitset", &run_bitset, "option_starts"_a.noconvert(), "option_items"_a.noconvert(), "low"_a.noconvert(),
          "high"_a.noconvert(), nb::kw_only(), "kernel"_a, "threads"_a, "ordered"_a,
          "max_covers"_a.none(), "max_branches"_a.none(), "max_seconds"_a.none(), "on_covers"_a,
          "on_progress"_a.none(),
          "Search by bitmaps. Returns why it stopped, the statistics, what is native to it, and a note where dancing links ran.");
    m.def("bitset_count", &run_bitset_count, "option_starts"_a.noconvert(), "option_items"_a.noconvert(),
          "low"_a.noconvert(), "high"_a.noconvert(), nb::kw_only(), "kernel"_a, "threads"_a, "memo_bytes"_a,
          "max_branches"_a.none(), "max_seconds"_a.none(), "on_progress"_a.none(),
          "Count by bitmaps. Returns what `bitset` does, with the covers as words of 64 bits, the lowest first.");
    m.def("kernels", &list_kernels, "The kernels compiled in, the fastest last, and whether each runs here.");
}
