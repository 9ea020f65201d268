#include "turning/turning_space.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace latcover {

namespace {

constexpr int most_halvings = 10;  // of a straight motion
constexpr int most_pushes = 12;
constexpr double pushed_far = 0.75;
constexpr double far_away = 1e9;

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
    : question_(question), memory_(memory()), moving_(shadows_of(question.moving)), fixed_(shadows_of(question.fixed)),
      n_directions_(moving_.directions.size() + fixed_.directions.size()) {
    const std::vector<int> movers = alike(question.moving), others = alike(question.fixed);
    const std::size_t n = others.size();
    std::vector<bool> paired(movers.size() * n);  // what meets in several layers meets in one
    for (std::size_t m = 0; m < movers.size(); ++m) {
        const Convex& mover = question.moving[m];
        double arm = 0;
        for (const Point corner : mover.corners) arm = std::max(arm, corner.dot(corner));
        arm = std::sqrt(arm);
        arm_ = std::max(arm_, arm);
        const double around = std::hypot(mover.middle.x, mover.middle.y) + question.reach * std::sqrt(2.0);
        for (std::size_t o = 0; o < n; ++o) {
            const Convex& other = question.fixed[o];
            const double radius = mover.radius + other.radius;
            if (mover.layer != other.layer || paired[movers[m] * n + others[o]]) continue;
            if (std::hypot(other.middle.x, other.middle.y) > around + radius) continue;
            paired[movers[m] * n + others[o]] = true;
            pairs_.push_back({static_cast<int>(m), static_cast<int>(o), radius, arm});
        }
    }
    memory_.pairs.resize(pairs_.size());
    std::iota(memory_.pairs.begin(), memory_.pairs.end(), 0);
}

Space::Memory& Space::memory() {
    thread_local Memory found;
    return found;
}

Space::Shadow Space::shadow(const Convex& piece, Point direction) {
    double low = direction.dot(piece.corners[0]), high = low;
    for (const Point corner : piece.corners) {
        const double here = direction.dot(corner);
        low = std::min(low, here);
        high = std::max(high, here);
    }
    return {(low + high) / 2, (high - low) / 2};
}

Space::Shadows Space::shadows_of(const std::vector<Convex>& pieces) {
    Shadows found;
    for (const Convex& piece : pieces)
        for (const Side& side : piece.sides)
            if (std::none_of(found.directions.begin(), found.directions.end(),
                             [&](Point known) { return std::abs(known.cross(side.normal)) < rounding; }))
                found.directions.push_back(side.normal);
    for (const Convex& piece : pieces)
        for (const Point direction : found.directions) found.of.push_back(shadow(piece, direction));
    return found;
}

double Space::spread(int level) const { return half(level) * std::sqrt(2.0) + arm_ * std::abs(half_angle(level)); }

Kind Space::judge(const Box& box, SomePairs may_meet, SomePairs& meeting) {
    ++judged;
    Slice& slice = slice_of(box);
    const TurnPose pose = middle(box);
    const double* const heights = heights_of(slice, {pose.u, pose.v});
    // Along each direction a shift within the box leads no further than the slack, and the turn no point of the mover further
    // than the spread.
    const double half_turn = std::abs(half_angle(box.level)), shifts = half(box.level) * std::numbers::sqrt2;
    auto& pairs = memory_.pairs;
    meeting.first = meeting.last = static_cast<std::uint32_t>(pairs.size());
    double deepest = -far_away;
    for (std::uint32_t at = may_meet.first; at < may_meet.last; ++at) {
        const int number = pairs[at];
        const Pair& pair = pairs_[number];
        const Shadow* const polygon = this->polygon(slice, number);
        const double spread = half_turn * pair.arm;
        double inside = far_away;
        bool apart = false;
        for (std::size_t d = 0; d < n_directions_ && !apart; ++d) {
            const double deep = polygon[d].half - std::abs(heights[d] - polygon[d].middle), slack = slice.slacks[d];
            apart = deep + slack <= -spread;
            inside = std::min(inside, deep - slack);
        }
        if (apart) continue;
        const Point off = Point{pose.u, pose.v} - slice.middles[number];
        const double far = pair.radius + spread + shifts;
        if (off.dot(off) >= far * far) continue;
        if (inside >= spread) {
            pairs.resize(meeting.first);
            return Kind::blocked;
        }
        pairs.push_back(number);
        if (inside - spread > deepest) {  // what is met most is asked first in smaller boxes
            deepest = inside - spread;
            std::swap(pairs[meeting.first], pairs.back());
        }
    }
    meeting.last = static_cast<std::uint32_t>(pairs.size());
    return meeting.first == meeting.last ? Kind::free : Kind::open;
}

bool Space::slides(double angle, Point from, Point to) {
    Slice*& slice = ends_[angle != 0];
    if (slice == nullptr) slice = &slice_at(angle);
    const double room = spread(question_.deepest);
    const Point along = to - from;
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
        const Shadow* const polygon = this->polygon(*slice, static_cast<int>(k));
        double first = 0, last = 1;  // the share of the way that lies within all lines
        for (std::size_t d = 0; d < n_directions_ && first <= last; ++d) {
            const double at = slice->directions[d].dot(from) - polygon[d].middle;
            const double half = polygon[d].half + room, speed = slice->directions[d].dot(along);
            if (std::abs(speed) < rounding) {
                if (std::abs(at) > half) last = -1;
                continue;
            }
            const double enters = (-half - at) / speed, leaves = (half - at) / speed;
            first = std::max(first, std::min(enters, leaves));
            last = std::min(last, std::max(enters, leaves));
        }
        if (first <= last) return false;
    }
    return true;
}

bool Space::moves(const TurnPose& from, const TurnPose& to) {
    const double turned = std::abs(to.angle - from.angle), shifted = std::hypot(to.u - from.u, to.v - from.v);
    const double window = turned * arm_ + shifted + 2 * spread(question_.deepest);
    turn(memory_.alone, from.angle, 0);
    find_near(memory_.alone, {from.u, from.v}, window, near_);
    return keeps_clear(from, to, near_, 0);
}

// Along a straight way, what lies between two bodies across a direction is a linear function of the way gone, but for
// what the turn bends it. So a direction that separates them well at both ends separates them all the way.
bool Space::keeps_clear(const TurnPose& from, const TurnPose& to, std::span<const int> pairs, int halved) {
    const double room = spread(question_.deepest);
    const double turned = std::abs(to.angle - from.angle), shifted = std::hypot(to.u - from.u, to.v - from.v);
    Slice &start = memory_.alone, &end = memory_.end;
    turn(start, from.angle, 0);
    turn(end, to.angle, 0);
    std::vector<int> unsure;
    for (const int number : pairs) {
        const Pair& pair = pairs_[number];
        const Convex& other = question_.fixed[pair.other];
        const double beyond = std::hypot(other.middle.x - from.u, other.middle.y - from.v) + other.radius + shifted;
        const Shadow *const one = polygon(start, number), *const two = polygon(end, number);
        double least = -far_away, first = -far_away, last = -far_away;
        for (std::size_t d = 0; d < n_directions_; ++d) {
            const double bent = d < fixed_.directions.size() ? turned * turned * pair.arm / 8
                                                             : turned * (turned * beyond + 2 * shifted) / 8;
            const double a = start.directions[d].dot({from.u, from.v}) - one[d].middle;
            const double b = end.directions[d].dot({to.u, to.v}) - two[d].middle;
            first = std::max(first, std::abs(a) - one[d].half);
            last = std::max(last, std::abs(b) - two[d].half);
            least = std::max({least, std::min(a - one[d].half, b - two[d].half) - bent,
                              std::min(-a - one[d].half, -b - two[d].half) - bent});
        }
        if (std::min(first, last) <= room / 2) return false;
        if (least <= room / 4) unsure.push_back(number);
    }
    if (unsure.empty()) return true;
    if (halved == most_halvings) return false;
    const TurnPose middle{(from.angle + to.angle) / 2, (from.u + to.u) / 2, (from.v + to.v) / 2};
    return keeps_clear(from, middle, unsure, halved + 1) && keeps_clear(middle, to, unsure, halved + 1);
}

std::optional<TurnPose> Space::pushed(TurnPose pose, double clear) {
    Slice& slice = memory_.alone;
    turn(slice, pose.angle, 0);
    find_near(slice, {pose.u, pose.v}, pushed_far, near_);
    for (int n = 0; n < most_pushes; ++n) {
        const double* const heights = heights_of(slice, {pose.u, pose.v});
        double deepest = -clear;
        Point away{0, 0};
        const auto stays = [&](double by, Point along) {
            return by <= 0 || std::max(std::abs(pose.u + by * along.x), std::abs(pose.v + by * along.y)) <=
                                  question_.reach + rounding;
        };
        for (const int number : near_) {
            const double far = pairs_[number].radius + clear;
            const Point apart = Point{pose.u, pose.v} - slice.middles[number];
            if (apart.dot(apart) >= far * far) continue;
            const Shadow* const polygon = this->polygon(slice, number);
            double deep = far_away;
            Point along{0, 0};
            for (std::size_t d = 0; d < n_directions_; ++d) {
                const double across = heights[d] - polygon[d].middle;
                for (const double sense : {1.0, -1.0}) {
                    const double here = polygon[d].half - sense * across;
                    const Point way = slice.directions[d] * sense;
                    if (here >= deep || !stays(here + clear, way)) continue;
                    deep = here;
                    along = way;
                }
            }
            if (deep == far_away) return std::nullopt;
            if (deep <= deepest + rounding) continue;
            deepest = deep;
            away = along;
        }
        if (deepest <= -clear) return pose;
        pose.u += away.x * (deepest + clear);
        pose.v += away.y * (deepest + clear);
    }
    return std::nullopt;
}

void Space::turn(Slice& slice, double angle, double half) const {
    slice.c = std::cos(angle);
    slice.s = std::sin(angle);
    slice.directions.clear();
    slice.slacks.clear();
    for (const Point direction : fixed_.directions) slice.directions.push_back(direction);
    for (const Point direction : moving_.directions) slice.directions.push_back(slice.turned(direction));
    for (const Point direction : slice.directions)
        slice.slacks.push_back(half * (std::abs(direction.x) + std::abs(direction.y)));
    constexpr Shadow unknown{0, -1};
    slice.movers.assign(question_.moving.size() * fixed_.directions.size(), unknown);
    slice.others.assign(question_.fixed.size() * moving_.directions.size(), unknown);
    slice.is_known.assign(pairs_.size(), false);
    slice.middles.resize(pairs_.size());
    slice.polygons.resize(pairs_.size() * n_directions_);
}

Space::Slice& Space::slice_at(double angle) {
    if (used_ == memory_.slices.size()) memory_.slices.emplace_back();
    Slice& slice = memory_.slices[used_++];
    turn(slice, angle, 0);
    return slice;
}

Space::Slice& Space::slice_of(const Box& box) {
    const double angle = (2 * box.k + 1) * half_angle(box.level);
    if (box.level > shared) {  // small boxes seldom share an angle
        turn(memory_.alone, angle, half(box.level));
        return memory_.alone;
    }
    Slice*& slice = slices_[(std::size_t{1} << box.level) + box.k];
    if (slice == nullptr) {
        if (used_ == memory_.slices.size()) memory_.slices.emplace_back();
        slice = &memory_.slices[used_++];
        turn(*slice, angle, half(box.level));
    }
    return *slice;
}

void Space::find_near(Slice& slice, Point shift, double window, std::vector<int>& found) const {
    found.clear();
    int mover = -1;
    Point from{};
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
        const Pair& pair = pairs_[p];
        if (pair.mover != mover) {
            mover = pair.mover;
            from = slice.turned(question_.moving[mover].middle);
        }
        slice.middles[p] = question_.fixed[pair.other].middle - from;
        const Point apart = slice.middles[p] - shift;
        const double near = pair.radius + window;
        if (apart.dot(apart) < near * near) found.push_back(static_cast<int>(p));
    }
}

const Space::Shadow* Space::polygon(Slice& slice, int pair) const {
    if (!slice.is_known[pair]) compute(slice, pair);
    return &slice.polygons[pair * n_directions_];
}

void Space::compute(Slice& slice, int number) const {
    const Pair& pair = pairs_[number];
    const std::size_t n_fixed = fixed_.directions.size(), n_moving = moving_.directions.size();
    const Convex &mover = question_.moving[pair.mover], &other = question_.fixed[pair.other];
    slice.is_known[number] = true;
    slice.middles[number] = other.middle - slice.turned(mover.middle);
    Shadow* polygon = &slice.polygons[number * n_directions_];
    for (std::size_t d = 0; d < n_fixed; ++d) {
        Shadow& turned = slice.movers[pair.mover * n_fixed + d];
        if (turned.half < 0) turned = shadow(mover, slice.turned_back(slice.directions[d]));
        const Shadow& own = fixed_.of[pair.other * n_fixed + d];
        *polygon++ = {own.middle - turned.middle, own.half + turned.half};
    }
    for (std::size_t d = 0; d < n_moving; ++d) {
        Shadow& turned = slice.others[pair.other * n_moving + d];
        if (turned.half < 0) turned = shadow(other, slice.directions[n_fixed + d]);
        const Shadow& own = moving_.of[pair.mover * n_moving + d];
        *polygon++ = {turned.middle - own.middle, own.half + turned.half};
    }
}

const double* Space::heights_of(const Slice& slice, Point shift) {
    memory_.heights.clear();
    for (const Point direction : slice.directions) memory_.heights.push_back(direction.dot(shift));
    return memory_.heights.data();
}

}  // namespace latcover
