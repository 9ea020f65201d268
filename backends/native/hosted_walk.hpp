// The host's side of one walk: its levels, its memory, and exact figures. The kernel tries the children of a node in one
// go; here is told what a search that tries them one by one would have done so far.

#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "kernel.hpp"

namespace latcover {

class HostedWalk : public Walk {
public:
    static constexpr std::int64_t branches_between_looks = 512;

    explicit HostedWalk(std::int32_t n_rows)
        : tried_(static_cast<std::size_t>(n_rows) + 2), dead_(tried_.size()), levels_(tried_.size()) {
        levels = levels_.data();
        tried = tried_.data();
        dead = dead_.data();
        depth = watched = 0;
        watches_leave = stopped = counts = false;
        found = 0;
        pairs_from = 0;
        until_look = branches_between_looks;
    }
    virtual ~HostedWalk() = default;
    HostedWalk(const HostedWalk&) = delete;
    HostedWalk& operator=(const HostedWalk&) = delete;

    void* allocate(std::size_t bytes) final {
        memory_.emplace_back(::operator new(bytes, std::align_val_t{alignment}));
        return memory_.back().get();
    }

    const std::vector<std::uint64_t>& tried_by_level() const { return tried_; }
    const std::vector<std::uint64_t>& dead_by_level() const { return dead_; }

protected:
    // Options tried from level `first` on, where levels[0 .. n - 1] are open, less those tried ahead of the visits.
    std::uint64_t branches(std::uint32_t n, std::uint32_t first = 0) const {
        std::uint64_t sum = 0;
        for (std::size_t l = first; l < tried_.size() && tried_[l] > 0; ++l) sum += tried_[l];
        for (std::uint32_t l = first; l < n; ++l) sum -= ahead(levels_[l]);
        return sum;
    }

    // Take back what was tried ahead, so that `tried` and `dead` are exact.
    void settle(std::uint32_t n) {
        for (std::uint32_t l = 0; l < n; ++l) {
            const Level& level = levels_[l];
            tried_[l] -= ahead(level);
            dead_[l] -= ahead(level) - static_cast<std::uint64_t>(level.end - level.next) / level.size;
        }
    }

    // The exact part of a tree that is done, where the children of levels[first .. n - 1] are being visited and the tree
    // is what lies below the node that opened levels[first].
    double share(std::uint32_t first, std::uint32_t n) const {
        double share = 0, width = 1;
        for (std::uint32_t l = first; l < n; ++l) {
            width /= levels_[l].tried;
            share += width * levels_[l].rank;
        }
        return share;
    }

    // The part of the whole tree that lies below a child of levels[n - 1].
    double width(std::uint32_t n) const {
        double width = 1;
        for (std::uint32_t l = 0; l < n; ++l) width /= levels_[l].tried;
        return width;
    }

    // The level `at` was just opened, and none of its children has been visited: its rank is made to say so.
    void nothing_visited(std::uint32_t at) { levels_[at].rank = ~std::uint32_t{0}; }

    const std::vector<Level>& open_levels() const { return levels_; }

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
