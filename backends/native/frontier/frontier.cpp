#include "frontier/frontier.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "cover/progress.hpp"
#include "frontier/frontier_merge.hpp"
#include "ground/team.hpp"

namespace latcover {
namespace {

constexpr std::size_t states_worth_tests = 256;
constexpr std::size_t states_of_a_range = 1 << 13, samples_of_a_range = 32, ranges_at_once = 16;
constexpr std::uint64_t first_budget = 1 << 17;  // work of each order, a tenth of a millisecond
constexpr std::uint64_t last_budget = 1 << 21;   // of two orders by turns
constexpr double doubt = 3;  // the better of two is left if it seems to take so many times the work of the other
constexpr double share_of_keeping = 0.05;  // of all time
constexpr auto no_budget = std::numeric_limits<std::uint64_t>::max();

// How many bits a number has.
std::size_t bits(const std::vector<std::uint64_t>& number) {
    for (std::size_t k = number.size(); k-- > 0;)
        if (number[k]) return 64 * k + std::bit_width(number[k]);
    return 0;
}

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

enum class State { paused, ended, stopped, too_large };

// A count in one order, which can pause.
class Runner {
public:
    virtual ~Runner() = default;
    // Count until this one has done the work of its budget, or the count is to be kept.
    virtual State run() = 0;
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

// What a step should be like if whether an item is covered does not depend on the others.
struct Foreseen {
    double sets;  // of as many open items as should be covered before the step: a logarithm
    double work;  // for each state before the step
};

std::vector<Foreseen> foresee(const Plan& plan, const std::vector<std::int32_t>& open) {
    std::vector<Foreseen> steps;
    double before = 0, covered = 0;  // open items, and those of them that are covered
    for (std::int32_t k = 0; k < plan.n_steps(); ++k) {
        const auto item = plan.order[k];
        const double share = before > 0 ? covered / before : 0, early = plan.slot[item] != no_slot ? share : 0;
        double fit = plan.problem.low[item] == 0, more = 0;
        for (const auto option : plan.begun[k]) {
            const auto others = static_cast<double>(plan.items_of(option).size()) - 1;
            const auto fits = std::pow(1 - share, others);
            fit += fits;
            more += fits * others;
        }
        steps.push_back(
            {std::lgamma(before + 1) - std::lgamma(covered + 1) - std::lgamma(before - covered + 1),
             (early + (1 - early) * fit) * static_cast<double>(plan.begun[k].size() + 1 + ways_for_a_state)});
        before = open[k];
        covered = std::clamp(covered - early + (fit > 0 ? (1 - early) * more / fit : 0), 0.0, before);
    }
    return steps;
}

template <int W>
class Count : public Runner {
public:
    Count(Plan plan, unsigned threads, Room& room, Watch& watch)
        : plan_(std::move(plan)), threads_(threads), room_(room), watch_(watch), dead_ends_(plan_) {
        width = plan_.width;
        open_.assign(plan_.order.size() + 1, 0);
        for (std::size_t item = 0; item < plan_.opens.size(); ++item)
            if (plan_.opens[item] < plan_.n_steps()) {
                ++open_[plan_.opens[item]];
                --open_[plan_.position[item]];
            }
        for (std::size_t k = 1; k < open_.size(); ++k) open_[k] += open_[k - 1];
        foreseen_ = foresee(plan_, open_);
        auto first = std::make_unique<Block<W>>(room, 1, 1);
        first->size = 1;
        first->keys[0] = Key<W>{};
        first->counts[0] = 1;
        Blocks<W> blocks;
        blocks.push_back(std::move(first));
        now_.append(std::move(blocks));
        now_.total = {1, 0};
    }

    State run() override {
        while (step_ < plan_.n_steps()) {
            if (work >= budget) return State::paused;
            if (!begun_) begin();
            if (range_ < ends_.size()) merge_some();
            if (room_.is_full() && !room_.may_use_disk) return State::too_large;
            if (!watch_.goes_on(work - std::exchange(told_, work), share())) return State::stopped;
            if (range_ == ends_.size()) end();
            if (watch_.is_time_to_keep()) return State::paused;
        }
        total = now_.total;  // at most one state is left: no item is open at the end
        return State::ended;
    }

    // The states are as large a power of the sets that there might be as they were up to now, and a step takes as much
    // more work than foreseen as all steps did up to now.
    double left() const override {
        const double power = weight_ > 0 ? growth_ / weight_ : 0;
        double most = 0;
        for (const auto& step : foreseen_) most = std::max(most, power * step.sets);
        double done = 0, rest = 0;
        for (std::size_t k = 0; k < foreseen_.size(); ++k)
            (k < static_cast<std::size_t>(step_) ? done : rest) +=
                std::exp(power * foreseen_[k].sets - most) * foreseen_[k].work;
        return done > 0 && work > 0 ? std::log(rest / done * static_cast<double>(work) + 1) : std::log(rest + 1) + most;
    }

    double share() const override { return static_cast<double>(step_) / plan_.n_steps(); }

    void write(WordsOut& out) const override {
        for (const auto number : {work, states, budget, told_, static_cast<std::uint64_t>(step_)}) out.put(number);
        out.put_number(growth_);
        out.put_number(weight_);
        out.put(std::uint64_t{begun_});
        now_.write(out);
        if (!begun_) return;
        next_.write(out);
        out.put(ends_.size());
        out.put(range_);
        for (std::size_t k = 0; k + 1 < ends_.size(); ++k) out.put(ends_[k]->data(), W);
        for (const auto& start : starts_) {
            out.put(start.block - now_.given_back());
            out.put(start.at);
        }
    }

    void read(WordsIn& in) override {
        for (auto* number : {&work, &states, &budget, &told_}) *number = in.take();
        if (work >= no_budget / 2)
            throw std::invalid_argument("it holds more work than any count");  // it would not end
        step_ = static_cast<std::int32_t>(in.take_up_to(plan_.order.size()));
        growth_ = in.take_number();
        weight_ = in.take_number();
        begun_ = in.take_up_to(step_ < plan_.n_steps()) != 0;
        now_.read(in, room_, begun_);
        if (!begun_) return;
        next_.read(in, room_, false);
        find_ways();
        ends_.assign(in.take_up_to(in.size), {});
        range_ = in.take_up_to(ends_.size());
        for (std::size_t k = 0; k + 1 < ends_.size(); ++k) in.take(ends_[k].emplace().data(), W);
        starts_.assign(ways_.size(), {});
        for (auto& start : starts_) {
            start.block = now_.given_back() + in.take_up_to(now_.blocks.size() - now_.given_back());
            start.at = in.take_up_to(states_in_a_block);
        }
    }

private:
    void find_ways() {
        ways_ = ways_of_step<W>(plan_, step_);
        test_ = now_.size < states_worth_tests ? DeadTest<W>() : DeadTest<W>(dead_ends_.after(step_));
    }

    // Take the next item of the order: cut the layer after it into ranges of about as many states.
    void begin() {
        begun_ = true;
        find_ways();
        auto limbs = now_.limbs;
        while (bits(now_.total) + std::bit_width(plan_.begun[step_].size() + 1) > 64 * limbs) ++limbs;
        next_.clear(limbs);
        range_ = 0;
        ends_.assign(1, {});
        starts_.assign(ways_.size(), {});
        if (now_.size < 2 * states_of_a_range) return;
        const auto n_ranges = now_.size / states_of_a_range, apart = states_of_a_range / samples_of_a_range;
        std::vector<Key<W>> sample;
        Reader<W> reader;
        std::size_t at = 0;
        for (const auto& block : now_.blocks) {
            if (at < block->size) reader.open(*block, now_.limbs);
            for (; at < block->size; at += apart)
                for (const auto& way : ways_)
                    if (way.suits(reader.keys[at])) sample.push_back(way.changed(reader.keys[at]));
            at -= block->size;
        }
        std::sort(sample.begin(), sample.end(), less<W>);
        ends_.clear();
        for (std::size_t k = 1; k < n_ranges && !sample.empty(); ++k) {
            const auto& end = sample[k * sample.size() / n_ranges];
            if (ends_.empty() || less<W>(*ends_.back(), end)) ends_.push_back(end);
        }
        ends_.push_back({});
    }

    // Merge the next ranges, on all threads.
    void merge_some() {
        const auto n = std::min(ranges_at_once, ends_.size() - range_);
        std::vector<std::vector<Place>> starts{starts_};
        for (std::size_t k = 0; k < n && ends_[range_ + k]; ++k) {
            auto& following = starts.emplace_back(starts.back());
            for (std::size_t j = 0; j < ways_.size(); ++j)
                following[j] = source_of<W>(now_, ways_[j], *ends_[range_ + k], following[j]);
        }
        std::vector<Merged<W>> merged(n);
        const auto expected = ends_.size() == 1 ? now_.size * ways_.size() : states_in_a_block;
        together(threads_, n, [&](std::size_t k, unsigned) {
            const auto& end = ends_[range_ + k];
            Merge<W> merge(next_, test_, room_, expected);
            merged[k] = merge.run(now_, ways_, starts[k], end ? &*end : nullptr);
        });
        for (auto& each : merged) {
            work += each.work;
            next_.append(std::move(each.blocks));
            add_up(next_.total.data(), next_.limbs + 1, each.total.data(), next_.limbs + 1);
        }
        range_ += n;
        if (range_ == ends_.size()) return;
        starts_ = std::move(starts.back());
        auto read = now_.blocks.size();
        for (const auto& start : starts_) read = std::min(read, start.block);
        now_.give_back(read);
    }

    void end() {
        std::swap(now_, next_);
        next_.clear(1);
        begun_ = false;
        ++step_;
        states = std::max(states, static_cast<std::uint64_t>(now_.size));
        const auto sets = step_ < plan_.n_steps() ? foreseen_[step_].sets : 0;
        growth_ += sets * std::log(static_cast<double>(now_.size));
        weight_ += sets * sets;
    }

    Plan plan_;
    unsigned threads_;
    Room& room_;
    Watch& watch_;
    DeadEnds<W> dead_ends_;
    std::vector<std::int32_t> open_;  // how many items are open after each step
    std::vector<Foreseen> foreseen_;
    Layer<W> now_, next_;
    std::int32_t step_ = 0;
    bool begun_ = false;  // the step; the rest belongs to it
    std::vector<Way<W>> ways_;
    DeadTest<W> test_;
    std::vector<std::optional<Key<W>>> ends_;  // of the ranges of the next layer; the last has none
    std::vector<Place> starts_;                // for each way, what the next range begins with
    std::size_t range_ = 0;
    std::uint64_t told_ = 0;          // work that the watch knows
    double growth_ = 0, weight_ = 0;  // the logarithm of the states over that of the sets, by least squares
};

std::unique_ptr<Runner> runner(Plan plan, unsigned threads, Room& room, Watch& watch) {
    if (plan.width > widest_frontier) return nullptr;
    if (plan.width <= 64) return std::make_unique<Count<1>>(std::move(plan), threads, room, watch);
    if (plan.width <= 128) return std::make_unique<Count<2>>(std::move(plan), threads, room, watch);
    return std::make_unique<Count<4>>(std::move(plan), threads, room, watch);
}

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
    Runner& run(State& state) {
        if (!keeping_.path.empty() && watch_.work == 0) read();
        state = State::paused;
        heats(state);
        if (state == State::paused) last_two(state);
        return *runners.front();
    }

private:
    // Half of them drop out, until two are left.
    void heats(State& state) {
        watch_.may_keep = false;
        for (; runners.size() > 2 || (runners.size() > 1 && heat_ <= last_budget); heat_ *= 2) {
            while (turn_ < runners.size()) {
                runners[turn_]->budget = heat_;
                state = runners[turn_]->run();
                if (state == State::ended) runners.front().swap(runners[turn_]);
                if (state == State::ended || state == State::stopped) return;
                if (state == State::too_large && runners.size() > 1) {  // all of them are, together
                    worst_last();
                    runners.pop_back();
                    turn_ = 0;
                } else ++turn_;
            }
            worst_last();
            if (runners.size() > 2) runners.resize((runners.size() + 1) / 2);
            turn_ = 0;
        }
        state = State::paused;
    }

    void worst_last() {
        std::stable_sort(runners.begin(), runners.end(),
                         [](const auto& a, const auto& b) { return a->expected() < b->expected(); });
    }

    // The better of two works, until the other seems better. What stands here can be kept.
    void last_two(State& state) try {
        watch_.may_keep = true;
        while (true) {
            auto& better = *runners.front();
            const bool alone = runners.size() == 1;
            room_.may_use_disk = alone && room_.most_on_disk > 0;
            if (alone) better.budget = no_budget;
            else if (better.work >= better.budget)
                better.budget = better.work + std::max(first_budget, better.work / 4);
            state = better.run();
            if (state == State::ended) return;
            if (state == State::stopped || (state == State::too_large && alone)) return keep();
            if (watch_.is_time_to_keep()) keep();
            if (alone || (state == State::paused && better.work < better.budget)) continue;
            if (better.expected() > runners.back()->expected() + std::log(doubt))
                std::swap(runners.front(), runners.back());
            if (state == State::too_large) runners.pop_back();
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
        if (auto one = runner(std::move(plan), held_->options.threads, held_->room, held_->watch)) {
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
    auto state = State::paused;
    const auto& best = race.run(state);
    if (state == State::too_large) throw Unsupported("the frontier takes more memory than it may");
    FrontierCount count{watch.stop,
                        best.total,
                        static_cast<std::int32_t>(best.order),
                        best.width,
                        best.states,
                        watch.work,
                        state == State::ended ? 0 : std::exp(best.left()),
                        room.peak,
                        room.peak_on_disk,
                        watch.clock.seconds()};
    if (count.stop == Stop::exhausted) shift(count.limbs, empty_options);
    return count;
}

}  // namespace latcover
