#include "turning/turning_space.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace latcover {

namespace {

constexpr double first_window = 0.3;  // shifts for which obstacles are computed at first
constexpr int most_steps = 200;       // of a straight motion
constexpr int most_pushes = 12;
constexpr double pushed_far = 0.5;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

bool same(Point a, Point b) { return std::abs(a.x - b.x) < rounding && std::abs(a.y - b.y) < rounding; }

bool same(const Convex& one, const Convex& other) {
    return same(one.middle, other.middle) &&
           std::equal(one.corners.begin(), one.corners.end(), other.corners.begin(), other.corners.end(),
                      [](Point a, Point b) { return same(a, b); });
}

// For each piece the first that differs from it at most by its layer.
std::vector<int> alike(const std::vector<Convex>& pieces) {
    std::vector<int> found;
    for (std::size_t k = 0; k < pieces.size(); ++k) {
        std::size_t first = 0;
        while (first < k && !same(pieces[first], pieces[k])) ++first;
        found.push_back(static_cast<int>(first));
    }
    return found;
}

}  // namespace

Space::Space(const TurnQuestion& question)
    : question_(question), moving_(normals_of(question.moving)), fixed_(normals_of(question.fixed)) {
    for (const Convex& piece : question.moving)
        for (const Point corner : piece.corners) arm_ = std::max(arm_, std::hypot(corner.x, corner.y));
    const std::vector<int> movers = alike(question.moving), others = alike(question.fixed);
    const std::size_t n = others.size();
    std::vector<bool> paired(movers.size() * n);  // what meets in several layers meets in one
    for (std::size_t m = 0; m < movers.size(); ++m) {
        const Convex& mover = question.moving[m];
        const double around = std::hypot(mover.middle.x, mover.middle.y) + question.reach * std::sqrt(2.0);
        for (std::size_t o = 0; o < n; ++o) {
            const Convex& other = question.fixed[o];
            const double radius = mover.radius + other.radius;
            if (mover.layer != other.layer || paired[movers[m] * n + others[o]]) continue;
            if (std::hypot(other.middle.x, other.middle.y) > around + radius) continue;
            paired[movers[m] * n + others[o]] = true;
            pairs_.push_back({static_cast<int>(m), static_cast<int>(o), radius});
        }
    }
}

Space::Normals Space::normals_of(const std::vector<Convex>& pieces) {
    Normals found;
    for (const Convex& piece : pieces) {
        auto& numbers = found.of.emplace_back();
        for (const Side& side : piece.sides) {
            std::size_t k = 0;
            while (k < found.all.size() && !same(found.all[k], side.normal)) ++k;
            if (k == found.all.size()) found.all.push_back(side.normal);
            numbers.push_back(static_cast<int>(k));
        }
    }
    return found;
}

double Space::spread(int level) const { return half(level) * std::sqrt(2.0) + arm_ * std::abs(half_angle(level)); }

Kind Space::judge(const Box& box) {
    ++judged;
    const TurnPose pose = middle(box);
    const double spread = this->spread(box.level);
    Slice* slice = &alone_;  // small boxes seldom share an angle
    if (box.level > shared) {
        fill(alone_, pose.angle, {pose.u, pose.v}, spread);
    } else {
        auto& at_level = slices_[box.level];
        if (at_level.empty()) at_level.resize(std::size_t{1} << box.level);
        slice = &at_level[box.k];
        const double far = std::max(std::abs(pose.u), std::abs(pose.v)) + spread;
        if (far > slice->window)
            fill(*slice, pose.angle, {0, 0}, far <= first_window ? first_window : 2 * question_.reach);
    }
    const auto& heights = heights_of(*slice, {pose.u, pose.v});
    const int n = static_cast<int>(slice->obstacles.size());
    Kind kind = Kind::free;
    for (int turn = 0; turn < n; ++turn) {
        const int number = turn == 0 ? slice->latest : turn <= slice->latest ? turn - 1 : turn;
        const auto limits = limits_near(*slice, slice->obstacles[number], {pose.u, pose.v}, spread);
        if (limits.empty()) continue;
        double deep = spread;
        for (const Limit& limit : limits) deep = std::min(deep, limit.height - heights[limit.normal]);
        if (deep <= -spread) continue;
        slice->latest = number;
        if (deep >= spread) return Kind::blocked;
        kind = Kind::open;
    }
    return kind;
}

bool Space::slides(double angle, Point from, Point to) {
    Slice& slice = ends_[angle != 0];
    if (slice.window == 0) fill(slice, angle, {0, 0}, 2 * question_.reach);
    const double room = spread(question_.deepest);
    const Point along = to - from, middle = (from + to) * 0.5;
    const double half = std::sqrt(along.dot(along)) / 2;
    for (Obstacle& obstacle : slice.obstacles) {
        const auto limits = limits_near(slice, obstacle, middle, half + room);
        double first = 0, last = limits.empty() ? -1 : 1;  // the share of the way that lies within all limits
        for (const Limit& limit : limits) {
            const Point normal = slice.normals[limit.normal];
            const double left = limit.height + room - normal.dot(from), speed = normal.dot(along);
            if (std::abs(speed) < rounding) last = left < 0 ? -1 : last;
            else if (speed > 0) last = std::min(last, left / speed);
            else first = std::max(first, left / speed);
            if (first > last) break;
        }
        if (first <= last) return false;
    }
    return true;
}

bool Space::moves(const TurnPose& from, const TurnPose& to) {
    const double room = spread(question_.deepest);
    const double length = std::abs(to.angle - from.angle) * arm_ + std::hypot(to.u - from.u, to.v - from.v);
    double gone = 0;
    for (int step = 0; step < most_steps; ++step) {
        const Point shift{from.u + gone * (to.u - from.u), from.v + gone * (to.v - from.v)};
        double clear = (1 - gone) * length + 2 * room;
        fill(alone_, from.angle + gone * (to.angle - from.angle), shift, clear);
        const auto& heights = heights_of(alone_, shift);
        for (Obstacle& obstacle : alone_.obstacles) {
            const auto limits = limits_near(alone_, obstacle, shift, clear);
            if (limits.empty()) continue;
            double far = -1;
            for (const Limit& limit : limits) far = std::max(far, heights[limit.normal] - limit.height);
            clear = std::min(clear, far);
            if (clear <= room) return false;
        }
        if (gone >= 1) return true;
        gone = std::min(1.0, gone + (clear - room / 2) / length);
    }
    return false;
}

std::optional<TurnPose> Space::pushed(TurnPose pose, double clear) {
    fill(alone_, pose.angle, {pose.u, pose.v}, pushed_far);
    for (int n = 0; n < most_pushes; ++n) {
        const auto& heights = heights_of(alone_, {pose.u, pose.v});
        double deepest = -clear;
        int away = -1;
        const auto stays = [&](double by, const Limit& limit) {
            const Point normal = alone_.normals[limit.normal];
            return by <= 0 || std::max(std::abs(pose.u + by * normal.x), std::abs(pose.v + by * normal.y)) <=
                                  question_.reach + rounding;
        };
        for (Obstacle& obstacle : alone_.obstacles) {
            double deep = std::numeric_limits<double>::max();
            int normal = -1;
            const auto limits = limits_near(alone_, obstacle, {pose.u, pose.v}, clear);
            for (const Limit& limit : limits)
                if (const double here = limit.height - heights[limit.normal];
                    here < deep && stays(here + clear, limit)) {
                    deep = here;
                    normal = limit.normal;
                }
            if (!limits.empty() && normal < 0) return std::nullopt;
            if (limits.empty() || deep <= deepest + rounding) continue;
            deepest = deep;
            away = normal;
        }
        if (away < 0) return pose;
        const Point by = alone_.normals[away] * (deepest + clear);
        pose.u += by.x;
        pose.v += by.y;
    }
    return std::nullopt;
}

void Space::fill(Slice& slice, double angle, Point centre, double window) {
    slice.obstacles.clear();
    slice.limits.clear();
    slice.latest = 0;
    slice.window = window;
    slice.c = std::cos(angle);
    slice.s = std::sin(angle);
    slice.normals = fixed_.all;
    for (const Point normal : moving_.all) slice.normals.push_back(slice.turned(normal) * -1);
    slice.least.assign(moving_.of.size() * fixed_.all.size(), unknown);
    slice.most.assign(fixed_.of.size() * moving_.all.size(), unknown);
    int mover = -1;
    Point from{};
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
        const Pair& pair = pairs_[p];
        if (pair.mover != mover) {
            mover = pair.mover;
            from = slice.turned(question_.moving[mover].middle);
        }
        const Point apart = question_.fixed[pair.other].middle - from;
        const double near = pair.radius + window;
        if (std::abs(apart.x - centre.x) > near || std::abs(apart.y - centre.y) > near) continue;
        slice.obstacles.push_back({apart, static_cast<int>(p), 0});
    }
}

std::span<const Space::Limit> Space::limits_near(Slice& slice, Obstacle& obstacle, Point shift, double near) const {
    const Point apart = shift - obstacle.middle;
    const double far = pairs_[obstacle.pair].radius + near;
    if (apart.dot(apart) >= far * far) return {};
    if (obstacle.last == 0) add_limits(slice, obstacle);
    return {slice.limits.data() + obstacle.first, slice.limits.data() + obstacle.last};
}

const std::vector<double>& Space::heights_of(const Slice& slice, Point shift) {
    heights_.clear();
    for (const Point normal : slice.normals) heights_.push_back(normal.dot(shift));
    return heights_;
}

void Space::add_limits(Slice& slice, Obstacle& obstacle) const {
    const Pair& pair = pairs_[obstacle.pair];
    const Convex &mover = question_.moving[pair.mover], &other = question_.fixed[pair.other];
    const std::size_t n_fixed = fixed_.all.size(), n_moving = moving_.all.size();
    obstacle.first = static_cast<int>(slice.limits.size());
    for (std::size_t k = 0; k < other.sides.size(); ++k) {
        const int normal = fixed_.of[pair.other][k];
        double& least = slice.least[pair.mover * n_fixed + normal];
        if (std::isnan(least)) {
            const Point by = slice.normals[normal];
            const Point back{slice.c * by.x + slice.s * by.y, slice.c * by.y - slice.s * by.x};
            least = back.dot(mover.corners[0]);
            for (const Point corner : mover.corners) least = std::min(least, back.dot(corner));
        }
        slice.limits.push_back({normal, other.sides[k].height - least});
    }
    for (std::size_t k = 0; k < mover.sides.size(); ++k) {
        const int normal = moving_.of[pair.mover][k];
        double& most = slice.most[pair.other * n_moving + normal];
        if (std::isnan(most)) {
            const Point by = slice.normals[n_fixed + normal];
            most = by.dot(other.corners[0]);
            for (const Point corner : other.corners) most = std::max(most, by.dot(corner));
        }
        slice.limits.push_back({static_cast<int>(n_fixed) + normal, most + mover.sides[k].height});
    }
    obstacle.last = static_cast<int>(slice.limits.size());
}

}  // namespace latcover
