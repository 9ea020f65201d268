#include "bitset.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include "cover_matrix.hpp"
#include "crew.hpp"
#include "dlx.hpp"
#include "kernel_units.hpp"
#include "memo_count.hpp"
#include "run.hpp"

namespace latcover {
namespace {

constexpr double seconds_alone = 0.004;      // before others are asked to help
constexpr double seconds_between_waits = 0.03;
constexpr std::size_t most_kept_back = 1024;  // covers, in one piece

const KernelUnit& unit_named(const std::string& name) {
    for (const KernelUnit& unit : kernel_units)
        if (unit.name == name && unit.runs_here()) return unit;
    throw std::invalid_argument("no kernel " + name + " runs here");
}

// Progress tells of the covers found, by whichever thread; those handed over may be fewer.
class FoundSink final : public Sink {
public:
    explicit FoundSink(Sink& inner) : inner_(inner) {}
    bool covers(const Batch& batch) override { return inner_.covers(batch); }
    bool progress(double share, const Statistics& so_far) override {
        Statistics figures = so_far;
        figures.covers = found;
        return inner_.progress(share, figures);
    }

    std::uint64_t found = 0;

private:
    Sink& inner_;
};

// The walk of the calling thread. It begins alone, and takes a crew when there is enough to do.
class MainWalk final : public SplitWalk {
public:
    MainWalk(const CoverMatrix& matrix, const KernelUnit& unit, const BitsetOptions& options, const Limits& limits,
             Sink& sink)
        : SplitWalk(matrix.n_rows()), matrix_(matrix), unit_(unit), options_(options), limits_(limits), sink_(sink),
          run_(limits, sink_) {
        counts = options.counts;
    }

    BitsetOutcome search();

    void cover(std::uint32_t n) override;
    void look() override;
    bool enter() override;
    void leave() override;
    void dead_root() override { dead_[0] = 1; }

private:
    bool may_have_crew() const {
        return options_.threads > 1 && limits_.branches == std::numeric_limits<std::uint64_t>::max();
    }
    void call_crew();
    void finished(std::uint64_t number) override;
    void leave_first();
    void receive();
    void deliver(const Batch& batch);
    void deliver_ready();
    void wait_for_crew();
    void check(std::uint32_t n);
    double share_done(std::uint32_t n) const;
    void plan();
    void stop(std::uint32_t n);
    void give_up(std::uint32_t n, std::uint64_t excess, std::uint64_t alive);

    // Covers of a subproblem that wait for those before it, where the order is kept.
    struct Kept {
        std::vector<Batch> batches;
        bool complete = false;
    };

    const CoverMatrix& matrix_;
    const KernelUnit& unit_;
    const BitsetOptions& options_;
    const Limits limits_;
    FoundSink sink_;
    Run run_;
    bool walked_ = false;      // this thread has come to the end of the tree

    std::unique_ptr<Crew> team_;
    double call_at_ = seconds_alone;
    Clock clock_;
    bool in_first_ = false;       // still in the subproblem where the crew was called
    std::uint64_t awaited_ = 0;   // the first subproblem of which not all is delivered
    std::map<std::uint64_t, Kept> kept_;
    Batch own_;
};

BitsetOutcome MainWalk::search() {
    const bool starts = run_.start();
    plan();
    if (starts) unit_.walk(matrix_.view(), *this);
    walked_ = true;
    BitsetOutcome result;
    if (team_) {
        if (!stopped) wait_for_crew();
        team_->end();
        team_->add_to(tried_, dead_);
        result.threads = options_.threads;
        result.subproblems = team_->split().n_subproblems;
    }
    sink_.found = found + (team_ ? team_->reports().covers : 0);
    if (counts) run_.counted(sink_.found);
    Statistics& statistics = run_.statistics;
    statistics.branches_by_level.assign(tried_.begin(), std::find(tried_.begin(), tried_.end(), 0));
    statistics.branches = branches(0);
    statistics.deepest = static_cast<std::int32_t>(statistics.branches_by_level.size());
    for (const auto by_level : dead_) statistics.dead_ends += by_level;
    result.outcome = run_.finish();
    result.kernel = unit_.name;
    return result;
}

void MainWalk::cover(std::uint32_t n) {
    if (team_ && n < split_) {
        leave_first();
        if (!take(n)) return;
    }
    ++found;
    if (counts) return;
    const auto write = [&](std::vector<std::int32_t>& options) {
        for (std::uint32_t l = 0; l < n; ++l) options.push_back(matrix_.options[open_levels()[l].row]);
    };
    if (!team_ || !options_.ordered || in_first_) {
        run_.cover(write);
    } else {
        write(own_.options);
        own_.starts.push_back(static_cast<std::int64_t>(own_.options.size()));
        if (own_.size() >= most_kept_back || ticket_ == awaited_) {
            team_->note_kept(own_.size());
            kept_[ticket_].batches.push_back(std::exchange(own_, Batch()));
            deliver_ready();
        }
    }
    if (run_.stopped()) stop(n);
}

void MainWalk::look() {
    nothing_visited(depth);
    if (branches(0) >= limits_.branches) {
        watched = ~std::uint32_t{0};
        watches_leave = true;
    }
    if (!team_ && may_have_crew() && depth > 0 && clock_.seconds() >= call_at_) call_crew();
    if (team_) {
        if (depth < split_) {
            leave_first();
            finish();
        }
        receive();
        while (options_.ordered && !run_.stopped() && !in_first_ && ticket_ != awaited_ && team_->crowded()) {
            team_->wait(seconds_between_waits);
            receive();
            check(depth + 1);
            if (stopped) return;
        }
    }
    check(depth + 1);
}

// Beside the split this is asked near the limit of branches: what the kernel has tried ahead would pass it, and the
// exact figure has not.
bool MainWalk::enter() {
    if (team_) {
        if (depth + 1 < split_) return true;
        leave_first();
        return take(split_);
    }
    const auto exact = branches(depth + 1);
    if (exact > limits_.branches) give_up(depth + 1, exact - limits_.branches, 1);
    return !stopped;
}

void MainWalk::leave() {
    const auto exact = branches(depth);
    if (exact >= limits_.branches) give_up(depth, exact - limits_.branches, 0);
}

// The last branches on level `depth`, so many, were too many; of these so many were not dead.
void MainWalk::give_up(std::uint32_t n, std::uint64_t excess, std::uint64_t alive) {
    run_.statistics.branches = limits_.branches;
    run_.look([] { return 1.0; });
    stop(n);
    tried_[depth] -= excess;
    dead_[depth] -= excess - alive;
}

void MainWalk::call_crew() {
    std::vector<std::uint32_t> path;
    for (std::uint32_t l = 0; l < depth; ++l) path.push_back(open_levels()[l].rank);
    const Split split = split_tree(matrix_, unit_, path, options_.threads);
    call_at_ = 2 * clock_.seconds();
    if (split.n_subproblems < 4 * options_.threads) return;  // too shallow here; perhaps elsewhere
    team_ = std::make_unique<Crew>(matrix_, unit_, split,
                                   Crew::Manner{options_.threads - 1, options_.ordered, options_.counts});
    join(*team_, split.n_before);
    in_first_ = true;
    awaited_ = split.n_before - 1;
}

void MainWalk::leave_first() {
    if (!in_first_) return;
    in_first_ = false;
    kept_[awaited_].complete = true;
    deliver_ready();
}

void MainWalk::finished(std::uint64_t number) {
    if (!options_.ordered) return;
    team_->note_kept(own_.size());
    Kept& kept = kept_[number];
    kept.batches.push_back(std::exchange(own_, Batch()));
    kept.complete = true;
    deliver_ready();
}

void MainWalk::receive() {
    for (Package& package : team_->fetch()) {
        if (options_.ordered) {
            Kept& kept = kept_[package.number];
            kept.batches.push_back(std::move(package.batch));
            kept.complete |= package.last;
        } else {
            deliver(package.batch);
            team_->note_delivered(0, package.batch.size());
        }
    }
    deliver_ready();
}

void MainWalk::deliver(const Batch& batch) {
    for (std::size_t k = 0; k < batch.size() && !run_.stopped(); ++k)
        run_.cover([&](std::vector<std::int32_t>& options) {
            options.insert(options.end(), batch.options.begin() + batch.starts[k],
                           batch.options.begin() + batch.starts[k + 1]);
        });
}

void MainWalk::deliver_ready() {
    std::size_t covers = 0;
    for (auto next = kept_.find(awaited_); next != kept_.end(); next = kept_.find(awaited_)) {
        for (const Batch& batch : next->second.batches) {
            deliver(batch);
            covers += batch.size();
        }
        next->second.batches.clear();
        if (!next->second.complete) break;
        kept_.erase(next);
        ++awaited_;
    }
    if (options_.ordered) team_->note_delivered(awaited_, covers);
}

// This thread has nothing left to search.
void MainWalk::wait_for_crew() {
    leave_first();
    finish();
    for (bool more = true; more && !run_.stopped();) {
        more = team_->wait(seconds_between_waits);
        receive();
        if (!run_.stopped()) check(0);
    }
}

void MainWalk::check(std::uint32_t n) {
    const Report others = team_ ? team_->reports() : Report();
    run_.statistics.branches = branches(n) + others.branches;
    sink_.found = found + others.covers;
    if (counts) run_.counted(sink_.found);
    run_.look([&] { return share_done(n > 0 ? n - 1 : 0) + others.share; });
    if (run_.stopped()) stop(n);
    else plan();
}

// What this thread knows to be done, where the children of levels[0 .. n - 1] are being visited: with a crew, its own
// subproblems, and what stands before it in the top of the tree and is no subproblem.
double MainWalk::share_done(std::uint32_t n) const {
    if (!team_) return share(0, n);
    const double before = walked_ ? 1.0 : share(0, std::min(n, split_));
    const double first = in_first_ && n >= split_ ? width(split_) * share(split_, n) : 0.0;
    return before - passed_ + first + own_share(n);
}

void MainWalk::plan() {
    const auto left = limits_.branches - branches(0);
    until_look = branches_between_looks;
    if (watches_leave) until_look = 0;
    else if (left < static_cast<std::uint64_t>(branches_between_looks)) until_look = static_cast<std::int64_t>(left) - 1;
}

void MainWalk::stop(std::uint32_t n) {
    if (stopped) return;
    stopped = true;
    settle(n);
}

BitsetOutcome by_dancing_links(const Problem& problem, const Limits& limits, Sink& sink, std::string why) {
    return {dlx_search(problem, DlxOptions{true}, limits, sink), "", std::move(why) + ": dancing links searched instead"};
}

BitsetOutcome search_coloured(const Problem& problem, const Limits& limits, Sink& sink) {
    return by_dancing_links(problem, limits, sink, "colours of items are nothing for bitmaps");
}

BitsetOutcome search_matrix(const Problem& problem, const CoverMatrix& matrix, const KernelUnit& unit,
                            const BitsetOptions& options, const Limits& limits, Sink& sink) {
    if (auto note = matrix.too_large(); !note.empty())
        return by_dancing_links(problem, limits, sink, std::move(note));
    return MainWalk(matrix, unit, options, limits, sink).search();
}

}  // namespace

std::vector<KernelName> kernels() {
    std::vector<KernelName> names;
    for (const KernelUnit& unit : kernel_units) names.push_back({unit.name, unit.runs_here()});
    return names;
}

BitsetOutcome bitset_search(const Problem& problem, const BitsetOptions& options, const Limits& limits, Sink& sink) {
    if (problem.has_colours()) return search_coloured(problem, limits, sink);
    return search_matrix(problem, CoverMatrix(problem), unit_named(options.kernel), options, limits, sink);
}

BitsetCount bitset_count(const Problem& problem, BitsetOptions options, const Limits& limits, std::size_t memo_bytes,
                         Sink& sink) {
    BitsetCount count;
    if (problem.has_colours()) {
        count.result = search_coloured(problem, limits, sink);
        count.covers.words[0] = count.result.outcome.statistics.covers;
        return count;
    }
    const KernelUnit& unit = unit_named(options.kernel);
    const CoverMatrix matrix(problem);
    const bool may_save = limits.branches == std::numeric_limits<std::uint64_t>::max();
    if (memo_bytes > 0 && may_save && matrix.too_large().empty() && memo_applies(matrix)) {
        MemoCount counted = count_with_memo(matrix, unit, memo_bytes, limits.seconds, sink);
        count.result.outcome = {counted.stop, std::move(counted.statistics)};
        count.result.kernel = unit.name;
        count.covers = counted.covers;
        count.with_memo = true;
        count.memo_entries = counted.entries;
        count.memo_bytes = counted.bytes;
        count.memo_hits = counted.hits;
        return count;
    }
    options.counts = true;
    options.ordered = false;
    count.result = search_matrix(problem, matrix, unit, options, limits, sink);
    count.covers.words[0] = count.result.outcome.statistics.covers;
    return count;
}

}  // namespace latcover
