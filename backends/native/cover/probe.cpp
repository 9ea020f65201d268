#include "cover/probe.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <random>
#include <utility>

#include "cover/progress.hpp"

namespace latcover {
namespace {

constexpr double log_of_zero = -std::numeric_limits<double>::infinity();
constexpr std::uint64_t most_groups = 32;
constexpr double most_overshoot = 16;    // nodes entered, as a multiple of those planned
constexpr double least_plan = 512;       // nodes
constexpr double narrowest_counted = 8;  // a round counts if it is at most so many times narrower than the last one
constexpr double most_overtime = 2.5;    // multiple of the given seconds after which no group begins
constexpr double last_overtime = 5;      // multiple of the given seconds after which a group is given up
constexpr std::uint64_t nodes_between_looks = 64;
constexpr double most_width = 1e9;

// The logarithm of a sum of numbers that are themselves too large for a double.
class LogSum {
public:
    void add(double log) {
        if (log == log_of_zero) return;
        if (log > scale_) {
            sum_ *= std::exp(scale_ - log);
            scale_ = log;
            ++sum_;
        } else {
            sum_ += log == scale_ ? 1 : std::exp(log - scale_);
        }
    }
    double log() const { return sum_ > 0 ? scale_ + std::log(sum_) : log_of_zero; }

private:
    double scale_ = log_of_zero, sum_ = 0;
};

// The processor time of this process. It does not grow while other processes are busy.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Frame {
    double log_weight;   // of the node: how many nodes of the tree it stands for
    double probability;  // that a child of the node is entered
};

struct Round {
    double width;  // of each group
    std::vector<ProbeGroup> groups;
    std::uint64_t nodes, covers;
};

class Probe {
public:
    Probe(ProbedTree& tree, const ProbeOptions& options, Sink& sink)
        : tree_(tree), options_(options), refuses_(tree.may_refuse()), progress_(sink), random_(options.seed) {}

    Probes run();

private:
    bool round(double width);
    void combine();
    bool group(double width);
    void plan(double width);
    bool open(double log_weight);
    bool advance();
    void thin_more();
    bool look();
    void learn(double width);
    double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
    bool by_clock() const { return options_.probes == 0; }
    double probability_below(std::size_t depth) const;

    ProbedTree& tree_;
    const ProbeOptions& options_;
    const bool refuses_;  // if so, only an option that was taken is known to be a branch
    Progress progress_;
    std::mt19937_64 random_;
    Clock clock_;
    Stop cut_ = Stop::exhausted;  // why the group now walked was stopped
    std::uint64_t next_look_ = 0;
    std::uint64_t n_groups_ = 0;
    std::vector<Round> rounds_;
    double probes_done_ = 0;
    std::uint64_t nodes_done_ = 0, covers_done_ = 0;
    Probes out_;

    // By level; the root has level 0.
    std::vector<LogSum> inner_;  // nodes with children, and covers: summed over all groups, weighted by their widths
    std::vector<double> probability_;  // that a node of the level is entered; unknown for deeper levels
    std::vector<double> due_;          // a child is entered when this comes to 1
    std::vector<LogSum> inner_of_group_;
    double log_widths_ = log_of_zero;

    // Of the group now walked.
    std::vector<Frame> frames_;
    LogSum branches_, covers_;
    std::uint64_t branches_met_ = 0, covers_met_ = 0, nodes_ = 0, next_thinning_ = 0;
    double planned_ = 0;
    double thinner_ = 1;
    bool whole_ = true;
};

// There are rounds of groups, and each round is twice as wide as the one before. What a round meets decides how to thin
// the next one. The time that it takes decides how many more rounds fit. The last round takes all that is left, up to
// three times the width due.
Probes Probe::run() {
    n_groups_ = by_clock() ? most_groups : std::min(options_.probes, most_groups);
    const auto groups = static_cast<double>(n_groups_);
    double left = by_clock() ? most_width : static_cast<double>(options_.probes) / groups;
    for (double width = 1; left >= width; width *= 2) {
        const bool last = left < 3 * width;
        const double chosen = last ? std::floor(left * groups) / groups : width;
        const double before = processor_seconds();
        const bool finished = round(chosen);
        if (out_.whole || !finished || last) break;
        if (by_clock()) {
            const double each = std::max(1e-9, processor_seconds() - before) / chosen;
            left = std::min(most_width, std::max(0.0, options_.seconds - clock_.seconds()) / each);
        } else {
            left -= chosen;
        }
    }
    combine();
    out_.stop = out_.whole ? Stop::exhausted : cut_;
    out_.seconds = clock_.seconds();
    return std::move(out_);
}

// Walk one round. Returns false when the round was stopped. Then it does not count; but if it is the first round, its
// finished groups count.
bool Probe::round(double width) {
    Round now{width, {}, 0, 0};
    const auto keep = [&] {
        if (!now.groups.empty()) rounds_.push_back(std::move(now));
    };
    while (now.groups.size() < n_groups_) {
        const bool late = by_clock() && clock_.seconds() >= options_.seconds * most_overtime;
        if (late && rounds_.empty() && !now.groups.empty()) cut_ = Stop::time_limit;
        if ((late && !rounds_.empty()) || cut_ != Stop::exhausted || !group(width)) {
            if (rounds_.empty()) keep();
            return false;
        }
        if ((out_.whole = whole_)) {  // the whole tree tells more than all groups before
            rounds_.clear();
            now = {width, {}, 0, 0};
        }
        now.groups.push_back({branches_.log(), covers_.log()});
        now.nodes += nodes_;
        now.covers += covers_met_;
        probes_done_ += width;
        nodes_done_ += nodes_;
        covers_done_ += covers_met_;
        out_.least_branches = std::max(out_.least_branches, branches_met_);
        out_.least_covers = std::max(out_.least_covers, covers_met_);
        if (whole_) break;
    }
    keep();
    return true;
}

// The estimate of a group is its mean over the rounds that count, weighted by their widths. Narrow rounds knew too
// little to count.
void Probe::combine() {
    if (rounds_.empty()) return;
    const double least = rounds_.back().width / narrowest_counted;
    std::vector<LogSum> branches(rounds_.back().groups.size()), covers(branches.size());
    double widths = 0, probes = 0;
    for (const Round& round : rounds_) {
        probes += round.width * static_cast<double>(round.groups.size());
        if (round.width < least) continue;
        widths += round.width;
        out_.nodes += round.nodes;
        out_.covers += round.covers;
        for (std::size_t g = 0; g < branches.size(); ++g) {
            branches[g].add(round.groups[g].branches + std::log(round.width));
            covers[g].add(round.groups[g].covers + std::log(round.width));
        }
    }
    for (std::size_t g = 0; g < branches.size(); ++g)
        out_.groups.push_back({branches[g].log() - std::log(widths), covers[g].log() - std::log(widths)});
    out_.probes = static_cast<std::uint64_t>(std::llround(probes));
}

// Walk a thinned copy of the tree. Returns false when the walk was stopped.
bool Probe::group(double width) {
    plan(width);
    bool descend = true;
    do {
        if (descend)
            descend = open(frames_.empty() ? 0 : frames_.back().log_weight - std::log(frames_.back().probability));
        if (frames_.empty()) break;
        if (nodes_ >= next_look_ && !look()) return false;
        if (nodes_ >= next_thinning_) thin_more();
        descend = advance();
        if (!descend) {
            tree_.close();
            frames_.pop_back();
        }
    } while (true);
    learn(width);
    return true;
}

// Plan a group. Deep nodes are cheap, and few of them are covers. So the group is wider on deeper levels, and `width`
// on average.
void Probe::plan(double width) {
    probability_.clear();
    double entered = 0;  // logarithm of the probability that a node of the level is entered
    double planned = 1;
    for (const LogSum& level : inner_) {
        const double nodes = level.log() - log_widths_;
        if (nodes == log_of_zero) break;
        const double slope = 2 * static_cast<double>(probability_.size() + 1) / static_cast<double>(inner_.size());
        const double wanted = std::min(entered, std::log(std::max(1.0, width * slope)) - nodes);
        probability_.push_back(std::exp(wanted - entered));
        planned += std::exp(nodes + wanted);
        entered = wanted;
    }
    for (double& due : due_) due = uniform();
    thinner_ = 1;
    planned_ = std::max(least_plan, most_overshoot * std::max(planned, width * static_cast<double>(inner_.size())));
    nodes_ = 0;
    next_look_ = nodes_between_looks;
    next_thinning_ = static_cast<std::uint64_t>(planned_);
    branches_ = covers_ = LogSum();
    branches_met_ = covers_met_ = 0;
    inner_of_group_.assign(inner_.size(), LogSum());
    whole_ = true;
}

// The probability to enter a child of a node at this depth. One level below the deepest known one all children are
// entered, because all that were met so far were dead. On levels below, one child of each node is entered, as Knuth
// does.
double Probe::probability_below(std::size_t depth) const {
    if (depth + 1 < probability_.size()) return thinner_ * probability_[depth + 1];
    if (depth + 1 == probability_.size()) return thinner_;
    return thinner_ / static_cast<double>(std::max<std::uint64_t>(1, tree_.most_children()));
}

bool Probe::open(double log_weight) {
    const std::size_t depth = frames_.size();
    const auto covers = tree_.covers();
    const bool opened = tree_.open();
    ++nodes_;
    const bool found = tree_.covers() > covers;
    if (found) {
        covers_.add(log_weight);
        ++covers_met_;
    }
    out_.deepest = std::max(out_.deepest, static_cast<std::int32_t>(depth));
    if (opened || found) {
        if (inner_of_group_.size() <= depth) inner_of_group_.resize(depth + 1);
        inner_of_group_[depth].add(log_weight);
    }
    if (!opened) return false;
    frames_.push_back({log_weight, probability_below(depth)});
    while (due_.size() <= depth) due_.push_back(uniform());
    return true;
}

// Pass over children of the node opened last, and enter the next one that is due. Returns false when there is none.
bool Probe::advance() {
    const Frame& frame = frames_.back();
    double& due = due_[frames_.size() - 1];
    while (true) {
        const double then = due + frame.probability;
        const bool enter = then >= 1;
        if (!(enter ? tree_.next_option() : tree_.skip_option())) return false;
        due = enter ? then - 1 : then;
        whole_ = whole_ && enter;
        if (!refuses_) {
            branches_.add(frame.log_weight);
            ++branches_met_;
        }
        if (!enter) continue;
        if (refuses_) {
            if (tree_.strands()) continue;
            branches_.add(frame.log_weight - std::log(frame.probability));
            ++branches_met_;
        }
        return true;
    }
}

// The group grows far beyond its plan, so the rest of it is thinned once more. All spacings begin anew. So every node
// is still entered with the probability that its weight assumes.
void Probe::thin_more() {
    thinner_ /= 2;
    for (Frame& frame : frames_) frame.probability /= 2;
    for (double& due : due_) due = uniform();
    next_thinning_ = nodes_ + static_cast<std::uint64_t>(planned_);
}

// Look at the clock, and report the progress. Returns false when the group is to stop.
bool Probe::look() {
    next_look_ = nodes_ + nodes_between_looks;
    const double now = clock_.seconds();
    if (!progress_.is_due(now)) return true;
    Statistics figures;
    figures.branches = nodes_done_ + nodes_;
    figures.covers = covers_done_ + covers_met_;
    const double done = by_clock() ? now / options_.seconds : probes_done_ / static_cast<double>(options_.probes);
    if (!progress_.tell(now, done, std::move(figures))) cut_ = Stop::cancelled;
    else if (by_clock() && now >= options_.seconds * last_overtime) cut_ = Stop::time_limit;
    return cut_ == Stop::exhausted;
}

// Add what a group has met to what is known of each level.
void Probe::learn(double width) {
    if (inner_.size() < inner_of_group_.size()) inner_.resize(inner_of_group_.size());
    for (std::size_t level = 0; level < inner_of_group_.size(); ++level)
        inner_[level].add(inner_of_group_[level].log() + std::log(width));
    LogSum widths;
    widths.add(log_widths_);
    widths.add(std::log(width));
    log_widths_ = widths.log();
}

}  // namespace

Probes probe_tree(ProbedTree& tree, const ProbeOptions& options, Sink& sink) {
    return Probe(tree, options, sink).run();
}

}  // namespace latcover
