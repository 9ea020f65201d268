#include "turner.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace latcover {

namespace {

constexpr std::size_t most_answers = 1 << 20;
constexpr double in_key = 1e6;  // shifts are told apart to this share of an edge

std::int64_t as_key(double x) { return std::llround(x * in_key); }

}  // namespace

Point Turner::place(const Vec& at) const {
    return prisms_.steps[0] * at[0] + prisms_.steps[1] * at[1] + prisms_.steps[2] * at[2];
}

int Turner::layer(const Vec& at) const {
    return prisms_.rises[0] * at[0] + prisms_.rises[1] * at[1] + prisms_.rises[2] * at[2];
}

int Turner::add(const std::vector<Cell>& cells) {
    std::map<int, std::vector<Ring>> layers;
    Shape shape{{}, {1e300, 1e300}, {-1e300, -1e300}, 0, 0};
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

PartsTurned Turner::ask(std::span<const TurningPart> moving, std::span<const TurningPart> fixed, double angle,
                        const Ring& goals, TurnLimits limits) {
    Point least{1e300, 1e300}, most{-1e300, -1e300};
    int lowest = 1 << 30, highest = -(1 << 30);
    for (const TurningPart& part : moving) {
        const Shape& shape = shapes_[part.shape];
        const Point at = place(part.at);
        least = {std::min(least.x, shape.least.x + at.x), std::min(least.y, shape.least.y + at.y)};
        most = {std::max(most.x, shape.most.x + at.x), std::max(most.y, shape.most.y + at.y)};
        lowest = std::min(lowest, shape.lowest + layer(part.at));
        highest = std::max(highest, shape.highest + layer(part.at));
    }
    const Point middle = (least + most) * 0.5;
    const double arm = std::hypot(most.x - least.x, most.y - least.y) / 2;
    const double far = arm + limits.reach * std::sqrt(2.0);
    std::vector<TurningPart> near;
    for (const TurningPart& part : fixed) {
        const Shape& shape = shapes_[part.shape];
        const Point at = place(part.at) - middle;
        const double x = std::max({shape.least.x + at.x, -shape.most.x - at.x, 0.0});
        const double y = std::max({shape.least.y + at.y, -shape.most.y - at.y, 0.0});
        const int up = layer(part.at);
        if (std::hypot(x, y) < far && shape.lowest + up <= highest && shape.highest + up >= lowest)
            near.push_back(part);
    }
    const double c = std::cos(angle), s = std::sin(angle);
    TurnQuestion question{{}, {}, angle, {}, limits.reach, limits.deepest, limits.most_boxes};
    for (const Point goal : goals)
        question.goals.push_back(goal + Point{c * middle.x - s * middle.y, s * middle.x + c * middle.y} - middle);

    // Everything relative to the least moving part.
    std::vector<std::int64_t> key{as_key(angle), as_key(limits.reach), limits.deepest,
                                  static_cast<std::int64_t>(limits.most_boxes),
                                  static_cast<std::int64_t>(moving.size())};
    const Vec origin = std::min_element(moving.begin(), moving.end(), [](const auto& one, const auto& other) {
                           return std::tie(one.shape, one.at) < std::tie(other.shape, other.at);
                       })->at;
    for (const auto& parts : {std::vector<TurningPart>(moving.begin(), moving.end()), near}) {
        std::vector<std::array<std::int64_t, 4>> rows;
        for (const TurningPart& part : parts)
            rows.push_back({part.shape, part.at[0] - origin[0], part.at[1] - origin[1], part.at[2] - origin[2]});
        std::sort(rows.begin(), rows.end());
        for (const auto& row : rows) key.insert(key.end(), row.begin(), row.end());
    }
    for (const Point goal : question.goals) {
        key.push_back(as_key(goal.x));
        key.push_back(as_key(goal.y));
    }
    const auto found = answers_.find(key);
    if (found != answers_.end()) return {middle, found->second};

    const auto pieces_of = [&](std::span<const TurningPart> parts) {
        std::vector<Convex> all;
        for (const TurningPart& part : parts) {
            const Point by = place(part.at) - middle;
            const int up = layer(part.at);
            for (Convex piece : shapes_[part.shape].pieces) {
                piece.layer += up;
                if (piece.layer < lowest || piece.layer > highest) continue;
                piece.middle = piece.middle + by;
                for (Point& corner : piece.corners) corner = corner + by;
                for (Side& side : piece.sides) side.height += side.normal.dot(by);
                all.push_back(std::move(piece));
            }
        }
        return all;
    };
    question.moving = pieces_of(moving);
    question.fixed = pieces_of(near);
    TurnAnswer answer = turn(question);
    if (answers_.size() >= most_answers) answers_.clear();
    answers_.emplace(std::move(key), answer);
    return {middle, std::move(answer)};
}

}  // namespace latcover
