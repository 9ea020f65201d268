// Delivers the covers of a search on one or several threads.
//
// With several threads the covers may be wanted in the order of a single thread. The subproblems of a split are
// numbered in this order. One of them is *awaited*: all covers of the subproblems before it are delivered. Its covers
// are delivered at once, and the covers of those behind it are kept back.

#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "bitset/walkers.hpp"
#include "cover/run.hpp"

namespace latcover {

class Delivery {
public:
    // `ordered`: in the order of a single thread.
    Delivery(Run& run, bool ordered) : run_(run), ordered_(ordered) {}

    // Other threads search too from now on. The calling thread is within subproblem `first`.
    void share_with(Walkers& walkers, std::uint64_t first);

    // The calling thread has found a cover in subproblem `number`. `write` appends its options to a vector.
    template <typename Write>
    void cover(std::uint64_t number, Write write) {
        if (walkers_ == nullptr || !ordered_ || (number == awaited_ && own_.size() == 0)) {
            run_.cover(write);
            return;
        }
        own_.add(write);
        if (number == awaited_ || own_.size() >= most_kept_back) keep_own(number, false);
    }

    // The calling thread has searched subproblem `number` to its end.
    void finished(std::uint64_t number) {
        if (ordered_) keep_own(number, true);
    }

    // Take what the other threads have sent.
    void receive();

    // Whether the calling thread, which is within subproblem `number`, must wait because too many covers are kept back.
    bool must_wait(std::uint64_t number) const { return ordered_ && number != awaited_ && walkers_->crowded(); }

private:
    static constexpr std::size_t most_kept_back = 1024;  // covers in one batch

    // Covers of one subproblem that wait for the covers before them.
    struct Kept {
        std::vector<Batch> batches;
        bool complete = false;
    };

    void keep_own(std::uint64_t number, bool complete);
    void deliver(const Batch& batch);
    void deliver_kept();

    Run& run_;
    const bool ordered_;
    Walkers* walkers_ = nullptr;  // none while one thread searches
    std::uint64_t awaited_ = 0;
    std::map<std::uint64_t, Kept> kept_;  // by the number of the subproblem
    Batch own_;                           // of the calling thread, from the subproblem that it searches
};

}  // namespace latcover
