#include <algorithm>
#include <limits>

#include "turning/turning_apart.hpp"

namespace latcover {

int TurningShapes::add(std::vector<Cell> cells) {
    const std::unique_lock hold(lock_);
    return add_now(std::move(cells));
}

int TurningShapes::add_now(std::vector<Cell> cells) {
    std::vector<std::array<int, 4>> key;
    for (const Cell& cell : cells) key.push_back({cell.node, cell.at[0], cell.at[1], cell.at[2]});
    std::sort(key.begin(), key.end());
    const auto [found, is_new] = known_.try_emplace(std::move(key), size());
    if (is_new) {
        shapes_->add(cells);
        for (TurningAxis& axis : lattice_.axes) axis.turner->add(cells);
        cells_.push_back(std::move(cells));
    }
    return found->second;
}

PlacedShape TurningShapes::mapped(const PlacedShape& part, int map, const Vec& shift) {
    const LatticeMap& by = lattice_.maps[map];
    const auto placed = [&](const std::pair<int, Vec>& image) {
        const Vec turned = by.turned(part.place);
        PlacedShape found{image.first, {}};
        for (int k = 0; k < 3; ++k) found.place[k] = turned[k] + image.second[k] + shift[k];
        return found;
    };
    const std::pair key(part.shape, map);
    {
        const SharedLock hold(lock_);
        if (const auto found = mapped_.find(key); found != mapped_.end()) return placed(found->second);
    }
    const std::unique_lock hold(lock_);
    std::vector<Cell> cells;
    Vec least{std::numeric_limits<int>::max(), std::numeric_limits<int>::max(), std::numeric_limits<int>::max()};
    for (const Cell& cell : cells_[part.shape]) {
        cells.push_back(by.apply(cell));
        for (int k = 0; k < 3; ++k) least[k] = std::min(least[k], cells.back().at[k]);
    }
    for (Cell& cell : cells)
        for (int k = 0; k < 3; ++k) cell.at[k] -= least[k];
    return placed(mapped_.try_emplace(key, add_now(std::move(cells)), least).first->second);
}

const Barriers& TurningShapes::barriers(int one, int other) {
    const SharedLock hold(lock_);
    return shapes_->barriers(one, other);
}

std::uint64_t TurningShapes::asked() const {
    std::uint64_t sum = 0;
    for (const TurningAxis& axis : lattice_.axes) sum += axis.turner->asked();
    return sum;
}

std::shared_ptr<const Landings> TurningShapes::land(std::span<const TurningPart> moving,
                                                    std::span<const TurningPart> fixed, int axis, int turn) {
    const TurningAxis& about = lattice_.axes[axis];
    const AxisTurn& by = about.turns[turn];
    TurnLimits limits = lattice_.limits;
    limits.reach = about.reach;
    return about.turner->land(moving, fixed, by, lattice_.maps[by.map], about.shifts, limits);
}

void TurningShapes::strike(std::span<const TurningPart> moving, std::span<const TurningPart> fixed, int axis, int turn,
                           const Vec& shift) {
    const SharedLock hold(lock_);
    const TurningAxis& about = lattice_.axes[axis];
    const AxisTurn& by = about.turns[turn];
    about.turner->strike(moving, fixed, by, lattice_.maps[by.map], shift, about.reach);
}

void TurningShapes::restore() {
    const SharedLock hold(lock_);
    for (const TurningAxis& axis : lattice_.axes) axis.turner->restore();
}

}  // namespace latcover
