// How several threads share one tree.
//
// The tree is split at a depth. Every thread walks the top of the tree down to this depth, and numbers the subproblems
// that it meets there. A thread draws a number, its *ticket*. It searches the subproblem of that number and passes the
// others over. So the threads share only the counter of tickets and the covers that they find.

#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "bitset/hosted_walk.hpp"

namespace latcover {

// The subproblems are the nodes with `depth` options chosen, and the covers with fewer options.
struct Split {
    std::uint32_t depth = 0;
    std::uint64_t n_subproblems = 0;
    std::uint64_t n_before = 0;  // subproblems up to the one that the path leads into, which is included
};

// Choose the least depth that gives many subproblems for each thread. `path` leads to the place where the search is
// now: it holds the ranks of the children on the way. The split is no deeper than the path.
Split split_tree(const CoverMatrix& matrix, const KernelUnit& unit, const std::vector<std::uint32_t>& path,
                 unsigned threads);

// The numbers of the subproblems. All threads draw from the same tickets.
class Tickets {
public:
    explicit Tickets(std::uint64_t first) : next_(first) {}
    std::uint64_t draw() { return next_.fetch_add(1, std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> next_;
};

// A walk that can take part in a split.
class SplitWalk : public HostedWalk {
public:
    using HostedWalk::HostedWalk;

protected:
    // Take part from the beginning of the tree.
    void join(const Split& split, Tickets& tickets) {
        split_ = watched = pairs_from = split.depth;
        tickets_ = &tickets;
    }

    // Take part from now on. The walk is within the last of the subproblems before, and goes on in it.
    void join_within(const Split& split, Tickets& tickets) {
        join(split, tickets);
        number_ = split.n_before;
        ticket_ = split.n_before - 1;
        ours_ = true;
        pending_ = width(split_);
    }

    // The walk meets another subproblem, below levels[n - 1]. Returns whether to search it.
    bool take(std::uint32_t n) {
        finish();
        pending_ = width(n);
        if (!has_ticket_) ticket_ = tickets_->draw();
        has_ticket_ = number_ != ticket_;
        ours_ = number_++ == ticket_;
        return ours_;
    }

    // The walk leaves the subproblem that it met last.
    void finish() {
        if (ours_) {
            done_ += pending_;
            finished(ticket_);
        }
        ours_ = false;
        passed_ += pending_;
        pending_ = 0;
    }

    // The subproblem with this number has been searched.
    virtual void finished(std::uint64_t number) = 0;

    // The share of the whole tree that this walk has searched, where levels[0 .. n - 1] are open.
    double own_share(std::uint32_t n) const { return done_ + (ours_ ? pending_ * share(split_, n) : 0.0); }

    Tickets* tickets_ = nullptr;
    std::uint32_t split_ = 0;   // the depth
    std::uint64_t number_ = 0;  // of the next subproblem
    std::uint64_t ticket_ = 0;
    bool has_ticket_ = false;  // the subproblem of the ticket has not been met yet
    bool ours_ = false;        // whether to search the subproblem met last
    double pending_ = 0;       // share of the tree: the subproblem met last
    double passed_ = 0;        // share of the tree: the subproblems before it
    double done_ = 0;          // share of the tree: those of them that were searched here
};

}  // namespace latcover
