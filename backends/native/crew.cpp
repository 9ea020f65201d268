#include "crew.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <system_error>
#include <utility>

namespace latcover {
namespace {

constexpr std::uint64_t subproblems_per_thread = 100;
constexpr std::size_t most_undelivered = 1 << 17;  // covers
constexpr std::size_t most_in_package = 1024;      // covers
constexpr double oldest_package = 0.03;            // seconds

// Counts the subproblems at a depth, and those not after a path.
class SplittingWalk final : public HostedWalk {
public:
    SplittingWalk(std::int32_t n_rows, const std::vector<std::uint32_t>& path, std::uint32_t depth)
        : HostedWalk(n_rows), path_(path) {
        split_.depth = watched = depth;
        until_look = std::numeric_limits<std::int64_t>::max();
    }

    const Split& split() const { return split_; }

    bool enter() override {
        if (depth + 1 < split_.depth) return true;
        count(split_.depth);
        return false;
    }
    void cover(std::uint32_t n) override { count(n); }  // only such as have fewer options: others are not entered
    void look() override {}
    void leave() override {}
    void dead_root() override {}

private:
    void count(std::uint32_t n) {
        ++split_.n_subproblems;
        const auto& levels = open_levels();
        for (std::uint32_t l = 0; l < n; ++l)
            if (levels[l].rank != path_[l]) {
                split_.n_before += levels[l].rank < path_[l];
                return;
            }
        ++split_.n_before;
    }

    const std::vector<std::uint32_t>& path_;
    Split split_;
};

}  // namespace

Split split_tree(const CoverMatrix& matrix, const KernelUnit& unit, const std::vector<std::uint32_t>& path,
                 unsigned threads) {
    Split split;
    for (std::uint32_t depth = 1; depth <= path.size(); ++depth) {
        SplittingWalk walk(matrix.n_rows(), path, depth);
        unit.walk(matrix.view(), walk);
        split = walk.split();
        if (split.n_subproblems >= subproblems_per_thread * threads) break;
    }
    return split;
}

class Crew::Helper final : public SplitWalk {
public:
    Helper(Crew& crew, std::size_t index) : SplitWalk(crew.matrix_.n_rows()), index_(index) {
        counts = crew.counts_;
        join(crew, 0);
    }

    void search() {
        crew_->unit_.walk(crew_->matrix_.view(), *this);
        if (!stopped) {
            finish();
            flush(false);
        }
        tell(0);
    }

    bool enter() override { return depth + 1 < split_ || take(split_); }

    void cover(std::uint32_t n) override {
        if (n < split_ && !take(n)) return;
        ++found;
        if (counts) return;
        if (batch_.size() == 0) since_ = clock_.seconds();
        for (std::uint32_t l = 0; l < n; ++l)
            batch_.options.push_back(crew_->matrix_.options[open_levels()[l].row]);
        batch_.starts.push_back(static_cast<std::int64_t>(batch_.options.size()));
        if (batch_.size() >= capacity_) flush(false);
        if (crew_->stopping()) halt(n);
    }

    void look() override {
        nothing_visited(depth);
        until_look = branches_between_looks;
        if (depth < split_) finish();
        if (batch_.size() > 0 && clock_.seconds() - since_ >= oldest_package) flush(false);
        tell(depth + 1);
        if (crew_->stopping()) halt(depth + 1);
    }

    void leave() override {}
    void dead_root() override {}

private:
    void finished(std::uint64_t) override {
        if (crew_->ordered()) flush(true);
    }

    void flush(bool last) {
        if (batch_.size() == 0 && !last) return;
        crew_->send({ticket_, last, std::exchange(batch_, Batch())});
        capacity_ = std::min(most_in_package, 2 * capacity_);
    }

    void tell(std::uint32_t n) {
        const bool inside = n > split_;
        crew_->report(index_, {branches(n, split_), found, own_share(inside ? n - 1 : split_)});
    }

    void halt(std::uint32_t n) {
        settle(n);
        stopped = true;
    }

    std::size_t index_;
    Batch batch_;
    std::size_t capacity_ = 1;
    Clock clock_;
    double since_ = 0;
};

Crew::Crew(const CoverMatrix& matrix, const KernelUnit& unit, const Split& split, const Manner& manner)
    : matrix_(matrix), unit_(unit), split_(split), ordered_(manner.ordered), counts_(manner.counts), next_ticket_(split.n_before),
      awaited_(split.n_before - 1), reports_(manner.helpers) {
    const std::size_t helpers = manner.helpers;
    for (std::size_t k = 0; k < helpers; ++k) helpers_.push_back(std::make_unique<Helper>(*this, k));
    threads_.reserve(helpers);
    running_ = helpers;
    for (std::size_t k = 0; k < helpers; ++k) {
        try {
            threads_.emplace_back([this, k] { run(k); });
        } catch (const std::system_error&) {  // no more threads are to be had: the others do the work
            const std::lock_guard lock(mutex_);
            running_ -= helpers - k;
            break;
        }
    }
}

Crew::~Crew() { end(); }

void Crew::end() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        room_.notify_all();
    }
    for (auto& thread : threads_) thread.join();
    threads_.clear();
}

void Crew::run(std::size_t helper) {
    std::exception_ptr error;
    try {
        helpers_[helper]->search();
    } catch (...) {
        error = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    if (error) error_ = error;
    --running_;
    news_.notify_all();
}

void Crew::send(Package package) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] {
        return undelivered_ < most_undelivered || stopping() || (ordered_ && package.number == awaited_);
    });
    undelivered_ += package.batch.size();
    post_.push_back(std::move(package));
    news_.notify_all();
}

void Crew::report(std::size_t helper, const Report& report) {
    const std::lock_guard lock(mutex_);
    reports_[helper] = report;
}

std::deque<Package> Crew::fetch() {
    const std::lock_guard lock(mutex_);
    if (error_) std::rethrow_exception(error_);
    return std::exchange(post_, {});
}

bool Crew::wait(double seconds) {
    std::unique_lock lock(mutex_);
    news_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return !post_.empty() || running_ == 0; });
    return running_ > 0 || !post_.empty();
}

bool Crew::crowded() const {
    const std::lock_guard lock(mutex_);
    return undelivered_ >= most_undelivered;
}

Report Crew::reports() const {
    const std::lock_guard lock(mutex_);
    Report sum;
    for (const Report& report : reports_) {
        sum.branches += report.branches;
        sum.covers += report.covers;
        sum.share += report.share;
    }
    return sum;
}

void Crew::note_kept(std::size_t covers) {
    const std::lock_guard lock(mutex_);
    undelivered_ += covers;
}

void Crew::note_delivered(std::uint64_t number, std::size_t covers) {
    const std::lock_guard lock(mutex_);
    awaited_ = number;
    undelivered_ -= covers;
    room_.notify_all();
}

void Crew::add_to(std::vector<std::uint64_t>& tried, std::vector<std::uint64_t>& dead) const {
    for (const auto& helper : helpers_)
        for (std::size_t l = split_.depth; l < tried.size(); ++l) {
            tried[l] += helper->tried_by_level()[l];
            dead[l] += helper->dead_by_level()[l];
        }
}

}  // namespace latcover
