// A count of a frontier in one order, which can pause.

#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "cover/progress.hpp"
#include "frontier/frontier.hpp"
#include "frontier/frontier_plan.hpp"
#include "frontier/frontier_states.hpp"

namespace latcover {

inline constexpr auto no_budget = std::numeric_limits<std::uint64_t>::max();

// What ends a count early, and who hears of its progress.
class Watch {
public:
    explicit Watch(const FrontierKeeping& keeping)
        : keep_at(keeping.keep ? keeping.seconds : std::numeric_limits<double>::infinity()) {}

    // The count begins or goes on, until it has done so much work or the time is over.
    void begin(std::uint64_t until_work, double seconds, Sink& sink) {
        until_work_ = until_work;
        seconds_ = clock.seconds() + seconds;
        progress_.emplace(sink);
        stop = Stop::exhausted;
    }

    // Some work was done, and an order stands at this share of its items. Returns false when the count is to stop.
    bool goes_on(std::uint64_t more_work, double share) {
        work += more_work;
        const auto now = clock.seconds();
        if (now >= seconds_) stop = Stop::time_limit;
        else if (work >= until_work_) stop = Stop::branch_limit;
        else if (progress_->is_due(now)) {
            Statistics so_far;
            so_far.branches = work;
            if (!progress_->tell(now, share, so_far)) stop = Stop::cancelled;
        }
        return stop == Stop::exhausted;
    }

    bool is_time_to_keep() const { return may_keep && clock.seconds() >= keep_at; }

    Clock clock;
    std::uint64_t work = 0;
    Stop stop = Stop::exhausted;
    double keep_at;
    bool may_keep = false;

private:
    std::uint64_t until_work_ = 0;
    double seconds_ = 0;
    std::optional<Progress> progress_;
};

enum class RunnerState { paused, ended, stopped, too_large };

// A count in one order, which can pause.
class Runner {
public:
    virtual ~Runner() = default;
    // Count until this one has done the work of its budget, or the count is to be kept.
    virtual RunnerState run() = 0;
    // The work that it seems to have left, as a logarithm.
    virtual double left() const = 0;
    // The same of its work in all.
    double expected() const { return std::max(std::log(static_cast<double>(work) + 1), left()); }
    virtual double share() const = 0;  // of the items
    virtual void write(WordsOut& out) const = 0;
    virtual void read(WordsIn& in) = 0;

    std::size_t order = 0;  // its number
    std::int32_t width = 0;
    std::uint64_t work = 0, states = 1, budget = 0;  // the budget is of its present turn
    std::vector<std::uint64_t> total;
};

// The count that follows a plan; null if the frontier is wider than 256 bits. All share the room and the watch.
std::unique_ptr<Runner> make_runner(Plan plan, unsigned threads, Room& room, Watch& watch);

}  // namespace latcover
