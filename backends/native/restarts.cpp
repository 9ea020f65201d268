#include "restarts.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>
#include <optional>
#include <random>
#include <system_error>
#include <thread>
#include <vector>

#include "bitset.hpp"
#include "cover_matrix.hpp"
#include "hosted_walk.hpp"
#include "kernel_units.hpp"
#include "progress.hpp"
#include "restarts_plan.hpp"

namespace latcover {
namespace {

constexpr std::int32_t none = RestartsPlan::none;
constexpr int most_backtracks = 400;  // of one head
constexpr int heads_for_a_tail = 24;
constexpr std::uint64_t most_branches = 3'000'000;   // of one tail
constexpr double least_tail = 1, largest_tail = 40;  // parts of a tail
constexpr double looks_for_a_branch = 10;  // a branch of a tail costs as much as a head's look at so many options
constexpr float greed = 4;  // weight of hardness and of open sides against chance, when a head chooses an option
constexpr std::uint64_t n_chances = 1 << 12;

// Quantiles of Gumbel's distribution. The greatest of some values with draws from it added is a choice by their exponentials.
const std::vector<float> chances = [] {
    std::vector<float> quantiles;
    for (std::uint64_t k = 0; k < n_chances; ++k)
        quantiles.push_back(static_cast<float>(-std::log(-std::log((static_cast<double>(k) + 0.5) / n_chances))));
    return quantiles;
}();

// What all threads share while they search.
struct Shared {
    std::atomic<bool> stopping{false};
    std::atomic<std::uint64_t> branches{0}, heads{0}, tails{0}, cut{0};
    std::mutex mutex;  // of what follows
    std::vector<std::int32_t> cover;  // empty while none is found
    bool exhausted = false;           // there is none
    std::exception_ptr error;
};

std::int64_t cells_of_tail(const RestartsPlan& plan, double parts) { return std::llround(parts * plan.average); }

std::mt19937_64 seed_of(std::uint64_t seed, unsigned number) {
    std::seed_seq both{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32), std::uint32_t{number}};
    return std::mt19937_64(both);
}

class Searcher;

// The exhaustive search of a tail, to its first cover.
class Tail final : public HostedWalk {
public:
    Tail(const CoverMatrix& matrix, Searcher& searcher) : HostedWalk(matrix), searcher_(searcher) {}

    void cover(std::uint32_t n) override {
        cover_of(n)(found_options);
        has_cover = true;
        stop(n);
    }
    bool enter() override { return true; }
    void look() override;
    std::uint64_t total() const { return branches(0); }

    std::vector<std::int32_t> found_options;
    bool has_cover = false, cut = false;

private:
    Searcher& searcher_;
};

class Searcher {
public:
    Searcher(const RestartsPlan& plan, const KernelUnit& unit, Shared& shared, const RestartsOptions& options, unsigned number)
        : plan_(plan), shared_(shared), unit_(unit), random_(seed_of(options.seed, number)), used_(plan.problem.n_items(), 0),
          taken_(plan.problem.n_options(), 0),
          islands_(plan.islands) {
        shape_tail(options.tail);
    }
    virtual ~Searcher() = default;

    void search();
    // Called often, during heads and tails.
    virtual void look(std::uint64_t) {}
    bool stopping() const { return shared_.stopping.load(std::memory_order_relaxed); }

protected:
    const RestartsPlan& plan_;
    Shared& shared_;

private:
    struct Step {
        std::size_t place;                     // of the item that it covers, among the scanned ones
        std::vector<std::int32_t> candidates;  // the best one last
        std::int32_t taken = none;
    };

    void shape_tail(double parts) {
        tail_parts_ = std::clamp(parts, least_tail, largest_tail);
        most_left_ = cells_of_tail(plan_, tail_parts_);
    }
    bool head();
    void open(std::size_t place);
    void hold(std::int32_t option, std::int32_t by) {
        for (const auto item : plan_.items(option)) used_[item] += by;
        taken_[option] = by > 0;
    }
    bool take(std::int32_t option);
    void give_back(std::int32_t option);
    bool fits(std::int32_t option) const {
        if (taken_[option]) return false;  // an option is used once, even if its items may be held more often
        for (const auto item : plan_.items(option))
            if (used_[item] >= plan_.problem.high[item]) return false;
        return true;
    }
    void find_live();
    double room() const;
    void search_tail(const std::vector<std::int32_t>& chosen);
    void clear();
    float chance() {
        if (bits_ < 0x10000) bits_ = random_() | std::uint64_t{1} << 63;
        const float drawn = chances[bits_ % n_chances];
        bits_ /= n_chances;
        return drawn;
    }
    std::size_t next_open(std::size_t from) const {
        while (from < plan_.scanned.size() && used_[plan_.scanned[from]] >= plan_.problem.low[plan_.scanned[from]]) ++from;
        return from;
    }

    const KernelUnit& unit_;
    std::mt19937_64 random_;
    std::uint64_t bits_ = 0;          // random ones that are not used yet, under a leading one
    std::vector<std::int32_t> used_;  // of each item
    std::vector<char> taken_;         // of each option
    std::optional<Islands> islands_;
    std::int64_t left_ = 0, most_left_ = 0;
    double tail_parts_ = 0;
    std::uint64_t looks_ = 0;  // at options, since the last tail
    std::vector<Step> steps_;
    std::vector<std::pair<float, std::int32_t>> scored_;
    std::vector<std::int32_t> chosen_, live_;
};

void Tail::look() {
    nothing_visited(depth);
    const auto so_far = branches(depth + 1);
    searcher_.look(so_far);
    cut = so_far >= most_branches;
    if (cut || searcher_.stopping()) stop(depth + 1);
    until_look = 16 * branches_between_looks;
}

void Searcher::open(std::size_t place) {
    Step step{place, {}, none};
    scored_.clear();
    const Problem& problem = plan_.problem;
    const auto all = plan_.starting_at(plan_.scanned[place]);
    for (std::size_t k = 0; k < all.size(); ++k) {
        const auto option = all[k];
        ++looks_;
        if (!fits(option)) {
            const auto part = plan_.part_of[option];
            if (part == none || used_[problem.n_cells + part] < problem.high[problem.n_cells + part]) continue;
            while (k + 1 < all.size() && plan_.part_of[all[k + 1]] == part) ++k;  // options are sorted by their parts
            continue;
        }
        float value = plan_.hardness[option];
        if (!problem.neighbour_starts.empty()) {
            int open_sides = 0;  // those between its own cells too; hardness makes up for these
            for (const auto item : plan_.items(option)) {
                if (item >= problem.n_cells) break;
                for (auto k = problem.neighbour_starts[item]; k < problem.neighbour_starts[item + 1]; ++k)
                    open_sides += used_[problem.neighbours[k]] == 0;
            }
            value -= static_cast<float>(open_sides);
        }
        scored_.emplace_back(greed * value + chance(), option);
    }
    std::sort(scored_.begin(), scored_.end());
    step.candidates.reserve(scored_.size());
    for (const auto& [value, option] : scored_) step.candidates.push_back(option);
    steps_.push_back(std::move(step));
}

bool Searcher::take(std::int32_t option) {
    hold(option, 1);
    left_ -= plan_.weight[option];
    if (islands_) {
        islands_->take(option);
        if (islands_->strands_after(option)) {
            give_back(option);
            return false;
        }
    }
    return true;
}

void Searcher::give_back(std::int32_t option) {
    hold(option, -1);
    left_ += plan_.weight[option];
    if (islands_) islands_->give_back(option);
}

void Searcher::clear() {
    for (; !steps_.empty(); steps_.pop_back())
        if (steps_.back().taken != none) give_back(steps_.back().taken);
}

// Fill at random until a tail is left. Returns false when it went back too often. The caller calls `clear`.
bool Searcher::head() {
    left_ = plan_.need;
    if (left_ <= most_left_) return true;
    int backtracks = 0;
    open(next_open(0));
    while (true) {
        Step& step = steps_.back();
        if (step.taken != none) {
            give_back(step.taken);
            step.taken = none;
            if (++backtracks > most_backtracks) return false;
        }
        bool went_on = false;
        while (!step.candidates.empty() && !went_on) {
            const auto option = step.candidates.back();
            step.candidates.pop_back();
            if (!take(option)) continue;
            step.taken = option;
            went_on = true;
        }
        if (!went_on) {
            steps_.pop_back();
            if (steps_.empty()) {  // all heads were tried
                const std::scoped_lock lock(shared_.mutex);
                shared_.exhausted = shared_.stopping = true;
                return false;
            }
            continue;
        }
        if (left_ <= most_left_) return true;
        open(next_open(step.place));
    }
}

// Find the options that the tail may still use.
void Searcher::find_live() {
    live_.clear();
    const auto add = [&](std::int32_t item) {
        for (const auto option : plan_.starting_at(item))
            if (fits(option)) live_.push_back(option);
    };
    for (const auto item : plan_.scanned)
        if (used_[item] < plan_.problem.low[item]) add(item);
    add(plan_.problem.n_items());  // those without a scanned item
}

// How much room the live options leave: the more ways there are to place each part and to cover each cell, the better.
double Searcher::room() const {
    const Problem& problem = plan_.problem;
    std::vector<std::int32_t> held(problem.n_items(), 0);
    for (const auto option : live_)
        for (const auto item : plan_.items(option)) ++held[item];
    double score = 0;
    for (std::int32_t item = 0; item < problem.n_items(); ++item) {
        const auto more = problem.low[item] - used_[item];
        if (more <= 0) continue;
        if (held[item] < more) return -INFINITY;
        score += std::log(static_cast<double>(held[item]));
    }
    return score;
}

// Search what *chosen* leaves, exhaustively.
void Searcher::search_tail(const std::vector<std::int32_t>& chosen) {
    const Problem& problem = plan_.problem;
    for (const auto option : chosen) hold(option, 1);
    find_live();
    std::sort(live_.begin(), live_.end());
    std::vector<std::int64_t> starts{0};
    std::vector<std::int32_t> items, low(problem.n_items()), high(problem.n_items());
    for (const auto option : live_) {
        const auto own = plan_.items(option);
        items.insert(items.end(), own.begin(), own.end());
        starts.push_back(static_cast<std::int64_t>(items.size()));
    }
    for (std::int32_t item = 0; item < problem.n_items(); ++item) {
        low[item] = std::max(0, problem.low[item] - used_[item]);
        high[item] = problem.high[item] - used_[item];
    }
    for (const auto option : chosen) hold(option, -1);
    Problem rest;
    rest.option_starts = starts;
    rest.option_items = items;
    rest.low = low;
    rest.high = high;
    const CoverMatrix matrix(rest);
    if (!matrix.too_large().empty()) {
        shape_tail(tail_parts_ - 1);
        return;
    }
    Tail tail(matrix, *this);
    tail.walk_with(unit_);
    shared_.branches += tail.total();
    ++shared_.tails;
    shared_.cut += tail.cut;
    // Heads and tails are to take about the same time. Looks and branches are counted, since a clock would make each run another one.
    const double balance = std::log2((static_cast<double>(looks_) + 1) / (looks_for_a_branch * static_cast<double>(tail.total()) + 1));
    shape_tail(tail_parts_ + std::clamp(0.5 * balance, -2.0, 3.0));
    looks_ = 0;
    const bool is_proof = chosen.empty() && !tail.cut && !stopping();
    if (!tail.has_cover && !is_proof) return;
    const std::scoped_lock lock(shared_.mutex);
    if (!tail.has_cover) {  // the tail was all of the problem
        shared_.exhausted = shared_.stopping = true;
        return;
    }
    if (!shared_.cover.empty()) return;  // another thread was faster
    shared_.cover = chosen;
    for (const auto row : tail.found_options) shared_.cover.push_back(live_[row]);
    shared_.stopping = true;
}

void Searcher::search() {
    while (!stopping()) {
        double best = -INFINITY;
        chosen_.clear();
        for (int tried = 0; tried < heads_for_a_tail && !stopping(); ++tried) {
            const bool ended = head();
            ++shared_.heads;
            if (ended) {
                find_live();
                const double score = room();
                if (score > best) {
                    best = score;
                    chosen_.clear();
                    for (const auto& step : steps_) chosen_.push_back(step.taken);
                }
            }
            clear();
            look(0);
        }
        if (stopping()) break;
        if (best > -INFINITY) search_tail(chosen_);
        else shape_tail(tail_parts_ + 3);  // in so small a tail no head leaves room
    }
}

// The searcher of the calling thread, which keeps the limits and reports.
class MainSearcher final : public Searcher {
public:
    MainSearcher(const RestartsPlan& plan, const KernelUnit& unit, Shared& shared, const RestartsOptions& options,
                 const Limits& limits, Sink& sink)
        : Searcher(plan, unit, shared, options, 0), limits_(limits), progress_(sink) {}

    void look(std::uint64_t more) override {
        const double now = clock_.seconds();
        if (now >= limits_.seconds && !stopping()) end(Stop::time_limit);
        if (!stopping() && progress_.is_due(now)) {
            Statistics so_far;
            so_far.branches = shared_.branches + more;
            if (!progress_.tell(now, 0.0, std::move(so_far))) end(Stop::cancelled);
        }
    }

    const Clock& clock() const { return clock_; }
    std::optional<Stop> ended;

private:
    void end(Stop why) {
        ended = why;
        shared_.stopping = true;
    }

    const Limits& limits_;
    Progress progress_;
    Clock clock_;
};

}  // namespace

RestartsOutcome restarts_search(const Problem& problem, const RestartsOptions& options, const Limits& limits, Sink& sink) {
    const Clock setup;
    const RestartsPlan plan(problem);
    RestartsOutcome result;
    if (plan.need <= cells_of_tail(plan, options.tail)) {
        result.outcome = bitset_search(problem, {options.kernel, options.threads, true}, limits, sink).outcome;
        return result;
    }
    const KernelUnit& unit = unit_named(options.kernel);
    Shared shared;
    MainSearcher main(plan, unit, shared, options, limits, sink);
    const double setup_seconds = setup.seconds();
    std::vector<std::thread> threads;
    const auto search_beside = [&](unsigned number) {
        try {
            Searcher(plan, unit, shared, options, number).search();
        } catch (...) {
            const std::scoped_lock lock(shared.mutex);
            shared.error = std::current_exception();
            shared.stopping = true;
        }
    };
    std::exception_ptr error;
    try {
        for (unsigned number = 1; number < options.threads; ++number) threads.emplace_back(search_beside, number);
    } catch (const std::system_error&) {
        // The system has no more threads. Those that started search.
    }
    try {
        main.search();
    } catch (...) {
        error = std::current_exception();
        shared.stopping = true;
    }
    for (auto& thread : threads) thread.join();
    if (!error) error = shared.error;
    if (error) std::rethrow_exception(error);

    result.heads = shared.heads;
    result.tails = shared.tails;
    result.cut = shared.cut;
    result.threads = static_cast<unsigned>(threads.size()) + 1;
    Statistics& statistics = result.outcome.statistics;
    statistics.branches = shared.branches;
    statistics.setup_seconds = setup_seconds;
    statistics.search_seconds = main.clock().seconds();
    if (!shared.cover.empty()) {
        statistics.covers = 1;
        statistics.first_seconds = statistics.search_seconds;
        result.outcome.stop = Stop::cover_limit;
        Batch batch;
        batch.add([&](std::vector<std::int32_t>& into) { into = shared.cover; });
        sink.covers(batch);
    } else if (shared.exhausted) {
        result.outcome.stop = Stop::exhausted;
        sink.progress(1.0, statistics);
    } else {
        result.outcome.stop = main.ended.value_or(Stop::cancelled);
    }
    return result;
}

}  // namespace latcover
