#include "bitset/walkers.hpp"

#include <chrono>
#include <system_error>
#include <utility>

#include "cover/growing_batch.hpp"

namespace latcover {
namespace {

constexpr std::size_t most_undelivered = 1 << 17;  // covers
constexpr std::size_t largest_package = 1024;      // covers
constexpr double oldest_package = 0.03;            // seconds

}  // namespace

// The walk of one thread.
class Walkers::Walker final : public SplitWalk {
public:
    Walker(Walkers& all, const CoverMatrix& matrix, std::size_t index, bool only_counts)
        : SplitWalk(matrix), all_(all), index_(index) {
        counts = only_counts;
        join(all.split_, all.tickets_);
    }

    void search(const KernelUnit& unit) {
        walk_with(unit);
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
        covers_.add(clock_, cover_of(n));
        if (covers_.is_full()) flush(false);
        if (all_.stopping()) stop(n);
    }

    void look() override {
        nothing_visited(depth);
        until_look = pace;
        if (depth < split_) finish();
        if (covers_.is_old(clock_.seconds())) flush(false);
        tell(depth + 1);
        if (all_.stopping()) stop(depth + 1);
    }

private:
    void finished(std::uint64_t) override {
        if (all_.ordered_) flush(true);
    }

    void flush(bool last) {
        if (!covers_.is_empty() || last) all_.send({ticket_, last, covers_.take()});
    }

    void tell(std::uint32_t n) {
        const bool inside = n > split_;
        all_.report(index_, {branches(n, split_), found, own_share(inside ? n - 1 : split_)});
    }

    Walkers& all_;
    std::size_t index_;
    GrowingBatch covers_{largest_package, oldest_package};
    Clock clock_;
};

Walkers::Walkers(const CoverMatrix& matrix, const KernelUnit& unit, const Split& split, const Manner& manner)
    : unit_(unit), split_(split), ordered_(manner.ordered), tickets_(split.n_before), awaited_(split.n_before - 1),
      reports_(manner.threads) {
    const std::size_t n = manner.threads;
    for (std::size_t k = 0; k < n; ++k) walkers_.push_back(std::make_unique<Walker>(*this, matrix, k, manner.counts));
    threads_.reserve(n);
    running_ = n;
    for (std::size_t k = 0; k < n; ++k) {
        try {
            threads_.emplace_back([this, k] { run(k); });
        } catch (const std::system_error&) {
            const std::lock_guard lock(mutex_);
            running_ -= n - k;
            break;
        }
    }
}

Walkers::~Walkers() { end(); }

void Walkers::end() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        room_.notify_all();
    }
    for (auto& thread : threads_) thread.join();
    threads_.clear();
}

void Walkers::run(std::size_t walker) {
    std::exception_ptr error;
    try {
        walkers_[walker]->search(unit_);
    } catch (...) { error = std::current_exception(); }
    const std::lock_guard lock(mutex_);
    if (error) error_ = error;
    --running_;
    news_.notify_all();
}

void Walkers::send(Package package) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] {
        return undelivered_ < most_undelivered || stopping() || (ordered_ && package.number == awaited_);
    });
    undelivered_ += package.batch.size();
    post_.push_back(std::move(package));
    news_.notify_all();
}

void Walkers::report(std::size_t walker, const Report& report) {
    const std::lock_guard lock(mutex_);
    reports_[walker] = report;
}

std::deque<Package> Walkers::fetch() {
    const std::lock_guard lock(mutex_);
    if (error_) std::rethrow_exception(error_);
    return std::exchange(post_, {});
}

bool Walkers::wait(double seconds) {
    std::unique_lock lock(mutex_);
    news_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return !post_.empty() || running_ == 0; });
    return running_ > 0 || !post_.empty();
}

bool Walkers::crowded() const {
    const std::lock_guard lock(mutex_);
    return undelivered_ >= most_undelivered;
}

Report Walkers::reports() const {
    const std::lock_guard lock(mutex_);
    Report sum;
    for (const Report& report : reports_) {
        sum.branches += report.branches;
        sum.covers += report.covers;
        sum.share += report.share;
    }
    return sum;
}

void Walkers::note_kept(std::size_t covers) {
    const std::lock_guard lock(mutex_);
    undelivered_ += covers;
}

void Walkers::note_delivered(std::uint64_t number, std::size_t covers) {
    const std::lock_guard lock(mutex_);
    awaited_ = number;
    undelivered_ -= covers;
    room_.notify_all();
}

void Walkers::add_to(std::vector<std::uint64_t>& tried, std::vector<std::uint64_t>& dead) const {
    for (const auto& walker : walkers_)
        for (std::size_t l = split_.depth; l < tried.size(); ++l) {
            tried[l] += walker->tried_by_level()[l];
            dead[l] += walker->dead_by_level()[l];
        }
}

}  // namespace latcover
