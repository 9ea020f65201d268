// What every native search does besides searching: it counts, hands covers over in batches, keeps the limits, and tells
// how far it has come.

#pragma once

#include <algorithm>
#include <utility>

#include "search.hpp"

namespace latcover {

class Run {
public:
    Run(const Limits& limits, Sink& sink) : limits_(limits), sink_(sink) {}

    Statistics statistics;

    // To be called once, when the problem has been set up. False when a limit is met before anything is tried.
    bool start() {
        statistics.setup_seconds = clock_.seconds();
        clock_ = Clock();
        if (limits_.covers == 0) stop(Stop::cover_limit);
        else if (limits_.branches == 0) stop(Stop::branch_limit);
        else if (limits_.seconds <= 0) stop(Stop::time_limit);
        schedule();
        return !stopped_;
    }

    bool stopped() const { return stopped_; }

    // One more option was tried, as the `level`-th of a cover, from 1.
    void branch(std::size_t level) {
        ++statistics.branches;
        if (level > statistics.branches_by_level.size()) statistics.branches_by_level.push_back(0);
        ++statistics.branches_by_level[level - 1];
        statistics.deepest = std::max(statistics.deepest, static_cast<std::int32_t>(level));
    }

    // A cover was found; `write` appends its options to the vector that it is given.
    template <typename Write>
    void cover(Write write) {
        if (statistics.covers++ == 0) statistics.first_seconds = clock_.seconds();
        if (batch_.size() == 0) batch_since_ = clock_.seconds();
        write(batch_.options);
        batch_.starts.push_back(static_cast<std::int64_t>(batch_.options.size()));
        if (statistics.covers >= limits_.covers) stop(Stop::cover_limit);
        if (batch_.size() >= batch_capacity_) flush();
    }

    // So many covers were found by now, of a search that only counts them.
    void counted(std::uint64_t covers) {
        if (statistics.covers == 0 && covers > 0) statistics.first_seconds = clock_.seconds();
        statistics.covers = covers;
    }

    // Whether to call `look` before the next branch.
    bool due() const { return statistics.branches >= next_look_; }

    // Hold the branches against their limit, now and then the clock too; `share` tells the part of the tree that is done.
    template <typename Share>
    void look(Share share) {
        if (statistics.branches >= limits_.branches) return stop(Stop::branch_limit);
        schedule();
        const double now = clock_.seconds();
        if (batch_.size() > 0 && now - batch_since_ >= oldest_batch) flush();
        if (!stopped_ && now >= limits_.seconds) stop(Stop::time_limit);
        if (!stopped_ && now - progress_since_ >= between_progress) {
            progress_since_ = now;
            statistics.search_seconds = now;
            share_ = std::clamp(share(), share_, 1.0);  // a sum over threads may be rounded the other way
            if (!sink_.progress(share_, statistics)) stop(Stop::cancelled);
        }
    }

    Outcome finish() {
        const bool cut = stopped_;
        flush();
        if (!cut && stopped_) stop_ = Stop::exhausted;  // the last batch was refused, but the tree was done
        statistics.search_seconds = clock_.seconds();
        if (stop_ == Stop::exhausted) sink_.progress(1.0, statistics);  // nothing is left that it could stop
        return {stop_, std::move(statistics)};
    }

private:
    static constexpr std::uint64_t branches_between_looks = 512;  // at the clock
    static constexpr std::size_t largest_batch = 4096;            // covers
    static constexpr double oldest_batch = 0.1;                   // seconds
    static constexpr double between_progress = 0.05;              // seconds

    void stop(Stop why) {
        stopped_ = true;
        stop_ = why;
    }

    void schedule() { next_look_ = std::min(limits_.branches, statistics.branches + branches_between_looks); }

    void flush() {
        if (batch_.size() == 0) return;
        if (!sink_.covers(batch_) && !stopped_) stop(Stop::cancelled);
        batch_.clear();
        batch_capacity_ = std::min(largest_batch, 2 * batch_capacity_);
    }

    Limits limits_;
    Sink& sink_;
    Clock clock_;
    Batch batch_;
    std::size_t batch_capacity_ = 1;  // doubles: the first cover is handed over at once
    double batch_since_ = 0;
    double progress_since_ = 0;
    double share_ = 0;  // told last
    std::uint64_t next_look_ = 0;
    bool stopped_ = false;
    Stop stop_ = Stop::exhausted;
};

// Walk a tree of options, depth first: dancing links and the direct method differ in their data alone.
//
// require: `tree.open()` looks at the node that the chosen options make, and says whether it has children;
// `tree.next_option()` takes back the option that the top level has tried and takes the next; `tree.strands()` says whether
// it is to be refused; `tree.close()` leaves the top level; `tree.depth()` levels are open.
template <typename Tree>
Outcome walk_tree(Run& run, Tree& tree) {
    const auto advance = [&] {
        while (tree.next_option()) {
            if (tree.strands()) {
                ++run.statistics.stranded;
                continue;
            }
            run.branch(tree.depth());
            return true;
        }
        return false;
    };
    for (bool descend = true, going = run.start(); going;) {
        if (descend) descend = tree.open();
        if (run.stopped() || tree.depth() == 0) break;
        if (run.due()) run.look([&] { return tree.share_done(); });
        if (run.stopped()) break;
        descend = advance();
        if (!descend) tree.close();
    }
    return run.finish();
}

}  // namespace latcover
