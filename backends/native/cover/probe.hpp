// Knuth's estimate of a search tree (Mathematics of Computation 29, 1975), from thinned copies of the tree.
//
// Knuth enters one child of each node, and multiplies what he meets by the number of children. Here a *group* of probes
// goes down together. Of all nodes of a level about `width` are entered. Each has the same probability, and they are
// evenly spaced over the level in the order of the search (systematic sampling). So a level with fewer nodes is walked
// in full, and a large part of the tree is met in proportion to its size. Each node counts as the inverse of the
// probability to come to it. So the expectation is exact, whatever the probabilities are. They are chosen from what
// narrower groups met before.

#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "cover/search.hpp"

namespace latcover {

// A tree of options as in walk_tree.hpp, which can also pass options over.
class ProbedTree {
public:
    virtual ~ProbedTree() = default;
    virtual bool open() = 0;
    virtual bool next_option() = 0;
    virtual bool skip_option() = 0;  // go on to the next option without taking it; false: there is none
    virtual bool strands() = 0;
    virtual void close() = 0;
    virtual std::uint64_t most_children() const = 0;  // at most so many children has the node just opened
    virtual std::uint64_t covers() const = 0;         // found so far
    virtual bool may_refuse() const = 0;              // whether `strands` can be true
};

// Drops the covers: probes only count them.
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
    std::uint64_t probes = 0;  // in all groups together; 0: as many as fit into `seconds`
    double seconds = 1;
    std::uint64_t seed = 0;
};

// The estimate of one group for the whole tree, as natural logarithms; minus infinity stands for none.
struct ProbeGroup {
    double branches;
    double covers;
};

struct Probes {
    Stop stop = Stop::exhausted;  // time_limit or cancelled if not all groups were walked
    std::vector<ProbeGroup> groups;
    std::uint64_t probes = 0;
    bool whole = false;                // nothing was passed over: the only group is the whole tree
    std::uint64_t nodes = 0;           // entered by the groups of all rounds that count
    std::uint64_t least_branches = 0;  // the most that one group met; the tree has at least as many
    std::uint64_t least_covers = 0;    // the same for covers
    std::uint64_t covers = 0;          // met by the groups of all rounds that count; some perhaps more than once
    std::int32_t deepest = 0;          // the most options chosen at once
    double seconds = 0;
};

// ensure: the same tree, seed and number of probes give the same outcome, unless the search is cancelled.
Probes probe_tree(ProbedTree& tree, const ProbeOptions& options, Sink& sink);

}  // namespace latcover
