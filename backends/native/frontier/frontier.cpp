#include "frontier/frontier.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "frontier/frontier_runner.hpp"

namespace latcover {
namespace {

constexpr std::uint64_t first_budget = 1 << 17;  // work of each order, a tenth of a millisecond
constexpr std::uint64_t last_budget = 1 << 21;   // of two orders by turns
constexpr double doubt = 3;  // the better of two is left if it seems to take so many times the work of the other
constexpr double share_of_keeping = 0.05;  // of all time

// Multiply a number by two to the power of `times`.
void shift(std::vector<std::uint64_t>& number, std::int32_t times) {
    number.insert(number.begin(), static_cast<std::size_t>(times) / 64, 0);
    for (std::int32_t k = 0; k < times % 64; ++k) {
        if (number.back() >> 63) number.push_back(0);
        for (std::size_t j = number.size(); j-- > 0;) number[j] = number[j] << 1 | (j ? number[j - 1] >> 63 : 0);
    }
}

// Counts that race. The word at the head of a file of them tells the form, and the byte order.
class Race {
public:
    static constexpr std::uint64_t form = 0x6672'6f6e'7469'6501;

    Race(Room& room, Watch& watch, const FrontierKeeping& keeping) : room_(room), watch_(watch), keeping_(keeping) {}

    std::vector<std::unique_ptr<Runner>> runners;

    // Let counts take turns until one of them ends or all must stop. After a stop this goes on where it stopped. Returns
    // the one that ended, or the best.
    Runner& run(RunnerState& state) {
        if (!keeping_.path.empty() && watch_.work == 0) read();
        state = RunnerState::paused;
        heats(state);
        if (state == RunnerState::paused) last_two(state);
        return *runners.front();
    }

private:
    // Half of them drop out, until two are left.
    void heats(RunnerState& state) {
        watch_.may_keep = false;
        for (; runners.size() > 2 || (runners.size() > 1 && heat_ <= last_budget); heat_ *= 2) {
            while (turn_ < runners.size()) {
                runners[turn_]->budget = heat_;
                state = runners[turn_]->run();
                if (state == RunnerState::ended) runners.front().swap(runners[turn_]);
                if (state == RunnerState::ended || state == RunnerState::stopped) return;
                if (state == RunnerState::too_large && runners.size() > 1) {  // all of them are, together
                    worst_last();
                    runners.pop_back();
                    turn_ = 0;
                } else ++turn_;
            }
            worst_last();
            if (runners.size() > 2) runners.resize((runners.size() + 1) / 2);
            turn_ = 0;
        }
        state = RunnerState::paused;
    }

    void worst_last() {
        std::stable_sort(runners.begin(), runners.end(),
                         [](const auto& a, const auto& b) { return a->expected() < b->expected(); });
    }

    // The better of two works, until the other seems better. What stands here can be kept.
    void last_two(RunnerState& state) try {
        watch_.may_keep = true;
        while (true) {
            auto& better = *runners.front();
            const bool alone = runners.size() == 1;
            room_.may_use_disk = alone && room_.most_on_disk > 0;
            if (alone) better.budget = no_budget;
            else if (better.work >= better.budget)
                better.budget = better.work + std::max(first_budget, better.work / 4);
            state = better.run();
            if (state == RunnerState::ended) return;
            if (state == RunnerState::stopped || (state == RunnerState::too_large && alone)) return keep();
            if (watch_.is_time_to_keep()) keep();
            if (alone || (state == RunnerState::paused && better.work < better.budget)) continue;
            if (better.expected() > runners.back()->expected() + std::log(doubt))
                std::swap(runners.front(), runners.back());
            if (state == RunnerState::too_large) runners.pop_back();
        }
    } catch (const Unsupported&) {  // a disk is full; the ranges that were merged are whole
        keep();
        throw;
    }

    void keep() {
        if (!keeping_.keep) return;
        const auto began = watch_.clock.seconds();
        keeping_.keep(runners.front()->share(), [this](const std::string& path, std::uint64_t seed) {
            WordsOut out(path, seed);
            out.put(form);
            out.put(watch_.work);
            out.put(runners.size());
            for (const auto& each : runners) {
                out.put(each->order);
                each->write(out);
            }
            return out.end();
        });
        const auto now = watch_.clock.seconds();
        watch_.keep_at = now + std::max(keeping_.seconds, (now - began) / share_of_keeping);
    }

    void read() {
        WordsIn in(keeping_.path, keeping_.from, keeping_.seed);
        if (in.take() != form) throw std::invalid_argument("another version, or another machine, has written it");
        watch_.work = in.take();
        std::vector<std::unique_ptr<Runner>> kept(in.take_up_to(runners.size()));
        if (kept.empty()) throw std::invalid_argument("it holds no states");
        room_.may_use_disk = kept.size() == 1 && room_.most_on_disk > 0;
        for (auto& each : kept) {
            const auto order = in.take();
            const auto found = std::find_if(runners.begin(), runners.end(),
                                            [&](const auto& one) { return one && one->order == order; });
            if (found == runners.end()) throw std::invalid_argument("it holds a count in another order");
            each = std::move(*found);
            each->read(in);
        }
        runners = std::move(kept);
        heat_ = 2 * last_budget;  // only the last two are kept
    }

    Room& room_;
    Watch& watch_;
    const FrontierKeeping& keeping_;
    std::uint64_t heat_ = first_budget;  // the budget of each in this heat
    std::size_t turn_ = 0;               // whose turn it is
};

}  // namespace

std::int32_t frontier_width(const Problem& problem, std::span<const std::int32_t> order) {
    return make_plan(problem, order).width;
}

struct FrontierSearch::Held {
    explicit Held(FrontierOptions given) : options(std::move(given)), watch(options.keeping) {
        room.most_bytes = options.most_bytes;
        room.most_on_disk = options.most_on_disk;
        room.folder = options.folder;
    }

    FrontierOptions options;
    Room room;
    Watch watch;
    Race race{room, watch, options.keeping};
    std::int32_t empty_options = 0;
};

FrontierSearch::FrontierSearch(const Problem& problem, const std::vector<std::span<const std::int32_t>>& orders,
                               FrontierOptions options)
    : held_(std::make_unique<Held>(std::move(options))) {
    for (const auto high : problem.high)
        if (high > 1) throw Unsupported("the frontier counts problems whose items are held at most once");
    for (std::size_t k = 0; k < orders.size(); ++k) {
        auto plan = make_plan(problem, orders[k]);
        held_->empty_options = plan.empty_options;
        if (auto one = make_runner(std::move(plan), held_->options.threads, held_->room, held_->watch)) {
            one->order = k;
            held_->race.runners.push_back(std::move(one));
        }
    }
    if (held_->race.runners.empty()) throw Unsupported("the frontier is wider than 256 items");
}

FrontierSearch::~FrontierSearch() = default;

FrontierCount FrontierSearch::count(std::uint64_t until_work, double seconds, Sink& sink) {
    auto& [options, room, watch, race, empty_options] = *held_;
    watch.begin(until_work, seconds, sink);
    auto state = RunnerState::paused;
    const auto& best = race.run(state);
    if (state == RunnerState::too_large) throw Unsupported("the frontier takes more memory than it may");
    FrontierCount count{watch.stop,
                        best.total,
                        static_cast<std::int32_t>(best.order),
                        best.width,
                        best.states,
                        watch.work,
                        state == RunnerState::ended ? 0 : std::exp(best.left()),
                        room.peak,
                        room.peak_on_disk,
                        watch.clock.seconds()};
    if (count.stop == Stop::exhausted) shift(count.limbs, empty_options);
    return count;
}

}  // namespace latcover
