// Searches, as engine.js calls them.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>

#include "bitset/bitset.hpp"
#include "cover/safety.hpp"
#include "host.hpp"
#include "json.hpp"
#include "restarts/restarts.hpp"

namespace latcover {
namespace {

constexpr std::size_t memo_bytes = std::size_t{64} << 20;

class HostSink final : public Sink {
public:
    bool covers(const Batch& batch) override {
        return host_covers(batch.starts.data(), batch.size(), batch.options.data()) != 0;
    }
    bool progress(double share, const Statistics& so_far) override {
        return host_progress(share, static_cast<double>(so_far.branches), static_cast<double>(so_far.covers),
                             so_far.search_seconds) != 0;
    }
};

const char* name(Stop stop) {
    switch (stop) {
        case Stop::exhausted: return "exhausted";
        case Stop::cover_limit: return "cover_limit";
        case Stop::branch_limit: return "branch_limit";
        case Stop::time_limit: return "time_limit";
        case Stop::cancelled: return "cancelled";
    }
    return "";
}

// A limit that the host gives as a number; infinity is none.
std::uint64_t whole(double limit) {
    return limit < 0x1p63 ? static_cast<std::uint64_t>(std::max(limit, 0.0))
                          : std::numeric_limits<std::uint64_t>::max();
}

JsonObject figures(const Outcome& outcome) {
    const Statistics& s = outcome.statistics;
    JsonObject object;
    object.with("stop", name(outcome.stop))
        .with("covers", s.covers)
        .with("branches", s.branches)
        .with("dead_ends", s.dead_ends);
    object.with("deepest", s.deepest).with_text("branches_by_level", json_list(s.branches_by_level));
    object.with("setup_seconds", s.setup_seconds).with("search_seconds", s.search_seconds);
    return object.with_text("first_seconds", s.first_seconds < 0 ? "null" : json(s.first_seconds));
}

enum class Way : int { search, count, restarts };

void search(const Problem& problem, const Limits& limits, Way way, std::uint32_t seed) {
    HostSink sink;
    const BitsetOptions options{kernels().back().name};
    if (way == Way::restarts) {
        if (problem.has_colours()) throw Unsupported("restarts know no colours of items");
        const RestartsOutcome found = restarts_search(problem, {options.kernel, 1, seed}, limits, sink);
        answer(figures(found.outcome).with("kernel", options.kernel).with("note", "").text());
    } else if (way == Way::count) {
        // As in bitset.py: no memo where parts have items, for then results do not come again.
        const BitsetCount count = bitset_count(problem, options, limits, {problem.n_parts > 0 ? 0 : memo_bytes}, sink);
        JsonObject object = figures(count.result.outcome);
        object.with("kernel", count.result.kernel).with("note", count.result.note).with("with_memo", count.with_memo);
        answer(object
                   .with_text("words", json_list(count.covers.words,
                                                 [](std::uint64_t word) {
                                                     return json(
                                                         std::to_string(word));  // a number of JSON would be rounded
                                                 }))
                   .text());
    } else {
        const BitsetOutcome found = bitset_search(problem, options, limits, sink);
        answer(figures(found.outcome).with("kernel", found.kernel).with("note", found.note).text());
    }
}

}  // namespace
}  // namespace latcover

using namespace latcover;

extern "C" {

// Memory for an array of the host. It stays until the instance is forgotten.
LATCOVER_EXPORT("allocate") void* latcover_allocate(std::size_t bytes) {
    return ::operator new(bytes, std::align_val_t{16});
}

// The arrays are those of `Problem`; a limit may be infinity.
LATCOVER_EXPORT("search")
void latcover_search(const std::int64_t* starts, std::size_t n_starts, const std::int32_t* items, std::size_t n_entries,
                     const std::int32_t* low, std::size_t n_low, const std::int32_t* high, std::size_t n_high,
                     const std::int32_t* colours, std::size_t n_colours, const std::int64_t* neighbour_starts,
                     std::size_t n_neighbour_starts, const std::int32_t* neighbours, std::size_t n_neighbours,
                     std::int32_t n_cells, std::int32_t n_parts, double covers, double branches, double seconds,
                     int way, std::uint32_t seed) {
    const Problem problem{{starts, n_starts},
                          {items, n_entries},
                          {low, n_low},
                          {high, n_high},
                          n_cells,
                          n_parts,
                          {neighbour_starts, n_neighbour_starts},
                          {neighbours, n_neighbours},
                          {colours, n_colours}};
    require_safe(problem);
    search(problem, {whole(covers), whole(branches), seconds}, static_cast<Way>(way), seed);
}
}
