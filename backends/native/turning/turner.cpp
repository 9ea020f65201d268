#include "turning/turner.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace latcover {

namespace {

constexpr std::size_t most_answers = 1 << 20;
constexpr double in_key = 1e6;  // shifts are told apart to this share of an edge

std::int64_t as_key(double x) { return std::llround(x * in_key); }

const TurningPart& least_part(std::span<const TurningPart> parts) {
    return *std::min_element(parts.begin(), parts.end(), [](const auto& one, const auto& other) {
        return std::tie(one.shape, one.at) < std::tie(other.shape, other.at);
    });
}

// Which cells are taken, in the least box that holds them.
class Room {
public:
    Room(const std::vector<Cell>& cells, std::size_t n_nodes) : n_nodes_(n_nodes) {
        if (cells.empty()) return;
        Vec most = least_ = cells[0].at;
        for (const Cell& cell : cells)
            for (int k = 0; k < 3; ++k) {
                least_[k] = std::min(least_[k], cell.at[k]);
                most[k] = std::max(most[k], cell.at[k]);
            }
        for (int k = 0; k < 3; ++k) sizes_[k] = most[k] - least_[k] + 1;
        taken_.resize(n_nodes_ * sizes_[0] * sizes_[1] * sizes_[2]);
        for (const Cell& cell : cells) taken_[number(cell, {})] = true;
    }

    bool is_taken(const Cell& cell, const Vec& shift) const {
        for (int k = 0; k < 3; ++k)
            if (const int at = cell.at[k] + shift[k] - least_[k]; at < 0 || at >= sizes_[k]) return false;
        return taken_[number(cell, shift)];
    }

private:
    std::size_t number(const Cell& cell, const Vec& shift) const {
        std::size_t found = cell.node;
        for (int k = 0; k < 3; ++k) found = found * sizes_[k] + (cell.at[k] + shift[k] - least_[k]);
        return found;
    }

    std::size_t n_nodes_;
    Vec least_{}, sizes_{};
    std::vector<std::uint8_t> taken_;
};

Convex moved(Convex piece, Point by, int up) {
    piece.layer += up;
    piece.middle = piece.middle + by;
    for (Point& corner : piece.corners) corner = corner + by;
    for (Side& side : piece.sides) side.height += side.normal.dot(by);
    return piece;
}

}  // namespace

Point Turner::place(const Vec& at) const {
    return prisms_.steps[0] * at[0] + prisms_.steps[1] * at[1] + prisms_.steps[2] * at[2];
}

int Turner::layer(const Vec& at) const {
    return prisms_.rises[0] * at[0] + prisms_.rises[1] * at[1] + prisms_.rises[2] * at[2];
}

int Turner::add(const std::vector<Cell>& cells) {
    std::map<int, std::vector<Ring>> layers;
    Shape shape{cells, {}, {1e300, 1e300}, {-1e300, -1e300}, 0, 0};
    for (const Cell& cell : cells) {
        const Point centre = place(cell.at) + prisms_.centres[cell.node];
        Ring ring;
        for (const Point corner : prisms_.sections[cell.node]) {
            ring.push_back(corner + centre);
            shape.least = {std::min(shape.least.x, ring.back().x), std::min(shape.least.y, ring.back().y)};
            shape.most = {std::max(shape.most.x, ring.back().x), std::max(shape.most.y, ring.back().y)};
        }
        layers[layer(cell.at) + prisms_.layers[cell.node]].push_back(std::move(ring));
    }
    for (const auto& [number, rings] : layers)
        for (Convex& piece : eroded(number, rings, erosion_, near_)) shape.pieces.push_back(std::move(piece));
    shape.lowest = layers.begin()->first;
    shape.highest = layers.rbegin()->first;
    shapes_.push_back(std::move(shape));
    return static_cast<int>(shapes_.size()) - 1;
}

Turner::Scene Turner::scene(std::span<const TurningPart> moving, std::span<const TurningPart> fixed,
                            double reach) const {
    Point least{1e300, 1e300}, most{-1e300, -1e300};
    Scene found{{0, 0}, 1 << 30, -(1 << 30), {}};
    for (const TurningPart& part : moving) {
        const Shape& shape = shapes_[part.shape];
        const Point at = place(part.at);
        least = {std::min(least.x, shape.least.x + at.x), std::min(least.y, shape.least.y + at.y)};
        most = {std::max(most.x, shape.most.x + at.x), std::max(most.y, shape.most.y + at.y)};
        found.lowest = std::min(found.lowest, shape.lowest + layer(part.at));
        found.highest = std::max(found.highest, shape.highest + layer(part.at));
    }
    found.middle = (least + most) * 0.5;
    const double arm = std::hypot(most.x - least.x, most.y - least.y) / 2;
    const double far = arm + reach * std::sqrt(2.0);
    for (const TurningPart& part : fixed) {
        const Shape& shape = shapes_[part.shape];
        const Point at = place(part.at) - found.middle;
        const double x = std::max({shape.least.x + at.x, -shape.most.x - at.x, 0.0});
        const double y = std::max({shape.least.y + at.y, -shape.most.y - at.y, 0.0});
        const int up = layer(part.at);
        if (std::hypot(x, y) < far && shape.lowest + up <= found.highest && shape.highest + up >= found.lowest)
            found.near.push_back(part);
    }
    return found;
}

std::vector<Convex> Turner::body_at(const TurningPart& part, Point middle) const {
    std::vector<Convex> pieces;
    for (const Convex& piece : shapes_[part.shape].pieces)
        pieces.push_back(moved(piece, place(part.at) - middle, layer(part.at)));
    return pieces;
}

std::vector<Convex> Turner::pieces_of(std::span<const TurningPart> parts, const Scene& scene) const {
    std::vector<Convex> all;
    for (const TurningPart& part : parts) {
        const Point by = place(part.at) - scene.middle;
        const int up = layer(part.at);
        for (const Convex& piece : shapes_[part.shape].pieces)
            if (piece.layer + up >= scene.lowest && piece.layer + up <= scene.highest)
                all.push_back(moved(piece, by, up));
    }
    return all;
}

void Turner::add_rows(std::vector<std::int64_t>& key, std::span<const TurningPart> parts, const Vec& origin) {
    std::vector<std::array<std::int64_t, 4>> rows;
    for (const TurningPart& part : parts)
        rows.push_back({part.shape, part.at[0] - origin[0], part.at[1] - origin[1], part.at[2] - origin[2]});
    std::sort(rows.begin(), rows.end());
    for (const auto& row : rows) key.insert(key.end(), row.begin(), row.end());
}

PartsTurned Turner::ask(std::span<const TurningPart> moving, std::span<const TurningPart> fixed, double angle,
                        const Ring& goals, TurnLimits limits) {
    const Scene around = scene(moving, fixed, limits.reach);
    const double c = std::cos(angle), s = std::sin(angle);
    const Point middle = around.middle;
    TurnQuestion question{{}, {}, angle, {}, limits.reach, limits.deepest, limits.most_boxes};
    for (const Point goal : goals)
        question.goals.push_back(goal + Point{c * middle.x - s * middle.y, s * middle.x + c * middle.y} - middle);

    // Everything relative to the least moving part.
    std::vector<std::int64_t> key{as_key(angle), as_key(limits.reach), limits.deepest,
                                  static_cast<std::int64_t>(limits.most_boxes),
                                  static_cast<std::int64_t>(moving.size())};
    const Vec origin = least_part(moving).at;
    add_rows(key, moving, origin);
    add_rows(key, around.near, origin);
    for (const Point goal : question.goals) {
        key.push_back(as_key(goal.x));
        key.push_back(as_key(goal.y));
    }
    const auto found = answers_.find(key);
    if (found != answers_.end()) return {middle, found->second};
    question.moving = pieces_of(moving, around);
    question.fixed = pieces_of(around.near, around);
    TurnAnswer answer = turn(question);
    if (answers_.size() >= most_answers) answers_.clear();
    answers_.emplace(std::move(key), answer);
    return {middle, std::move(answer)};
}

std::vector<std::pair<Vec, Point>> Turner::goals_of(std::span<const TurningPart> moving, const Scene& scene,
                                                    const AxisTurn& by, const LatticeMap& map,
                                                    const std::vector<Vec>& shifts, double reach) const {
    const double c = std::cos(by.angle), s = std::sin(by.angle);
    const auto rotated = [&](Point p) { return Point{c * p.x - s * p.y, s * p.x + c * p.y}; };
    Cell first = shapes_[moving[0].shape].cells[0];
    for (int k = 0; k < 3; ++k) first.at[k] += moving[0].at[k];
    const Cell image = map.apply(first);
    Vec home;  // the shift that takes this cell back to its unit
    for (int k = 0; k < 3; ++k) home[k] = first.at[k] - image.at[k];
    const Point from = place(first.at) + prisms_.centres[first.node];
    const Point to = place(first.at) + prisms_.centres[image.node];
    Point drift = to + rotated(scene.middle - from) - scene.middle;  // of the middle, with that shift
    int rise = prisms_.layers[image.node] - prisms_.layers[first.node];
    Vec nearest;
    for (int k = 0; k < 3; ++k)
        nearest[k] = -static_cast<int>(
            std::lround(drift.x * prisms_.unit[0][k] + drift.y * prisms_.unit[1][k] + rise * prisms_.unit[2][k]));
    for (int k = 0; k < 3; ++k) home[k] += nearest[k];
    drift = drift + place(nearest);
    rise += layer(nearest);
    std::vector<std::pair<Vec, Point>> found;
    const double bound = reach + near_;
    for (const Vec& shift : shifts) {
        if (layer(shift) + rise != 0) continue;
        const Point end = drift + place(shift);
        if (std::abs(end.x) > bound || std::abs(end.y) > bound) continue;
        found.push_back({{home[0] + shift[0], home[1] + shift[1], home[2] + shift[2]}, end});
    }
    return found;
}

std::vector<std::int64_t> Turner::key_of(std::span<const TurningPart> moving, const Scene& scene, const AxisTurn& by) {
    const Vec origin = least_part(moving).at;
    std::vector<std::int64_t> key{as_key(by.angle), by.map, static_cast<std::int64_t>(moving.size())};
    add_rows(key, moving, origin);
    add_rows(key, scene.near, origin);
    return key;
}

void Turner::strike(std::span<const TurningPart> moving, std::span<const TurningPart> fixed, const AxisTurn& by,
                    const LatticeMap& map, const Vec& shift, double reach) {
    const Vec origin = least_part(moving).at, image = map.turned(origin);
    const std::lock_guard hold(lock_);
    const auto found = landings_.find(key_of(moving, scene(moving, fixed, reach), by));
    if (found == landings_.end()) return;
    struck_.try_emplace(found->first, found->second);
    auto left = std::make_shared<Landings>(*found->second);
    std::erase_if(left->all, [&](const Landing& landing) {
        for (int k = 0; k < 3; ++k)
            if (landing.shift[k] + origin[k] - image[k] != shift[k]) return false;
        return true;
    });
    found->second = std::move(left);
}

void Turner::restore() {
    const std::lock_guard hold(lock_);
    for (auto& [key, landings] : struck_) landings_[key] = std::move(landings);
    struck_.clear();
}

std::shared_ptr<const Landings> Turner::land(std::span<const TurningPart> moving, std::span<const TurningPart> fixed,
                                             const AxisTurn& by, const LatticeMap& map, const std::vector<Vec>& shifts,
                                             TurnLimits limits) {
    const Scene around = scene(moving, fixed, limits.reach);
    const Vec origin = least_part(moving).at, image = map.turned(origin);
    std::vector<std::int64_t> key = key_of(moving, around, by);
    // Remembered as if the least part were at the origin.
    const auto moved = [&](std::shared_ptr<const Landings> at_origin) {
        auto here = std::make_shared<Landings>(*at_origin);
        for (Landing& landing : here->all)
            for (int k = 0; k < 3; ++k) landing.shift[k] += origin[k] - image[k];
        return here;
    };
    {
        const std::lock_guard hold(lock_);
        if (const auto found = landings_.find(key); found != landings_.end()) return moved(found->second);
    }
    ++asked_;
    auto answer = std::make_shared<Landings>();
    const auto cells_of = [&](std::span<const TurningPart> parts) {
        std::vector<Cell> cells;
        for (const TurningPart& part : parts)
            for (Cell cell : shapes_[part.shape].cells) {
                for (int k = 0; k < 3; ++k) cell.at[k] += part.at[k];
                cells.push_back(cell);
            }
        return cells;
    };
    const Room room(cells_of(around.near), prisms_.layers.size());
    std::vector<Cell> images = cells_of(moving);
    for (Cell& cell : images) cell = map.apply(cell);
    TurnQuestion question{{}, {}, by.angle, {}, limits.reach, limits.deepest, limits.most_boxes};
    for (const auto& [shift, end] : goals_of(moving, around, by, map, shifts, limits.reach)) {
        if (std::any_of(images.begin(), images.end(), [&](const Cell& cell) { return room.is_taken(cell, shift); }))
            continue;
        question.goals.push_back(end);
        answer->all.push_back({shift, Turned::no});
    }
    if (!question.goals.empty()) {
        question.moving = pieces_of(moving, around);
        question.fixed = pieces_of(around.near, around);
        const TurnAnswer told = turn(question);
        answer->ends = told.ends;
        for (std::size_t g = 0; g < told.goals.size(); ++g) {
            answer->all[g].how = told.goals[g];
            for (int k = 0; k < 3; ++k) answer->all[g].shift[k] -= origin[k] - image[k];
        }
        std::erase_if(answer->all, [](const Landing& landing) { return landing.how == Turned::no; });
    }
    const std::lock_guard hold(lock_);
    if (landings_.size() >= most_answers) landings_.clear();
    return moved(landings_.try_emplace(std::move(key), std::move(answer)).first->second);
}

}  // namespace latcover
