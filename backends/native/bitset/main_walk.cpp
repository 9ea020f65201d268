#include "bitset/main_walk.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "bitset/delivery.hpp"
#include "bitset/split.hpp"
#include "bitset/walk_limits.hpp"
#include "bitset/walkers.hpp"
#include "cover/run.hpp"

namespace latcover {
namespace {

constexpr double seconds_alone = 0.004;             // before other threads are started
constexpr std::uint32_t never = ~std::uint32_t{0};  // no depth is as great
constexpr double seconds_between_waits = 0.03;
constexpr std::uint64_t least_subproblems = 4;  // for each thread

// The walk of the calling thread. It begins alone, and starts other threads when there is enough to do.
class MainWalk final : public SplitWalk {
public:
    MainWalk(const CoverMatrix& matrix, const KernelUnit& unit, const BitsetOptions& options, const Limits& limits,
             Sink& sink)
        : SplitWalk(matrix), unit_(unit), options_(options), run_(limits, sink, matrix.n_rows()), limits_(limits, run_),
          delivery_(run_, options.ordered) {
        counts = options.counts;
        if (limits_.limits_branches()) pairs_from = never;  // pairs of rows would go beyond the limit in one step
    }

    BitsetOutcome search();

    void cover(std::uint32_t n) override;
    void look() override;
    bool enter() override;
    void leave() override;
    void dead_root() override { dead_[0] = 1; }

private:
    void finished(std::uint64_t number) override { delivery_.finished(number); }
    void start_walkers();
    void wait_for_walkers();
    void check(std::uint32_t n);
    void stop_at_limit(std::uint32_t n, std::uint64_t alive);
    double share_done(std::uint32_t n) const;
    BitsetOutcome outcome();

    const KernelUnit& unit_;
    const BitsetOptions& options_;
    Run run_;
    WalkLimits limits_;
    Delivery delivery_;
    std::unique_ptr<Walkers> walkers_;  // none while this thread is alone
    double start_at_ = seconds_alone;   // when to look whether other threads have enough to do
    Clock clock_;
    bool walked_ = false;  // this thread has come to the end of the tree
};

BitsetOutcome MainWalk::search() {
    const bool starts = run_.start();
    until_look = limits_.until_look(0, pace);
    if (starts) walk_with(unit_);
    walked_ = true;
    if (walkers_) {
        if (!stopped) wait_for_walkers();
        walkers_->end();
        walkers_->add_to(tried_, dead_);
    }
    return outcome();
}

BitsetOutcome MainWalk::outcome() {
    BitsetOutcome result;
    if (walkers_) {
        result.threads = options_.threads;
        result.subproblems = walkers_->split().n_subproblems;
    }
    if (counts) run_.counted(found + (walkers_ ? walkers_->reports().covers : 0));
    Statistics& statistics = run_.statistics;
    statistics.branches = branches(0);
    statistics.deepest = deepest();
    statistics.branches_by_level.assign(tried_.begin(), tried_.begin() + statistics.deepest);
    for (const auto by_level : dead_) statistics.dead_ends += by_level;
    result.outcome = run_.finish();
    result.kernel = unit_.name;
    return result;
}

void MainWalk::cover(std::uint32_t n) {
    if (walkers_ && n < split_ && !take(n)) return;
    ++found;
    if (counts) return;
    delivery_.cover(ticket_, cover_of(n));
    if (run_.stopped()) stop(n);
}

void MainWalk::look() {
    nothing_visited(depth);
    if (limits_.is_near(branches(0))) {
        watched = never;
        watches_leave = true;
    }
    const bool may_start =
        !walkers_ && options_.threads > 1 && !limits_.limits_branches() && !limits_.pauses() && depth > 0;
    if (may_start && clock_.seconds() >= start_at_) start_walkers();
    if (walkers_) {
        if (depth < split_) finish();
        delivery_.receive();
        while (!run_.stopped() && delivery_.must_wait(ticket_)) {
            walkers_->wait(seconds_between_waits);
            delivery_.receive();
            check(depth + 1);
            if (stopped) return;
        }
    }
    check(depth + 1);
}

// The kernel asks this above the split, and near a limit of branches; but a limit of branches keeps the search on one
// thread.
bool MainWalk::enter() {
    if (walkers_) return depth + 1 < split_ || take(split_);
    if (limits_.excess(branches(depth + 1)) > 0) stop_at_limit(depth + 1, 1);
    return !stopped;
}

void MainWalk::leave() {
    if (limits_.is_near(branches(depth))) stop_at_limit(depth, 0);
}

// The search has come to its limit of branches, where levels[0 .. n - 1] are open. The last branches on the level
// `depth` may be beyond the limit: they are taken back. So many of them were `alive`.
void MainWalk::stop_at_limit(std::uint32_t n, std::uint64_t alive) {
    const std::uint64_t excess = limits_.excess(branches(n));
    limits_.allow(branches(n), found, [] { return 1.0; });
    stop(n);
    tried_[depth] -= excess;
    dead_[depth] -= excess - alive;
}

void MainWalk::start_walkers() {
    std::vector<std::uint32_t> path;
    for (std::uint32_t l = 0; l < depth; ++l) path.push_back(open_levels()[l].rank);
    const Split split = split_tree(matrix_, unit_, path, options_.threads);
    start_at_ = 2 * clock_.seconds();
    if (split.n_subproblems < least_subproblems * options_.threads) return;  // too shallow here, perhaps not elsewhere
    const Walkers::Manner manner{options_.threads - 1, options_.ordered, options_.counts};
    walkers_ = std::make_unique<Walkers>(matrix_, unit_, split, manner);
    join_within(split, walkers_->tickets());
    delivery_.share_with(*walkers_, ticket_);
}

// This thread has nothing left to search.
void MainWalk::wait_for_walkers() {
    finish();
    for (bool more = true; more && !run_.stopped();) {
        more = walkers_->wait(seconds_between_waits);
        delivery_.receive();
        if (!run_.stopped()) check(0);
    }
}

// Compare the figures with the limits, where levels[0 .. n - 1] are open, and plan the next look.
void MainWalk::check(std::uint32_t n) {
    const Report others = walkers_ ? walkers_->reports() : Report();
    const std::uint64_t covers = found + others.covers;
    if (counts) run_.counted(covers);
    const auto share = [&] { return share_done(n > 0 ? n - 1 : 0) + others.share; };
    if (limits_.allow(branches(n) + others.branches, covers, share)) until_look = limits_.until_look(branches(0), pace);
    else stop(n);
}

// The share of the tree that this thread knows to be done, where the children of levels[0 .. n - 1] are being visited.
// With other threads it is made of two parts: the subproblems searched here, and what stands before them in the top of
// the tree and belongs to no subproblem.
double MainWalk::share_done(std::uint32_t n) const {
    if (!walkers_) return share(0, n);
    const double before = walked_ ? 1.0 : share(0, std::min(n, split_));
    return before - passed_ + own_share(n);
}

}  // namespace

BitsetOutcome walk_matrix(const CoverMatrix& matrix, const KernelUnit& unit, const BitsetOptions& options,
                          const Limits& limits, Sink& sink) {
    return MainWalk(matrix, unit, options, limits, sink).search();
}

}  // namespace latcover
