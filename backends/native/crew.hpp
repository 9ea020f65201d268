// Many threads on one problem. Every thread walks the top of the tree down to the same depth and numbers the subproblems
// that it meets there; it searches those whose number is the ticket that it has drawn, and passes the others over. So
// the threads share nothing but the counter of tickets and what they report.

#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "cover_matrix.hpp"
#include "hosted_walk.hpp"
#include "kernel_units.hpp"
#include "search.hpp"

namespace latcover {

// Where the tree is split: into the nodes with `depth` options chosen, and the covers with fewer.
struct Split {
    std::uint32_t depth = 0;
    std::uint64_t n_subproblems = 0;
    std::uint64_t n_before = 0;  // subproblems up to and with the one that the path leads into
};

// Split so that there are many subproblems for each thread. `path`: the ranks of the children on the way to where the
// search is now; the split is no deeper than that.
Split split_tree(const CoverMatrix& matrix, const KernelUnit& unit, const std::vector<std::uint32_t>& path,
                 unsigned threads);

// Covers of one subproblem: some of them, or with `last` the rest.
struct Package {
    std::uint64_t number;
    bool last;
    Batch batch;
};

// What a thread has done so far.
struct Report {
    std::uint64_t branches = 0;
    std::uint64_t covers = 0;
    double share = 0;
};

// The threads beside the calling one, and the post between them.
class Crew {
public:
    struct Manner {
        unsigned helpers;
        bool ordered;
        bool counts;  // covers are counted and not handed over
    };
    Crew(const CoverMatrix& matrix, const KernelUnit& unit, const Split& split, const Manner& manner);
    ~Crew();  // stops the helpers and waits for them
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    // For all threads
    std::uint64_t draw_ticket() { return next_ticket_.fetch_add(1, std::memory_order_relaxed); }
    bool stopping() const { return stopping_.load(std::memory_order_relaxed); }
    const Split& split() const { return split_; }
    bool ordered() const { return ordered_; }

    // For helpers
    void send(Package package);  // waits where too much has not been fetched yet
    void report(std::size_t helper, const Report& report);

    // For the calling thread
    std::deque<Package> fetch();  // throws what a helper has thrown
    bool wait(double seconds);    // until there is something to fetch; false when all helpers have ended
    bool crowded() const;         // whether the calling thread should wait, rather than search on
    Report reports() const;
    void note_kept(std::size_t covers);  // the calling thread's own, to be delivered later
    void note_delivered(std::uint64_t number, std::size_t covers);  // all before `number`, and so many more covers
    void end();  // stop the helpers and wait for them
    // When they have ended: add what they tried to the calling thread's own.
    void add_to(std::vector<std::uint64_t>& tried, std::vector<std::uint64_t>& dead) const;

private:
    class Helper;
    void run(std::size_t helper);

    const CoverMatrix& matrix_;
    const KernelUnit& unit_;
    const Split split_;
    const bool ordered_;
    const bool counts_;
    std::atomic<std::uint64_t> next_ticket_;
    std::atomic<bool> stopping_{false};

    mutable std::mutex mutex_;
    std::condition_variable news_, room_;
    std::deque<Package> post_;
    std::size_t undelivered_ = 0;  // covers sent
    std::uint64_t awaited_;        // the lowest subproblem of which not all covers are delivered
    std::vector<Report> reports_;
    std::size_t running_ = 0;
    std::exception_ptr error_;

    std::vector<std::unique_ptr<Helper>> helpers_;
    std::vector<std::thread> threads_;
};

// A walk that takes part in a split.
class SplitWalk : public HostedWalk {
public:
    using HostedWalk::HostedWalk;

protected:
    // Take part from now on; the walk stands in front of subproblem `number`.
    void join(Crew& crew, std::uint64_t number) {
        crew_ = &crew;
        split_ = watched = pairs_from = crew.split().depth;
        number_ = number;
    }

    // Another subproblem, below levels[n - 1]: whether it is ours.
    bool take(std::uint32_t n) {
        finish();
        pending_ = width(n);
        if (!has_ticket_) ticket_ = crew_->draw_ticket();
        has_ticket_ = number_ != ticket_;
        ours_ = number_++ == ticket_;
        return ours_;
    }

    // The subproblem met last has been searched or passed over.
    void finish() {
        if (ours_) {
            done_ += pending_;
            finished(ticket_);
        }
        ours_ = false;
        passed_ += pending_;
        pending_ = 0;
    }

    virtual void finished(std::uint64_t number) = 0;

    // The part of the whole tree done in our own subproblems, where levels[0 .. n - 1] are open.
    double own_share(std::uint32_t n) const { return done_ + (ours_ ? pending_ * share(split_, n) : 0.0); }

    Crew* crew_ = nullptr;
    std::uint32_t split_ = 0;
    std::uint64_t number_ = 0;  // of the next subproblem
    std::uint64_t ticket_ = 0;
    bool has_ticket_ = false;
    bool ours_ = false;      // the subproblem met last
    double pending_ = 0;     // its part of the whole tree
    double passed_ = 0;      // part of those before, ours or not
    double done_ = 0;        // part of ours
};

}  // namespace latcover
