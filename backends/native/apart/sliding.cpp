#include "apart/sliding.hpp"

#include <algorithm>
#include <limits>
#include <memory>

namespace latcover {

namespace {

struct Box {
    Vec least{std::numeric_limits<int>::max(), std::numeric_limits<int>::max(), std::numeric_limits<int>::max()};
    Vec most{std::numeric_limits<int>::min(), std::numeric_limits<int>::min(), std::numeric_limits<int>::min()};

    void add(const Vec& v) {
        for (int k = 0; k < 3; ++k) {
            least[k] = std::min(least[k], v[k]);
            most[k] = std::max(most[k], v[k]);
        }
    }
};

}  // namespace

int Shapes::add(std::vector<Cell> cells) {
    const std::unique_lock hold(lock_);
    shapes_.push_back(std::move(cells));
    return static_cast<int>(shapes_.size()) - 1;
}

const Barriers& Shapes::barriers(int one, int other) {
    const std::uint64_t key = static_cast<std::uint64_t>(one) << 32 | static_cast<std::uint32_t>(other);
    {
        const SharedLock hold(lock_);
        const auto found = barriers_.find(key);
        if (found != barriers_.end()) return *found->second;
    }
    auto made_now = std::make_unique<Barriers>();
    for (std::size_t d = 0; d < directions_.size(); ++d)
        made_now->push_back(made(static_cast<int>(d), shapes_[one], shapes_[other]));
    const std::unique_lock hold(lock_);
    return *barriers_.try_emplace(key, std::move(made_now)).first->second;
}

Barrier Shapes::made(int direction, const std::vector<Cell>& one, const std::vector<Cell>& other) const {
    const Direction& along = directions_[direction];
    const auto* hits = &hits_[static_cast<std::size_t>(direction) * n_nodes_ * n_nodes_];
    std::vector<std::vector<Vec>> mapped_hits(static_cast<std::size_t>(n_nodes_) * n_nodes_);
    std::vector<bool> ready(mapped_hits.size());
    std::vector<Vec> ones, others;
    Box box_one, box_other, box_hits;
    for (const Cell& cell : one) box_one.add(ones.emplace_back(along.mapped(cell.at)));
    for (const Cell& cell : other) box_other.add(others.emplace_back(along.mapped(cell.at)));
    for (const Cell& a : one)
        for (const Cell& b : other) {
            const auto k = static_cast<std::size_t>(a.node) * n_nodes_ + b.node;
            if (ready[k]) continue;
            ready[k] = true;
            for (const Vec& x : hits[k]) box_hits.add(mapped_hits[k].emplace_back(along.mapped(x)));
        }
    Barrier barrier{};
    barrier.words = 1;
    if (box_hits.least[0] > box_hits.most[0]) return barrier;  // these cells never meet
    Vec least, size;
    for (int k = 0; k < 3; ++k) {
        least[k] = box_one.least[k] - box_other.most[k] + box_hits.least[k];
        size[k] = box_one.most[k] - box_other.least[k] + box_hits.most[k] - least[k] + 1;
    }
    barrier.least_t = least[0];
    barrier.least_1 = least[1];
    barrier.least_2 = least[2];
    barrier.size_t_ = size[0];
    barrier.size_1 = size[1];
    barrier.size_2 = size[2];
    barrier.words = (size[0] + 63) / 64;
    barrier.bits.assign(static_cast<std::size_t>(size[1]) * size[2] * barrier.words, 0);
    for (std::size_t i = 0; i < one.size(); ++i)
        for (std::size_t j = 0; j < other.size(); ++j) {
            Vec base;
            for (int k = 0; k < 3; ++k) base[k] = ones[i][k] - others[j][k] - least[k];
            for (const Vec& x : mapped_hits[static_cast<std::size_t>(one[i].node) * n_nodes_ + other[j].node]) {
                const int t = base[0] + x[0];
                const auto row = static_cast<std::size_t>(base[1] + x[1]) * size[2] + (base[2] + x[2]);
                barrier.bits[row * barrier.words + (t >> 6)] |= std::uint64_t{1} << (t & 63);
            }
        }
    return barrier;
}

}  // namespace latcover
