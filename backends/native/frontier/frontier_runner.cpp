#include "frontier/frontier_runner.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "frontier/frontier_merge.hpp"
#include "ground/team.hpp"

namespace latcover {
namespace {

constexpr std::size_t states_worth_tests = 256;
constexpr std::size_t states_of_a_range = 1 << 13, samples_of_a_range = 32, ranges_at_once = 16;

// How many bits a number has.
std::size_t bits(const std::vector<std::uint64_t>& number) {
    for (std::size_t k = number.size(); k-- > 0;)
        if (number[k]) return 64 * k + std::bit_width(number[k]);
    return 0;
}

// What a step should be like if whether an item is covered does not depend on the others.
struct Foreseen {
    double sets;  // of as many open items as should be covered before the step: a logarithm
    double work;  // for each state before the step
};

std::vector<Foreseen> foresee(const Plan& plan) {
    const auto n_steps = static_cast<std::size_t>(plan.n_steps());
    std::vector<std::int32_t> open(n_steps + 1);  // how many items without colours are open after each step
    std::vector<double> colourings(n_steps + 1);  // of those with colours, as a logarithm
    for (std::size_t item = 0; item < plan.opens.size(); ++item) {
        if (plan.opens[item] == plan.n_steps()) continue;
        const auto since = plan.opens[item], until = plan.position[item];
        if (plan.has_colours[item]) {
            colourings[since] += std::log(plan.n_codes[item]);
            colourings[until] -= std::log(plan.n_codes[item]);
        } else {
            ++open[since];
            --open[until];
        }
    }
    std::vector<Foreseen> steps;
    double before = 0, covered = 0, in_colours = 0;  // open items, and those of them that are covered
    std::int32_t open_now = 0;
    for (std::int32_t k = 0; k < plan.n_steps(); ++k) {
        const auto& step = plan.steps[k];
        const bool has_turn = step.item != no_item;
        const double share = before > 0 ? covered / before : 0;
        const double early = has_turn && plan.slot[step.item] != no_slot ? share : 0;
        double fit = !has_turn || plan.problem.low[step.item] == 0, more = 0;
        for (const auto option : step.begun) {
            auto others = static_cast<double>(plan.items_of(option).size()) - has_turn;
            double alike = 1;  // the options of which one has the colours of the state
            if (plan.problem.has_colours())
                for (const auto item : plan.items_of(option)) {
                    if (!plan.has_colours[item]) continue;
                    --others;
                    if (plan.opens[item] < k) alike *= plan.n_codes[item];
                }
            const auto fits = std::pow(1 - share, others) / alike;
            fit += fits;
            more += fits * others;
        }
        steps.push_back({std::lgamma(before + 1) - std::lgamma(covered + 1) - std::lgamma(before - covered + 1) +
                             std::max(0.0, in_colours),
                         (early + (1 - early) * fit) * static_cast<double>(step.begun.size() + 1 + ways_for_a_state)});
        before = open_now += open[k];
        in_colours += colourings[k];
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
        foreseen_ = foresee(plan_);
        auto first = std::make_unique<Block<W>>(room, 1, 1);
        first->size = 1;
        first->keys[0] = Key<W>{};
        first->counts[0] = 1;
        Blocks<W> blocks;
        blocks.push_back(std::move(first));
        now_.append(std::move(blocks));
        now_.total = {1, 0};
    }

    RunnerState run() override {
        while (step_ < plan_.n_steps()) {
            if (work >= budget) return RunnerState::paused;
            if (!begun_) begin();
            if (range_ < ends_.size()) merge_some();
            if (room_.is_full() && !room_.may_use_disk) return RunnerState::too_large;
            if (!watch_.goes_on(work - std::exchange(told_, work), share())) return RunnerState::stopped;
            if (range_ == ends_.size()) end();
            if (watch_.is_time_to_keep()) return RunnerState::paused;
        }
        total = now_.total;  // at most one state is left: no item is open at the end
        return RunnerState::ended;
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
        step_ = static_cast<std::int32_t>(in.take_up_to(plan_.steps.size()));
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
        while (bits(now_.total) + std::bit_width(plan_.steps[step_].begun.size() + 1) > 64 * limbs) ++limbs;
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

}  // namespace

std::unique_ptr<Runner> make_runner(Plan plan, unsigned threads, Room& room, Watch& watch) {
    if (plan.width > widest_frontier) return nullptr;
    if (plan.width <= 64) return std::make_unique<Count<1>>(std::move(plan), threads, room, watch);
    if (plan.width <= 128) return std::make_unique<Count<2>>(std::move(plan), threads, room, watch);
    return std::make_unique<Count<4>>(std::move(plan), threads, room, watch);
}

}  // namespace latcover
