// The kernel's host on one thread.

#include "bitset.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <stdexcept>

#include "cover_matrix.hpp"
#include "dlx.hpp"
#include "kernel_units.hpp"
#include "run.hpp"

namespace latcover {
namespace {

constexpr std::int64_t branches_between_looks = 512;

const KernelUnit& unit_named(const std::string& name) {
    for (const KernelUnit& unit : kernel_units)
        if (unit.name == name && unit.runs_here()) return unit;
    throw std::invalid_argument("no kernel " + name + " runs here");
}

struct FreeAligned {
    void operator()(void* p) const { ::operator delete(p, std::align_val_t{64}); }
};

// Levels, memory, and exact figures: the kernel tries the children of a node in one go, and this tells what a search
// that tries them one by one would have done so far.
class HostedWalk : public Walk {
public:
    explicit HostedWalk(std::int32_t n_rows)
        : levels_(static_cast<std::size_t>(n_rows) + 2), tried_(levels_.size()), dead_(levels_.size()) {
        levels = levels_.data();
        tried = tried_.data();
        dead = dead_.data();
        depth = watched = 0;
        watches_leave = stopped = false;
        until_look = branches_between_looks;
    }
    virtual ~HostedWalk() = default;

    void* allocate(std::size_t bytes) final {
        memory_.emplace_back(::operator new(bytes, std::align_val_t{64}));
        return memory_.back().get();
    }

    // Options tried, those of levels[0 .. n - 1] up to the child now visited, and none below `level n` that are ahead.
    std::uint64_t branches(std::uint32_t n) const {
        std::uint64_t sum = 0;
        for (const auto by_level : tried_) {
            if (by_level == 0) break;
            sum += by_level;
        }
        for (std::uint32_t l = 0; l < n; ++l) sum -= ahead(levels_[l]);
        return sum;
    }

    // Take back what was tried ahead of the visits, so that `tried` and `dead` are exact.
    void settle(std::uint32_t n) {
        for (std::uint32_t l = 0; l < n; ++l) {
            const Level& level = levels_[l];
            tried_[l] -= ahead(level);
            dead_[l] -= ahead(level) - static_cast<std::uint64_t>(level.end - level.next) / level.size;
        }
    }

    // The exact part of the tree that is done, where levels[0 .. n - 1] are open and their children are being visited.
    double share(std::uint32_t n) const {
        double share = 0, width = 1;
        for (std::uint32_t l = 0; l < n; ++l) {
            width /= levels_[l].tried;
            share += width * levels_[l].rank;
        }
        return share;
    }

protected:
    static std::uint64_t ahead(const Level& level) { return level.tried - level.rank - 1; }

    // The level just opened, none of whose children has been visited: its rank is made to say so.
    void nothing_visited(std::uint32_t at) { levels_[at].rank = ~std::uint32_t{0}; }

    std::vector<Level> levels_;
    std::vector<std::uint64_t> tried_, dead_;
    std::vector<std::unique_ptr<void, FreeAligned>> memory_;
};

class SoloWalk final : public HostedWalk {
public:
    SoloWalk(const CoverMatrix& matrix, const Limits& limits, Sink& sink)
        : HostedWalk(matrix.n_rows()), matrix_(matrix), run_(limits, sink), most_branches_(limits.branches) {}

    Outcome search(const KernelUnit& unit) {
        if (run_.start()) {
            plan();
            unit.walk(matrix_.view(), *this);
        } else {
            stopped = true;
        }
        Statistics& statistics = run_.statistics;
        for (const auto by_level : tried_) {
            if (by_level == 0) break;
            statistics.branches_by_level.push_back(by_level);
        }
        statistics.branches = branches(0);
        statistics.deepest = static_cast<std::int32_t>(statistics.branches_by_level.size());
        for (const auto by_level : dead_) statistics.dead_ends += by_level;
        return run_.finish();
    }

    void cover(std::uint32_t n) override {
        run_.cover([&](std::vector<std::int32_t>& options) {
            for (std::uint32_t l = 0; l < n; ++l) options.push_back(matrix_.options[levels_[l].row]);
        });
        if (run_.stopped()) stop(n);
    }

    void look() override {
        nothing_visited(depth);
        if (branches(0) >= most_branches_) watch_every_branch();
        check(depth + 1, depth);
    }

    // Only near the limit of branches: what the kernel has tried ahead would pass it, and the exact figure has not.
    bool enter() override {
        const auto exact = branches(depth + 1);
        if (exact > most_branches_) give_up(depth + 1, exact - most_branches_, 1);
        return !stopped;
    }

    void leave() override {
        const auto exact = branches(depth);
        if (exact >= most_branches_) give_up(depth, exact - most_branches_, 0);
    }

    void dead_root() override { run_.statistics.dead_ends = 1; }

private:
    void check(std::uint32_t n, std::uint32_t n_visited) {
        run_.statistics.branches = branches(n);
        run_.look([&] { return share(n_visited); });
        if (run_.stopped()) stop(n);
        else plan();
    }

    void plan() {
        until_look = branches_between_looks;
        if (const auto left = most_branches_ - branches(0); left < static_cast<std::uint64_t>(branches_between_looks))
            until_look = static_cast<std::int64_t>(left) - 1;
        if (watches_leave) until_look = 0;
    }

    void watch_every_branch() {
        watched = ~std::uint32_t{0};
        watches_leave = true;
    }

    // The last branches on level `depth`, so many, were one too many; of these so many were not dead.
    void give_up(std::uint32_t n, std::uint64_t excess, std::uint64_t alive) {
        run_.statistics.branches = most_branches_;
        run_.look([] { return 1.0; });
        stop(n);
        tried_[depth] -= excess;
        dead_[depth] -= excess - alive;
    }

    void stop(std::uint32_t n) {
        stopped = true;
        settle(n);
    }

    const CoverMatrix& matrix_;
    Run run_;
    std::uint64_t most_branches_;
};

}  // namespace

std::vector<KernelName> kernels() {
    std::vector<KernelName> names;
    for (const KernelUnit& unit : kernel_units) names.push_back({unit.name, unit.runs_here()});
    return names;
}

BitsetOutcome bitset_search(const Problem& problem, const BitsetOptions& options, const Limits& limits, Sink& sink) {
    const KernelUnit& unit = unit_named(options.kernel);
    const CoverMatrix matrix(problem);
    if (auto note = matrix.too_large(); !note.empty())
        return {dlx_search(problem, DlxOptions{true}, limits, sink), "", std::move(note)};
    SoloWalk walk(matrix, limits, sink);
    return {walk.search(unit), unit.name, ""};
}

}  // namespace latcover
