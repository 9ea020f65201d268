// What every native search shares with its caller: the problem, the limits, the statistics, and the sink of the covers.
//
// Nothing here depends on Python. The thread that called the search calls the `Sink`. The sink of module.cpp takes the
// lock of the interpreter for each call.

#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

namespace latcover {

// Options and items in compressed rows. latcover/core/cover/problem.py explains them; its checks are required here.
struct Problem {
    std::span<const std::int64_t> option_starts;  // n_options + 1, ascending, from 0
    std::span<const std::int32_t> option_items;   // ascending within an option
    std::span<const std::int32_t> low;            // n_items; 0 <= low <= high
    std::span<const std::int32_t> high;
    std::int32_t n_cells = 0;                          // the first items are cells
    std::int32_t n_parts = 0;                          // the next items are parts
    std::span<const std::int64_t> neighbour_starts{};  // n_cells + 1: the cells that share a side with each cell
    std::span<const std::int32_t> neighbours{};
    std::span<const std::int32_t> option_colours{};  // of each entry of option_items, 0 for none; empty without colours

    std::int32_t colour(std::int64_t entry) const { return option_colours.empty() ? 0 : option_colours[entry]; }
    bool has_colours() const { return !option_colours.empty(); }
    std::int64_t n_options() const { return static_cast<std::int64_t>(option_starts.size()) - 1; }
    std::int32_t n_items() const { return static_cast<std::int32_t>(low.size()); }
};

// The search cannot do what it was asked for on this problem. This is the caller's fault.
struct Unsupported : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Limits {
    std::uint64_t covers;
    std::uint64_t branches;
    double seconds;
    // At so many branches the search pauses for the first time (`Sink::pause`); other threads search only after the last
    // pause. Only searches whose callers ask for it pause.
    std::uint64_t pause = std::numeric_limits<std::uint64_t>::max();
};

// A search looks at the clock and at its limits after so many branches. In a problem of many options a branch takes
// longer, so there are fewer.
inline std::int64_t branches_between_looks(std::int64_t n_options) {
    constexpr std::int64_t usual = 512, most_options = 20'000;
    return std::max<std::int64_t>(1, usual * most_options / std::max(n_options, most_options));
}

enum class Stop { exhausted, cover_limit, branch_limit, time_limit, cancelled };

struct Statistics {
    std::uint64_t branches = 0;
    std::uint64_t covers = 0;
    std::uint64_t dead_ends = 0;
    std::uint64_t stranded = 0;  // options refused because they strand; they are no branches
    std::int32_t deepest = 0;
    double setup_seconds = 0;
    double search_seconds = 0;
    double first_seconds = -1;  // until the first cover; negative while there is none
    std::vector<std::uint64_t> branches_by_level;
};

struct Outcome {
    Stop stop = Stop::exhausted;
    Statistics statistics;
};

// A batch of covers in compressed rows. Cover k is options[starts[k] .. starts[k + 1] - 1], in the order of their
// choice.
struct Batch {
    std::vector<std::int64_t> starts{0};
    std::vector<std::int32_t> options;

    std::size_t size() const { return starts.size() - 1; }
    // Add a cover. `write` appends its options to the vector that it is given.
    template <typename Write>
    void add(Write write) {
        write(options);
        starts.push_back(static_cast<std::int64_t>(options.size()));
    }
    void clear() {
        starts.resize(1);
        options.clear();
    }
};

// Where the covers and the reports of a search go.
class Sink {
public:
    virtual ~Sink() = default;
    // Takes covers. Returning false stops the search.
    virtual bool covers(const Batch& batch) = 0;
    // Called some twenty times a second, and at the end of a search that was not stopped. `share` is the exact share of
    // the tree that is done. Returning false stops the search.
    virtual bool progress(double share, const Statistics& so_far) = 0;
    // Called when the search pauses; it goes on when this returns. Returns how many branches there are to be at the next
    // pause; 0 stops the search.
    virtual std::uint64_t pause(double, const Statistics&) { return std::numeric_limits<std::uint64_t>::max(); }
    // Whether no wanted cover holds these options. Only searches that are told so ask, after each option they choose.
    virtual bool prunes(const std::vector<std::int32_t>&) { return false; }
};

// Measures the seconds since it was made.
class Clock {
public:
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace latcover
