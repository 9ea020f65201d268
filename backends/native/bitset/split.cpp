#include "bitset/split.hpp"

#include <limits>

namespace latcover {
namespace {

constexpr std::uint64_t subproblems_per_thread = 100;

// Counts the subproblems at a depth, and those up to the end of a path.
class CountingWalk final : public HostedWalk {
public:
    CountingWalk(const CoverMatrix& matrix, const std::vector<std::uint32_t>& path, std::uint32_t depth)
        : HostedWalk(matrix), path_(path) {
        split_.depth = watched = depth;
        until_look = std::numeric_limits<std::int64_t>::max();
    }

    const Split& split() const { return split_; }

    bool enter() override {
        if (depth + 1 < split_.depth) return true;
        count(split_.depth);
        return false;
    }

    // Such a cover has fewer options than the depth: the walk enters no deeper node.
    void cover(std::uint32_t n) override { count(n); }

private:
    void count(std::uint32_t n) {
        ++split_.n_subproblems;
        const auto& levels = open_levels();
        for (std::uint32_t l = 0; l < n; ++l)
            if (levels[l].rank != path_[l]) {
                split_.n_before += levels[l].rank < path_[l];
                return;
            }
        ++split_.n_before;
    }

    const std::vector<std::uint32_t>& path_;
    Split split_;
};

}  // namespace

Split split_tree(const CoverMatrix& matrix, const KernelUnit& unit, const std::vector<std::uint32_t>& path,
                 unsigned threads) {
    Split split;
    for (std::uint32_t depth = 1; depth <= path.size(); ++depth) {
        CountingWalk walk(matrix, path, depth);
        walk.walk_with(unit);
        split = walk.split();
        if (split.n_subproblems >= subproblems_per_thread * threads) break;
    }
    return split;
}

}  // namespace latcover
