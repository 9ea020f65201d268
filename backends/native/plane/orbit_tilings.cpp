#include "plane/orbit_tilings.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace latcover {

namespace {

constexpr std::uint64_t between_looks = 256;  // nodes

std::vector<PlaneCell> images(const PlaneTurns& turns, Motion motion, const std::vector<PlaneCell>& cells) {
    std::vector<PlaneCell> found;
    for (const PlaneCell cell : cells) found.push_back(turns.apply(motion, cell));
    return found;
}

std::vector<PlaneCell> sorted(std::vector<PlaneCell> cells) {
    std::sort(cells.begin(), cells.end(), [](const PlaneCell& p, const PlaneCell& q) {
        return p.node != q.node ? p.node < q.node : p.x != q.x ? p.x < q.x : p.y < q.y;
    });
    return cells;
}

}  // namespace

OrbitSearch::OrbitSearch(const PlaneTurns& turns, OrbitShapes shapes) : turns_(turns), shapes_(std::move(shapes)) {
    list_orientations();
}

void OrbitSearch::list_orientations() {
    for (std::size_t s = 0; s < shapes_.cells.size(); ++s) {
        std::vector<Orientation> found;
        for (int turn = 0; turn < turns_.size(); ++turn) {
            const auto own = sorted(images(turns_, {turn, 0, 0}, shapes_.cells[s]));
            bool known = false;
            for (Orientation& other : found) {
                const Motion moved{turn, other.cells[0].x - own[0].x, other.cells[0].y - own[0].y};
                if (sorted(images(turns_, moved, shapes_.cells[s])) != other.cells) continue;
                other.same.push_back(moved);
                known = true;
                break;
            }
            if (!known) found.push_back({{turn, 0, 0}, own, {{turn, 0, 0}}});
        }
        auto& allowed = shapes_.allowed[s];
        for (const Orientation& each : found) {
            const bool any = std::any_of(each.same.begin(), each.same.end(), [&](Motion m) { return allowed[m.turn]; });
            for (const Motion m : each.same) allowed[m.turn] = any;
        }
        std::erase_if(found, [&](const Orientation& each) { return !allowed[each.motion.turn]; });
        orientations_.push_back(std::move(found));
    }
}

OrbitAnswer OrbitSearch::run(int most_classes, std::uint64_t most_nodes, const std::function<bool()>& goes_on) {
    most_classes_ = most_classes;
    most_nodes_ = most_nodes;
    goes_on_ = &goes_on;
    answer_ = {};
    generators_.clear();
    tiles_ = {{0, {0, 0, 0}}};
    std::size_t most_cells = 0;
    for (const auto& cells : shapes_.cells) most_cells = std::max(most_cells, cells.size());
    std::size_t size = 64;
    while (size < 4 * most_cells * most_classes * turns_.size()) size *= 2;
    table_.assign(size, {});
    stamp_ = 0;
    walk(0);
    return answer_;
}

// Returns whether the search is over.
bool OrbitSearch::walk(int depth) {
    if (++answer_.nodes > most_nodes_ || (answer_.nodes % between_looks == 0 && !(*goes_on_)())) {
        answer_.end = OrbitEnd::cut;
        return true;
    }
    group_ = generated(turns_, generators_);
    if (!occupy()) return false;
    bool closed = false;
    std::vector<Child> next;
    children(next, closed);
    if (closed) {
        if (!is_done()) return false;
        answer_.end = OrbitEnd::found;
        answer_.tiling = {group_, tiles_};
        return true;
    }
    for (const Child& child : next) {
        if (child.generator) generators_.push_back(*child.generator);
        else tiles_.push_back(child.tile);
        if (walk(depth + 1)) return true;
        if (child.generator) generators_.pop_back();
        else tiles_.pop_back();
    }
    return false;
}

bool OrbitSearch::is_done() const {
    for (std::size_t s = 0; s < shapes_.cells.size(); ++s)
        if (std::none_of(tiles_.begin(), tiles_.end(),
                         [&](const PlaneTile& tile) { return tile.shape == static_cast<std::int32_t>(s); }))
            return false;
    return true;
}

OrbitSearch::Held& OrbitSearch::slot(PlaneCell folded) {
    const std::uint64_t key = static_cast<std::uint64_t>(static_cast<std::uint32_t>(folded.x)) * 0x9E3779B97F4A7C15u ^
                              static_cast<std::uint64_t>(static_cast<std::uint32_t>(folded.y)) * 0xC2B2AE3D27D4EB4Fu ^
                              static_cast<std::uint64_t>(folded.node) * 0x165667B19E3779F9u;
    std::size_t at = (key >> 32 ^ key >> 15) & (table_.size() - 1);
    while (table_[at].stamp == stamp_ && table_[at].cell != folded) at = (at + 1) & (table_.size() - 1);
    return table_[at];
}

// Lay the orbits of all tiles; false if two tiles overlap, or tiles of two classes are one.
bool OrbitSearch::occupy() {
    ++stamp_;
    int number = 0;
    for (std::size_t k = 0; k < tiles_.size(); ++k)
        for (const Motion motion : group_.motions) {
            const PlaneTile image{tiles_[k].shape, turns_.after(motion, tiles_[k].motion)};
            if (!shapes_.allowed[image.shape][image.motion.turn] || !place(image, static_cast<int>(k), number++))
                return false;
        }
    return true;
}

bool OrbitSearch::place(PlaneTile tile, int tile_class, int number) {
    const auto& cells = shapes_.cells[tile.shape];
    bool again = false;
    std::int32_t x = 0, y = 0, known = -1;  // how far the same tile lies away, if it is there already
    for (std::size_t k = 0; k < cells.size(); ++k) {
        const PlaneCell actual = turns_.apply(tile.motion, cells[k]);
        const PlaneCell folded = group_.translations.fold(actual);
        Held& held = slot(folded);
        if (held.stamp != stamp_) {
            if (again) return false;
            held = {folded, actual, number, tile_class, stamp_};
            continue;
        }
        if (held.tile_class != tile_class || held.tile == number) return false;
        const std::int32_t dx = actual.x - held.actual.x, dy = actual.y - held.actual.y;
        if (k == 0) {
            again = true;
            x = dx;
            y = dy;
            known = held.tile;
        } else if (!again || dx != x || dy != y || held.tile != known) {
            return false;
        }
    }
    return true;
}

bool OrbitSearch::fits(const Orientation& orientation, std::int32_t x, std::int32_t y) {
    return std::all_of(orientation.cells.begin(), orientation.cells.end(), [&](PlaneCell cell) {
        return is_free(group_.translations.fold({cell.node, cell.x + x, cell.y + y}));
    });
}

// The ways to cover the cell beside a tile that can be covered in the fewest ways; `closed` if all are covered.
void OrbitSearch::children(std::vector<Child>& found, bool& closed) {
    closed = true;
    std::vector<Child> ways;
    std::vector<PlaneCell> seen;
    for (const PlaneTile& tile : tiles_)
        for (const PlaneCell cell : shapes_.cells[tile.shape]) {
            const PlaneCell own = turns_.apply(tile.motion, cell);
            for (const PlaneCell step : shapes_.beside[own.node]) {
                const PlaneCell beside{step.node, own.x + step.x, own.y + step.y};
                const PlaneCell folded = group_.translations.fold(beside);
                if (!is_free(folded) || std::find(seen.begin(), seen.end(), folded) != seen.end()) continue;
                seen.push_back(folded);
                ways.clear();
                const std::size_t fewest = closed ? std::numeric_limits<std::size_t>::max() : found.size();
                if (list_children(beside, fewest, ways)) std::swap(found, ways);
                closed = false;
                if (found.empty()) return;
            }
        }
}

// The ways to cover a cell; false, and only some of them, if they are not fewer than so many.
bool OrbitSearch::list_children(PlaneCell cell, std::size_t fewer_than, std::vector<Child>& found) {
    const bool may_found = static_cast<int>(tiles_.size()) < most_classes_;
    for (std::size_t s = 0; s < orientations_.size(); ++s)
        for (const Orientation& orientation : orientations_[s])
            for (const PlaneCell own : orientation.cells) {
                if (own.node != cell.node) continue;
                const std::int32_t x = cell.x - own.x, y = cell.y - own.y;
                if (!fits(orientation, x, y)) continue;
                for (const PlaneTile& tile : tiles_) {
                    if (tile.shape != static_cast<std::int32_t>(s)) continue;
                    const Motion back = turns_.inverse(tile.motion);
                    for (const Motion same : orientation.same)
                        found.push_back({turns_.after({same.turn, same.x + x, same.y + y}, back), {}});
                }
                if (may_found)
                    found.push_back({std::nullopt,
                                     {static_cast<std::int32_t>(s),
                                      {orientation.motion.turn, orientation.motion.x + x, orientation.motion.y + y}}});
                if (found.size() >= fewer_than) return false;
            }
    return true;
}

}  // namespace latcover
