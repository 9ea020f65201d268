// The host's side of one walk: its levels, its memory, and exact figures.
//
// The kernel tries all children of a node in one go. This class computes the figures of a search that tries them one by
// one.

#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "bitset/cover_matrix.hpp"
#include "cover/search.hpp"
#include "kernel/kernel.hpp"
#include "kernel/kernel_units.hpp"

namespace latcover {

class HostedWalk : public Walk {
public:
    // `matrix` must outlive the walk.
    explicit HostedWalk(const CoverMatrix& matrix)
        : pace(branches_between_looks(matrix.n_rows())), matrix_(matrix),
          tried_(static_cast<std::size_t>(matrix.n_rows()) + 2), dead_(tried_.size()), levels_(tried_.size()) {
        levels = levels_.data();
        tried = tried_.data();
        dead = dead_.data();
        depth = watched = 0;
        watches_leave = stopped = counts = false;
        found = 0;
        pairs_from = 0;
        until_look = pace;
    }
    virtual ~HostedWalk() = default;
    HostedWalk(const HostedWalk&) = delete;
    HostedWalk& operator=(const HostedWalk&) = delete;

    void walk_with(const KernelUnit& unit) { unit.walk(matrix_.view(), *this); }

    void* allocate(std::size_t bytes) final {
        memory_.emplace_back(::operator new(bytes, std::align_val_t{alignment}));
        return memory_.back().get();
    }

    // By default a walk does nothing here.
    void look() override {}
    void leave() override {}
    void dead_root() override {}

    const std::vector<std::uint64_t>& tried_by_level() const { return tried_; }
    const std::vector<std::uint64_t>& dead_by_level() const { return dead_; }

protected:
    const std::int64_t pace;  // branches between looks

    // The number of options tried on levels[first] and below, where levels[0 .. n - 1] are open. Options that were
    // tried ahead of their visits are left out.
    std::uint64_t branches(std::uint32_t n, std::uint32_t first = 0) const {
        std::uint64_t sum = 0;
        for (std::size_t l = first; l < tried_.size() && tried_[l] > 0; ++l) sum += tried_[l];
        for (std::uint32_t l = first; l < n; ++l) sum -= ahead(levels_[l]);
        return sum;
    }

    std::int32_t deepest() const {
        return static_cast<std::int32_t>(std::find(tried_.begin(), tried_.end(), 0) - tried_.begin());
    }

    // Stop where levels[0 .. n - 1] are open. What was tried ahead is taken back, so that `tried` and `dead` are exact.
    void stop(std::uint32_t n) {
        if (stopped) return;
        stopped = true;
        for (std::uint32_t l = 0; l < n; ++l) {
            const Level& level = levels_[l];
            tried_[l] -= ahead(level);
            dead_[l] -= ahead(level) - static_cast<std::uint64_t>(level.end - level.next) / level.size;
        }
    }

    // The exact share that is done of the subtree below the node that opened levels[first]. The children of
    // levels[first .. n - 1] are being visited.
    double share(std::uint32_t first, std::uint32_t n) const {
        double share = 0, width = 1;
        for (std::uint32_t l = first; l < n; ++l) {
            width /= levels_[l].tried;
            share += width * levels_[l].rank;
        }
        return share;
    }

    // The share of the whole tree that lies below one child of levels[n - 1].
    double width(std::uint32_t n) const {
        double width = 1;
        for (std::uint32_t l = 0; l < n; ++l) width /= levels_[l].tried;
        return width;
    }

    // The level `at` was just opened, and none of its children has been visited. Give it the rank before the first
    // child.
    void nothing_visited(std::uint32_t at) { levels_[at].rank = ~std::uint32_t{0}; }

    const std::vector<Level>& open_levels() const { return levels_; }

    // A function that appends the options chosen on levels[0 .. n - 1] to a vector.
    auto cover_of(std::uint32_t n) const {
        return [this, n](std::vector<std::int32_t>& options) {
            for (std::uint32_t l = 0; l < n; ++l) options.push_back(matrix_.options[levels_[l].row]);
        };
    }

    const CoverMatrix& matrix_;
    std::vector<std::uint64_t> tried_, dead_;

private:
    static constexpr std::size_t alignment = 64;
    struct Free {
        void operator()(void* p) const { ::operator delete(p, std::align_val_t{alignment}); }
    };

    static std::uint64_t ahead(const Level& level) { return level.tried - level.rank - 1; }

    std::vector<Level> levels_;
    std::vector<std::unique_ptr<void, Free>> memory_;
};

}  // namespace latcover
