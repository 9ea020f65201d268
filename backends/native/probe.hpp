// Knuth's estimate of a search tree (Mathematics of Computation 29, 1975), from thinned copies of it.
//
// Knuth goes down to one child of each node and multiplies what he meets by the children passed over. Here a *group* of
// probes goes down together: of all the nodes of a level about `width` are entered, each with the same probability and
// evenly spaced over the level in the order of the search (systematic sampling). So a level with fewer nodes is walked in
// full, and a branch that leads to a large part of the tree keeps being met in proportion. Each node counts as the
// inverse of the probability to come to it, which makes the expectation exact whatever the probabilities are; they are chosen
// from what was met before: by narrow groups, from which little is taken but this.

#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "search.hpp"

namespace latcover {

// A tree of options as `walk_tree` (run.hpp) walks it, which can also pass options over.
class ProbedTree {
public:
    virtual ~ProbedTree() = default;
    virtual bool open() = 0;
    virtual bool next_option() = 0;
    virtual bool skip_option() = 0;  // as next_option, but the option is passed over; false when there is none
    virtual bool strands() = 0;
    virtual void close() = 0;
    virtual std::uint64_t most_children() const = 0;  // of the node just opened; never too few
    virtual std::uint64_t covers() const = 0;         // found so far
    virtual bool may_refuse() const = 0;              // whether `strands` is ever true
};

// Covers go nowhere: they are counted.
class NoSink final : public Sink {
public:
    bool covers(const Batch&) override { return true; }
    bool progress(double, const Statistics&) override { return true; }
};

template <typename Tree>
class Probed final : public ProbedTree {
public:
    template <typename Options>
    Probed(const Problem& problem, const Options& options) : tree_(problem, options, no_limits, sink_) {}

    bool open() override { return tree_.open(); }
    bool next_option() override { return tree_.next_option(); }
    bool skip_option() override { return tree_.skip_option(); }
    bool strands() override { return tree_.strands(); }
    void close() override { tree_.close(); }
    std::uint64_t most_children() const override { return tree_.most_children(); }
    std::uint64_t covers() const override { return tree_.covers_found(); }
    bool may_refuse() const override { return tree_.may_refuse(); }

private:
    static constexpr auto unlimited = std::numeric_limits<std::uint64_t>::max();
    static constexpr Limits no_limits{unlimited, unlimited, std::numeric_limits<double>::infinity()};
    NoSink sink_;
    Tree tree_;
};

struct ProbeOptions {
    std::uint64_t probes = 0;  // over all groups; 0: as many as go into `seconds`
    double seconds = 1;
    std::uint64_t seed = 0;
};

// What one group tells of the whole tree, as natural logarithms; minus infinity for none.
struct ProbeGroup {
    double branches;
    double covers;
};

struct ProbeOutcome {
    Stop stop = Stop::exhausted;  // or time_limit or cancelled, where not all groups were walked
    std::vector<ProbeGroup> groups;
    std::uint64_t probes = 0;
    bool whole = false;                // nothing was passed over: the only group is the tree itself
    std::uint64_t nodes = 0;           // entered by all groups, of the rounds that count
    std::uint64_t least_branches = 0;  // met by one group: there are as many at least
    std::uint64_t least_covers = 0;
    std::uint64_t covers = 0;          // met by them, the same one perhaps more than once
    std::int32_t deepest = 0;          // options chosen at once
    double seconds = 0;
};

// ensure: the same for the same tree, seed and number of probes, unless it is cancelled.
ProbeOutcome probe_tree(ProbedTree& tree, const ProbeOptions& options, Sink& sink);

}  // namespace latcover
