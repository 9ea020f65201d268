// What every native search shares with its caller: the problem, the limits, and where the covers go.
//
// Nothing here knows Python. `Sink` is called from the searching thread; module.cpp gives one that takes the
// interpreter's lock for the call.

#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace latcover {

// Options and items in compressed rows; see latcover/cover/problem.py, whose checks are required here.
struct Problem {
    std::span<const std::int64_t> option_starts;  // n_options + 1, ascending, from 0
    std::span<const std::int32_t> option_items;   // ascending within an option
    std::span<const std::int32_t> low;            // n_items; 0 <= low <= high
    std::span<const std::int32_t> high;
    std::int32_t n_cells = 0;                          // the first items
    std::int32_t n_parts = 0;                          // the items after them
    std::span<const std::int64_t> neighbour_starts{};  // n_cells + 1: which cells share a side
    std::span<const std::int32_t> neighbours{};
    std::span<const std::int32_t> option_colours{};  // one an entry of option_items, 0 for none; empty without colours

    std::int32_t colour(std::int64_t entry) const { return option_colours.empty() ? 0 : option_colours[entry]; }
    bool has_colours() const { return !option_colours.empty(); }
    std::int64_t n_options() const { return static_cast<std::int64_t>(option_starts.size()) - 1; }
    std::int32_t n_items() const { return static_cast<std::int32_t>(low.size()); }
};

// A problem on which a search cannot do what it was asked for; the caller's fault.
struct Unsupported : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Limits {
    std::uint64_t covers;
    std::uint64_t branches;
    double seconds;
};

enum class Stop { exhausted, cover_limit, branch_limit, time_limit, cancelled };

struct Statistics {
    std::uint64_t branches = 0;
    std::uint64_t covers = 0;
    std::uint64_t dead_ends = 0;
    std::uint64_t stranded = 0;  // options that were refused because they strand, and are no branches
    std::int32_t deepest = 0;
    double setup_seconds = 0;
    double search_seconds = 0;
    double first_seconds = -1;  // to the first cover; negative while there is none
    std::vector<std::uint64_t> branches_by_level;
};

struct Outcome {
    Stop stop = Stop::exhausted;
    Statistics statistics;
};

// A batch of covers in compressed rows: cover k is options[starts[k] .. starts[k + 1]], in the order chosen.
struct Batch {
    std::vector<std::int64_t> starts{0};
    std::vector<std::int32_t> options;

    std::size_t size() const { return starts.size() - 1; }
    void clear() { starts.resize(1); options.clear(); }
};

class Sink {
public:
    virtual ~Sink() = default;
    // False stops the search.
    virtual bool covers(const Batch& batch) = 0;
    // Called some twenty times a second, and with 1 when all is done; `share` is the exact part of the tree that is
    // done. False stops the search.
    virtual bool progress(double share, const Statistics& so_far) = 0;
};

class Clock {
public:
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace latcover
