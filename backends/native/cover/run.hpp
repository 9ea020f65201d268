// What every native search does besides searching: it counts branches, hands covers over, keeps the limits, and reports
// its progress.

#pragma once

#include <algorithm>
#include <utility>

#include "cover/growing_batch.hpp"
#include "cover/progress.hpp"
#include "cover/search.hpp"

namespace latcover {

class Run {
public:
    Run(const Limits& limits, Sink& sink, std::int64_t n_options)
        : limits_(limits), sink_(sink), progress_(sink),
          pace_(static_cast<std::uint64_t>(branches_between_looks(n_options))) {}

    Statistics statistics;

    // Call this once, after the problem has been set up. Returns false when a limit stops the search before its first
    // branch.
    bool start() {
        statistics.setup_seconds = clock_.seconds();
        limits_.seconds -= statistics.setup_seconds;
        clock_ = Clock();
        if (limits_.covers == 0) stop(Stop::cover_limit);
        else if (limits_.branches == 0) stop(Stop::branch_limit);
        else if (limits_.seconds <= 0) stop(Stop::time_limit);
        schedule();
        return !stopped_;
    }

    bool stopped() const { return stopped_; }

    // One more option was tried. It is the `level`-th option of a cover, counted from 1.
    void branch(std::size_t level) {
        ++statistics.branches;
        if (level > statistics.branches_by_level.size()) statistics.branches_by_level.push_back(0);
        ++statistics.branches_by_level[level - 1];
        statistics.deepest = std::max(statistics.deepest, static_cast<std::int32_t>(level));
    }

    // A cover was found. `write` appends its options to the vector that it is given.
    template <typename Write>
    void cover(Write write) {
        if (statistics.covers++ == 0) statistics.first_seconds = clock_.seconds();
        covers_.add(clock_, write);
        if (statistics.covers >= limits_.covers) stop(Stop::cover_limit);
        if (covers_.is_full()) flush();
    }

    // Hand over the covers that wait, as an important one is among them.
    void hand_over() { flush(); }

    // A search that only counts has found so many covers by now.
    void counted(std::uint64_t covers) {
        if (statistics.covers == 0 && covers > 0) statistics.first_seconds = clock_.seconds();
        statistics.covers = covers;
    }

    // The branches at the next pause.
    std::uint64_t pause_at() const { return limits_.pause; }

    // Whether to call `look` before the next branch.
    bool due() const { return statistics.branches >= next_look_; }

    // Compare the branches and the time with their limits. Hand over old covers, and report the progress when a report
    // is due. `share` returns the part of the tree that is done.
    template <typename Share>
    void look(Share share) {
        look(share, statistics.covers);
    }

    // The same, for a search that has found more covers than it has handed over. The report names `covers_found`.
    template <typename Share>
    void look(Share share, std::uint64_t covers_found) {
        if (statistics.branches >= limits_.branches) return stop(Stop::branch_limit);
        if (statistics.branches >= limits_.pause) {
            Statistics so_far;
            so_far.branches = statistics.branches;
            so_far.covers = covers_found;
            limits_.pause = sink_.pause(share(), so_far);
            if (limits_.pause == 0) return stop(Stop::cancelled);
        }
        schedule();
        const double now = clock_.seconds();
        if (covers_.is_old(now)) flush();
        if (!stopped_ && now >= limits_.seconds) stop(Stop::time_limit);
        if (!stopped_ && progress_.is_due(now)) {
            Statistics so_far = statistics;
            so_far.covers = covers_found;
            if (!progress_.tell(now, share(), std::move(so_far))) stop(Stop::cancelled);
        }
    }

    Outcome finish() {
        const bool cut = stopped_;
        flush();
        if (!cut && stopped_) stop_ = Stop::exhausted;  // the caller refused the last batch, but the tree was done
        statistics.search_seconds = clock_.seconds();
        if (stop_ == Stop::exhausted) sink_.progress(1.0, statistics);  // an answer of false has nothing left to stop
        return {stop_, std::move(statistics)};
    }

private:
    static constexpr std::size_t largest_batch = 4096;  // covers
    static constexpr double oldest_batch = 0.1;         // seconds

    void stop(Stop why) {
        stopped_ = true;
        stop_ = why;
    }

    void schedule() { next_look_ = std::min({limits_.branches, limits_.pause, statistics.branches + pace_}); }

    void flush() {
        if (covers_.is_empty()) return;
        if (!sink_.covers(covers_.batch()) && !stopped_) stop(Stop::cancelled);
        covers_.clear();
    }

    Limits limits_;
    Sink& sink_;
    Clock clock_;
    GrowingBatch covers_{largest_batch, oldest_batch};
    Progress progress_;
    const std::uint64_t pace_;  // branches between looks
    std::uint64_t next_look_ = 0;
    bool stopped_ = false;
    Stop stop_ = Stop::exhausted;
};

}  // namespace latcover
