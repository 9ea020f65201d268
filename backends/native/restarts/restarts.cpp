#include "restarts/restarts.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <optional>
#include <random>
#include <system_error>
#include <vector>

#include "bitset/bitset.hpp"
#include "bitset/cover_matrix.hpp"
#include "bitset/hosted_walk.hpp"
#include "cover/progress.hpp"
#include "ground/threads.hpp"
#include "kernel/kernel_units.hpp"
#include "restarts/restarts_beam.hpp"
#include "restarts/restarts_filling.hpp"
#include "restarts/restarts_plan.hpp"

namespace latcover {
namespace {

constexpr std::int32_t none = RestartsPlan::none;
constexpr int most_backtracks = 400;  // of one head
constexpr double beam_parts = 60;     // parts that the beam begins with
constexpr double least_width = 32, largest_width = 2000, wider = 1.2;
constexpr std::size_t tails_of_a_beam = 4;
constexpr std::uint64_t most_branches = 1'000'000;   // of one tail
constexpr double least_tail = 1, largest_tail = 40;  // parts of a tail
constexpr double looks_for_a_branch = 20;  // a branch of a tail costs as much as a head's look at so many options
constexpr float greed = 4;  // weight of hardness and of open sides against chance, when a head chooses an option
constexpr std::uint64_t n_chances = 1 << 12;

// Quantiles of Gumbel's distribution. The greatest of some values with draws from it added is a choice by their
// exponentials.
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
    Mutex mutex;                      // of what follows
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
    Searcher(const RestartsPlan& plan, const KernelUnit& unit, Shared& shared, const RestartsOptions& options,
             unsigned number)
        : plan_(plan), shared_(shared), unit_(unit), random_(seed_of(options.seed, number)), filling_(plan),
          beam_(filling_, [this] { return chance(); }) {
        shape_tail(options.tail);
    }
    virtual ~Searcher() = default;

    void search();
    // Called often, during heads and tails.
    virtual void look(std::uint64_t) {}
    // A branch of a tail is one, and so are some looks at options.
    double work() const { return work_ + static_cast<double>(looks_) / looks_for_a_branch; }
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
    void find_live();
    double room() const;
    std::vector<std::pair<double, std::size_t>> roomiest_ends();
    bool search_tail(const std::vector<std::int32_t>& chosen);
    void search_once();
    void end_without_cover();
    void clear();
    float chance() {
        if (bits_ < 0x10000) bits_ = random_() | std::uint64_t{1} << 63;
        const float drawn = chances[bits_ % n_chances];
        bits_ /= n_chances;
        return drawn;
    }
    const KernelUnit& unit_;
    std::mt19937_64 random_;
    std::uint64_t bits_ = 0;  // random ones that are not used yet, under a leading one
    Filling filling_;
    Beam beam_;
    std::int64_t most_left_ = 0;
    double tail_parts_ = 0, width_ = least_width;
    std::uint64_t looks_ = 0;  // at options, since the last tails
    std::uint64_t tried_ = 0;  // branches of tails, since then
    double work_ = 0;          // without these looks
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
    until_look = 16 * pace;
}

void Searcher::open(std::size_t place) {
    Step step{place, {}, none};
    scored_.clear();
    const auto all = plan_.starting_at(plan_.scanned[place]);
    for (std::size_t k = 0; k < all.size(); ++k) {
        const auto option = all[k];
        ++looks_;
        if (!filling_.fits(option)) {
            const auto part = plan_.part_of[option];
            if (!filling_.is_used_up(part)) continue;
            while (k + 1 < all.size() && plan_.part_of[all[k + 1]] == part) ++k;  // options are sorted by their parts
            continue;
        }
        // open sides count those between its own cells too; hardness makes up for these
        const float value = plan_.hardness[option] - static_cast<float>(filling_.open_sides(option));
        scored_.emplace_back(greed * value + chance(), option);
    }
    std::sort(scored_.begin(), scored_.end());
    step.candidates.reserve(scored_.size());
    for (const auto& [value, option] : scored_) step.candidates.push_back(option);
    steps_.push_back(std::move(step));
}

void Searcher::clear() {
    for (; !steps_.empty(); steps_.pop_back())
        if (steps_.back().taken != none) filling_.remove(steps_.back().taken);
}

// Fill at random until the beam can begin. Returns false when it went back too often. The caller calls `clear`.
bool Searcher::head() {
    const auto most_left = std::max(most_left_, cells_of_tail(plan_, beam_parts));
    if (filling_.left <= most_left) return true;
    int backtracks = 0;
    open(filling_.next_open(0));
    while (true) {
        Step& step = steps_.back();
        if (step.taken != none) {
            filling_.remove(step.taken);
            step.taken = none;
            if (++backtracks > most_backtracks) return false;
        }
        bool went_on = false;
        while (!step.candidates.empty() && !went_on) {
            const auto option = step.candidates.back();
            step.candidates.pop_back();
            if (!filling_.take(option)) continue;
            step.taken = option;
            went_on = true;
        }
        if (!went_on) {
            steps_.pop_back();
            if (steps_.empty()) {  // all heads were tried
                end_without_cover();
                return false;
            }
            continue;
        }
        if (filling_.left <= most_left) return true;
        open(filling_.next_open(step.place));
    }
}

void Searcher::end_without_cover() {
    const std::lock_guard lock(shared_.mutex);
    shared_.exhausted = shared_.stopping = true;
}

// Find the options that the tail may still use.
void Searcher::find_live() {
    live_.clear();
    const auto add = [&](std::size_t place) {
        for (const auto option : beam_.starting_at_place(place))
            if (filling_.fits(option)) live_.push_back(option);
    };
    for (auto place = filling_.next_open(0); place < plan_.scanned.size(); place = filling_.next_open(place + 1))
        add(place);
    add(plan_.scanned.size());  // those without a scanned item
}

// How much room the live options leave: the more ways there are to place each part and to cover each cell, the better.
double Searcher::room() const {
    const Problem& problem = plan_.problem;
    std::vector<std::int32_t> held(problem.n_items(), 0);
    for (const auto option : live_)
        for (const auto item : plan_.items(option)) ++held[item];
    double score = 0;
    for (std::int32_t item = 0; item < problem.n_items(); ++item) {
        const auto more = problem.low[item] - filling_.used[item];
        if (more <= 0) continue;
        if (held[item] < more) return -INFINITY;
        score += std::log(static_cast<double>(held[item]));
    }
    return score;
}

// The ends of the beam that leave the most room, and how much.
std::vector<std::pair<double, std::size_t>> Searcher::roomiest_ends() {
    std::vector<std::pair<double, std::size_t>> ends;
    for (std::size_t end = 0; end < beam_.n_ends() && !stopping(); ++end) {
        beam_.path_to_end(end, chosen_);
        for (const auto option : chosen_) filling_.add(option);
        find_live();
        if (const double score = room(); score > -INFINITY) ends.emplace_back(score, end);
        for (const auto option : chosen_) filling_.remove(option);
        look(0);
    }
    std::sort(ends.begin(), ends.end(), [](auto a, auto b) { return a.first > b.first; });
    return ends;
}

// Search what the filling and *chosen* leave, exhaustively. Returns whether the search ended by itself without a cover.
bool Searcher::search_tail(const std::vector<std::int32_t>& chosen) {
    const Problem& problem = plan_.problem;
    for (const auto option : chosen) filling_.add(option);
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
        low[item] = std::max(0, problem.low[item] - filling_.used[item]);
        high[item] = problem.high[item] - filling_.used[item];
    }
    for (const auto option : chosen) filling_.remove(option);
    Problem rest;
    rest.option_starts = starts;
    rest.option_items = items;
    rest.low = low;
    rest.high = high;
    const CoverMatrix matrix(rest);
    if (!matrix.fits_bitmaps()) {
        shape_tail(tail_parts_ - 1);
        return false;
    }
    Tail tail(matrix, *this);
    tail.walk_with(unit_);
    shared_.branches += tail.total();
    tried_ += tail.total();
    work_ += static_cast<double>(tail.total());
    ++shared_.tails;
    shared_.cut += tail.cut;
    if (!tail.has_cover) return !tail.cut && !stopping();
    const std::lock_guard lock(shared_.mutex);
    if (!shared_.cover.empty()) return false;  // another thread was faster
    for (const auto& step : steps_) shared_.cover.push_back(step.taken);
    shared_.cover.insert(shared_.cover.end(), chosen.begin(), chosen.end());
    for (const auto row : tail.found_options) shared_.cover.push_back(live_[row]);
    shared_.stopping = true;
    return false;
}

// One head, and the best tails that it leads to.
void Searcher::search_once() {
    const bool ended = head();
    ++shared_.heads;
    look(0);
    if (!ended || stopping()) return;
    const auto asked = [this] {
        look(0);
        return stopping();
    };
    bool whole = beam_.run(static_cast<std::size_t>(width_), most_left_, looks_, asked) && steps_.empty();
    if (stopping()) return;
    width_ = std::min(largest_width, wider * width_);
    auto ends = roomiest_ends();
    if (ends.empty() && !whole) shape_tail(tail_parts_ + 1);  // so small a tail may never have room
    whole = whole && ends.size() <= tails_of_a_beam;
    for (std::size_t k = 0; k < std::min(ends.size(), tails_of_a_beam) && !stopping(); ++k) {
        // The last one is any of the rest, so that in the end every filling has its turn.
        if (k + 1 == tails_of_a_beam) std::swap(ends[k], ends[k + random_() % (ends.size() - k)]);
        beam_.path_to_end(ends[k].second, chosen_);
        whole = search_tail(chosen_) && whole;
    }
    if (stopping()) return;
    if (whole) return end_without_cover();  // everything was tried
    if (ends.empty()) return;
    // Heads and tails are to take about the same time. Looks and branches are counted, since a clock would make each
    // run another one.
    const double balance =
        std::log2((static_cast<double>(looks_) + 1) / (looks_for_a_branch * static_cast<double>(tried_) + 1));
    shape_tail(tail_parts_ + std::clamp(0.5 * balance, -2.0, 3.0));
    work_ += static_cast<double>(looks_) / looks_for_a_branch;
    looks_ = tried_ = 0;
}

void Searcher::search() {
    while (!stopping()) {
        search_once();
        clear();
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
        if (work() + static_cast<double>(more) >= static_cast<double>(limits_.branches) && !stopping())
            end(Stop::branch_limit);
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

RestartsOutcome restarts_search(const Problem& problem, const RestartsOptions& options, const Limits& limits,
                                Sink& sink) {
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
    std::vector<Thread> threads;
    const auto search_beside = [&](unsigned number) {
        try {
            Searcher(plan, unit, shared, options, number).search();
        } catch (...) {
            const std::lock_guard lock(shared.mutex);
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
    result.tails_cut = shared.cut;
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
