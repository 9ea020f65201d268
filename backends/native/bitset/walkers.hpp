// The threads that search beside the calling thread, and the covers and figures that they send to it. See split.hpp.

#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <vector>

#include "bitset/cover_matrix.hpp"
#include "bitset/split.hpp"
#include "cover/search.hpp"
#include "ground/threads.hpp"
#include "kernel/kernel_units.hpp"

namespace latcover {

// Some covers of one subproblem.
struct Package {
    std::uint64_t number;  // of the subproblem
    bool last;             // no more covers of this subproblem follow
    Batch batch;
};

// What a thread has done so far.
struct Report {
    std::uint64_t branches = 0;
    std::uint64_t covers = 0;
    double share = 0;  // of the whole tree
};

class Walkers {
public:
    struct Manner {
        unsigned threads;  // beside the calling one
        bool ordered;      // covers come in the order of a single thread
        bool counts;       // covers are counted and not handed over
    };
    // Start the threads. When the system has no more threads, those that started do all the work.
    Walkers(const CoverMatrix& matrix, const KernelUnit& unit, const Split& split, const Manner& manner);
    ~Walkers();  // calls `end`
    Walkers(const Walkers&) = delete;
    Walkers& operator=(const Walkers&) = delete;

    Tickets& tickets() { return tickets_; }
    const Split& split() const { return split_; }

    // The calling thread receives covers.
    std::deque<Package> fetch();  // throws what a thread has thrown
    bool wait(double seconds);    // until there is something to fetch; false when all threads have ended
    Report reports() const;       // the sum over all threads

    // Threads wait when too many covers are undelivered. These functions tell them where delivery stands.
    void note_kept(std::size_t covers);  // the calling thread keeps back covers of its own
    // All covers of subproblems before `number` are delivered; so many more covers were delivered now.
    void note_delivered(std::uint64_t number, std::size_t covers);
    bool crowded() const;  // the calling thread should wait too, rather than find more covers

    void end();  // stop the threads and wait for them
    // After the end: add the figures of all threads to those of the calling thread.
    void add_to(std::vector<std::uint64_t>& tried, std::vector<std::uint64_t>& dead) const;

private:
    class Walker;
    void run(std::size_t walker);
    void send(Package package);  // waits while too many covers are undelivered
    void report(std::size_t walker, const Report& report);
    bool stopping() const { return stopping_.load(std::memory_order_relaxed); }

    const KernelUnit& unit_;
    const Split split_;
    const bool ordered_;
    Tickets tickets_;
    std::atomic<bool> stopping_{false};

    mutable Mutex mutex_;            // of all that follows, up to the threads
    ConditionVariable news_, room_;  // for the calling thread, for the others
    std::deque<Package> post_;       // sent and not fetched yet
    std::size_t undelivered_ = 0;    // covers, sent or kept back
    std::uint64_t awaited_;          // the least subproblem of which not all covers are delivered
    std::vector<Report> reports_;    // of each thread
    std::size_t running_ = 0;
    std::exception_ptr error_;

    std::vector<std::unique_ptr<Walker>> walkers_;
    std::vector<Thread> threads_;
};

}  // namespace latcover
