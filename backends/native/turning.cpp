#include "turning.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <queue>
#include <vector>

namespace latcover {

namespace {

constexpr int coarsest = 3;                         // boxes are never larger than the range halved so often
constexpr int ruling = 8;                           // up to here goals are ruled out level by level
constexpr std::uint64_t most_to_rule_out = 20'000;  // boxes at a level
constexpr int shared = 7;                           // up to here boxes of one angle share their obstacles
constexpr double far_first = 6;       // at the full angle, boxes are split before those at the start six times as large
constexpr double at_border = 1e-7;    // shares of a box
constexpr double first_window = 0.3;  // shifts for which obstacles are computed at first

enum class Kind : std::uint8_t { free, open, blocked };

struct Box {
    int level, k, i, j;  // of 2^level along the angle, u and v

    std::uint64_t key() const {
        return static_cast<std::uint64_t>(level) << 57 | static_cast<std::uint64_t>(k) << 38 |
               static_cast<std::uint64_t>(i) << 19 | static_cast<std::uint64_t>(j);
    }
    Box at(int coarser) const {
        const int by = level - coarser;
        return {coarser, k >> by, i >> by, j >> by};
    }
    bool exists() const {
        const int n = 1 << level;
        return k >= 0 && i >= 0 && j >= 0 && k < n && i < n && j < n;
    }
    Box beside(int face) const {
        const int by = face & 1 ? 1 : -1;
        return {level, k + (face >> 1 == 0 ? by : 0), i + (face >> 1 == 1 ? by : 0), j + (face >> 1 == 2 ? by : 0)};
    }
    Box child(int number) const {
        return {level + 1, 2 * k + (number & 1), 2 * i + (number >> 1 & 1), 2 * j + (number >> 2 & 1)};
    }
};

// The shifts at which one piece meets another, at one angle: a convex polygon.
struct Obstacle {
    Point middle;
    double radius;
    int mover, other;     // the pieces
    int first, last = 0;  // its sides, once a shift came near
};

struct Slice {
    double window = 0, c = 1, s = 0;
    std::vector<Obstacle> obstacles;
    std::vector<Side> sides;
    int latest = 0;  // the obstacle that was met last

    Point turned(Point p) const { return {c * p.x - s * p.y, s * p.x + c * p.y}; }
};

class Space {
public:
    explicit Space(const TurnQuestion& question) : question_(question) {
        for (const Convex& piece : question.moving)
            for (const Point corner : piece.corners) arm_ = std::max(arm_, std::hypot(corner.x, corner.y));
    }

    double half(int level) const { return question_.reach / (1 << level); }
    double half_angle(int level) const { return question_.angle / 2 / (1 << level); }
    TurnPose middle(const Box& box) const {
        const double h = half(box.level);
        return {(2 * box.k + 1) * half_angle(box.level), (2 * box.i + 1) * h - question_.reach,
                (2 * box.j + 1) * h - question_.reach};
    }
    // How far a point may move between the middle of a box and any other of its poses.
    double spread(int level) const { return half(level) * std::sqrt(2.0) + arm_ * std::abs(half_angle(level)); }

    Kind judge(const Box& box) {
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
        const int n = static_cast<int>(slice->obstacles.size());
        Kind kind = Kind::free;
        for (int turn = 0; turn < n; ++turn) {
            const int number = turn == 0 ? slice->latest : turn <= slice->latest ? turn - 1 : turn;
            Obstacle& obstacle = slice->obstacles[number];
            const double x = pose.u - obstacle.middle.x, y = pose.v - obstacle.middle.y;
            const double near = obstacle.radius + spread;
            if (x * x + y * y >= near * near) continue;
            if (obstacle.last == 0) add_sides(*slice, obstacle);
            double deep = spread;
            for (int s = obstacle.first; s < obstacle.last && deep > -spread; ++s) {
                const Side& side = slice->sides[s];
                deep = std::min(deep, side.height - side.normal.x * pose.u - side.normal.y * pose.v);
            }
            if (deep <= -spread) continue;
            slice->latest = number;
            if (deep >= spread) return Kind::blocked;
            kind = Kind::open;
        }
        return kind;
    }

    std::uint64_t judged = 0;

private:
    // Compute the obstacles that shifts near `centre` may meet.
    void fill(Slice& slice, double angle, Point centre, double window) {
        slice.obstacles.clear();
        slice.sides.clear();
        slice.latest = 0;
        slice.window = window;
        slice.c = std::cos(angle);
        slice.s = std::sin(angle);
        for (std::size_t m = 0; m < question_.moving.size(); ++m) {
            const Convex& mover = question_.moving[m];
            const Point middle = slice.turned(mover.middle);
            for (std::size_t o = 0; o < question_.fixed.size(); ++o) {
                const Convex& other = question_.fixed[o];
                if (mover.layer != other.layer) continue;
                const Point apart = other.middle - middle;
                const double radius = mover.radius + other.radius;
                if (std::max(std::abs(apart.x - centre.x), std::abs(apart.y - centre.y)) > radius + window) continue;
                slice.obstacles.push_back({apart, radius, static_cast<int>(m), static_cast<int>(o), 0});
            }
        }
    }

    void add_sides(Slice& slice, Obstacle& obstacle) const {
        const Convex &mover = question_.moving[obstacle.mover], &other = question_.fixed[obstacle.other];
        obstacle.first = static_cast<int>(slice.sides.size());
        for (const Side& side : other.sides) {
            const Point back{slice.c * side.normal.x + slice.s * side.normal.y,
                             slice.c * side.normal.y - slice.s * side.normal.x};
            double least = back.dot(mover.corners[0]);
            for (const Point corner : mover.corners) least = std::min(least, back.dot(corner));
            slice.sides.push_back({side.normal, side.height - least});
        }
        for (const Side& side : mover.sides) {
            const Point normal = slice.turned(side.normal) * -1;
            double most = normal.dot(other.corners[0]);
            for (const Point corner : other.corners) most = std::max(most, normal.dot(corner));
            slice.sides.push_back({normal, most + side.height});
        }
        obstacle.last = static_cast<int>(slice.sides.size());
    }

    const TurnQuestion& question_;
    double arm_ = 0;
    std::array<std::vector<Slice>, shared + 1> slices_;
    Slice alone_;
};

// Values by keys other than 0. References to them stay.
template <typename Value>
class Table {
public:
    Table() : slots_(1024) {}

    Value& operator[](std::uint64_t key) {
        Slot* slot = find(key);
        if (slot->key == 0) {
            if (2 * values_.size() >= slots_.size()) {
                std::vector<Slot> old(2 * slots_.size());
                old.swap(slots_);
                for (const Slot& one : old)
                    if (one.key != 0) *find(one.key) = one;
                slot = find(key);
            }
            *slot = {key, &values_.emplace_back()};
        }
        return *slot->value;
    }

private:
    struct Slot {
        std::uint64_t key = 0;
        Value* value = nullptr;
    };

    Slot* find(std::uint64_t key) {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = (key * 0x9e3779b97f4a7c15) >> 32 & mask;
        while (slots_[at].key != 0 && slots_[at].key != key) at = (at + 1) & mask;
        return &slots_[at];
    }

    std::vector<Slot> slots_;
    std::deque<Value> values_;
};

class Search {
public:
    explicit Search(const TurnQuestion& question) : question_(question), space_(question) {
        answer_.goals.assign(question.goals.size(), Turned::tight);
        answer_.paths.resize(question.goals.size());
    }

    TurnAnswer run() {
        for (int level = coarsest + 1; level <= std::min(ruling, question_.deepest) && undecided(); ++level) {
            rule_out(level);
            if (undecided()) look(std::uint64_t{200} << 2 * (level - coarsest));
        }
        if (undecided()) look(question_.most_boxes);
        answer_.boxes = space_.judged;
        return std::move(answer_);
    }

private:
    struct Known {
        Kind kind = Kind::open;
        bool judged = false, split = false, reached = false, waits = false;
        bool from_start = false;
        int ruled = 0;  // the level at which it was met last when goals are ruled out
        Box from{};     // the box from which it was reached
    };

    static bool was_split(const Box&, const Known& here) { return here.split; }

    struct Waiting {
        double rank;
        std::uint64_t number;
        Box box;
        bool operator<(const Waiting& other) const {
            return rank != other.rank ? rank > other.rank : number > other.number;
        }
    };

    bool undecided() const {
        for (std::size_t g = 0; g < answer_.goals.size(); ++g)
            if (answer_.goals[g] == Turned::tight && !decided_tight_[g]) return true;
        return false;
    }

    bool holds_shift(const Box& box, Point shift) const {
        const double h = space_.half(box.level), slack = h * at_border;
        const TurnPose middle = space_.middle(box);
        return std::abs(shift.x - middle.u) <= h + slack && std::abs(shift.y - middle.v) <= h + slack;
    }
    bool holds_start(const Box& box) const { return box.k == 0 && holds_shift(box, {0, 0}); }
    bool holds_goal(const Box& box, Point goal) const {
        return box.k == (1 << box.level) - 1 && holds_shift(box, goal);
    }

    // Flood free boxes, and open ones of one level; goals that are not met cannot be reached.
    void rule_out(int level) {
        const auto is_split = [&](const Box& box, const Known& here) {
            return here.kind == Kind::open && box.level < level;
        };
        std::vector<Box> todo;
        const auto meet = [&](const Box& box) {
            Known& here = known(box);
            if (here.kind == Kind::blocked || here.ruled == level) return;
            here.ruled = level;
            todo.push_back(box);
        };
        for (const Box& box : starts())
            within(box, -1, is_split, [&](const Box& one) {
                if (holds_start(one)) meet(one);
            });
        std::vector<bool> met(question_.goals.size());
        bool ends = false;
        std::size_t left = 0;
        for (const Turned goal : answer_.goals) left += goal == Turned::tight;
        const std::uint64_t most = std::min(question_.most_boxes, space_.judged + most_to_rule_out);
        while (!todo.empty()) {
            if (space_.judged > most) return;
            const Box box = todo.back();
            todo.pop_back();
            note_end(box);
            ends = ends || box.k == (1 << box.level) - 1;
            for (std::size_t g = 0; g < met.size(); ++g)
                if (!met[g] && answer_.goals[g] == Turned::tight && holds_goal(box, question_.goals[g])) {
                    met[g] = true;
                    if (--left == 0) return;
                }
            for (const int face : {0, 2, 3, 4, 5, 1}) beside(box, face, is_split, meet);
        }
        answer_.ends = answer_.ends && ends;
        for (std::size_t g = 0; g < met.size(); ++g)
            if (!met[g] && answer_.goals[g] == Turned::tight) answer_.goals[g] = Turned::no;
    }

    Known& known(const Box& box) {
        Known& here = boxes_[box.key()];
        if (!here.judged) {
            here.judged = true;
            here.kind = space_.judge(box);
        }
        return here;
    }

    static std::array<Box, 4> starts() {
        constexpr int middle = 1 << (coarsest - 1);
        return {Box{coarsest, 0, middle - 1, middle - 1}, Box{coarsest, 0, middle - 1, middle},
                Box{coarsest, 0, middle, middle - 1}, Box{coarsest, 0, middle, middle}};
    }

    void note_end(const Box& box) {
        const int last = (1 << box.level) - 1;
        if (box.i == 0 || box.j == 0 || box.i == last || box.j == last) answer_.leaves = true;
    }

    // Call `each` with the boxes that are not split, and touch a face of a box from outside.
    template <typename IsSplit, typename Each>
    void beside(const Box& box, int face, const IsSplit& is_split, const Each& each) {
        const Box other = box.beside(face);
        if (!other.exists()) return;
        for (int level = coarsest; level < other.level; ++level) {
            const Box whole = other.at(level);
            if (!is_split(whole, known(whole))) return each(whole);
        }
        within(other, face, is_split, each);
    }

    // The same with the boxes in a box, at the face opposite to `face`; all of them if it is -1.
    template <typename IsSplit, typename Each>
    void within(const Box& box, int face, const IsSplit& is_split, const Each& each) {
        if (!is_split(box, known(box))) return each(box);
        for (int c = 0; c < 8; ++c)
            if (face < 0 || (c >> (face >> 1) & 1) != (face & 1)) within(box.child(c), face, is_split, each);
    }

    // Reach a box, if it is passable, from another one, or from the start.
    void meet(const Box& box, const Box* from) {
        Known& here = known(box);
        if (here.reached || here.kind == Kind::blocked) return;
        if (here.kind == Kind::open && !(box.level >= question_.deepest && grazing_)) {
            if (here.waits) return;
            here.waits = true;
            if (box.level >= question_.deepest) grazed_.push_back(box);
            else waiting_.push({box.level - far_first * (box.k + 0.5) / (1 << box.level), pushed_++, box});
            return;
        }
        reach(box, here, from);
    }

    void reach(const Box& box, Known& here, const Box* from) {
        here.reached = true;
        here.from_start = from == nullptr;
        if (from != nullptr) here.from = *from;
        todo_.push_back(box);
        note_end(box);
        for (std::size_t g = 0; g < answer_.goals.size(); ++g)
            if (answer_.goals[g] == Turned::tight && !decided_tight_[g] && holds_goal(box, question_.goals[g])) {
                if (grazing_) {
                    decided_tight_[g] = true;
                } else {
                    answer_.goals[g] = Turned::yes;
                    answer_.paths[g] = path_to(box, question_.goals[g]);
                }
            }
    }

    // Meet a box if it touches one that is reached, or the start.
    void meet_from_reached(const Box& box) {
        if (known(box).kind == Kind::blocked) return;
        if (holds_start(box)) return meet(box, nullptr);
        bool found = false;
        Box from{};
        for (int face = 0; face < 6 && !found; ++face)
            beside(box, face, was_split, [&](const Box& other) {
                if (!found && known(other).reached) {
                    found = true;
                    from = other;
                }
            });
        if (found) meet(box, &from);
    }

    // Flood free boxes, and split the open ones beside them. Whatever is left undecided when nothing waits any more
    // passes at best through the smallest open boxes.
    void look(std::uint64_t more) {
        if (!begun_) {
            begun_ = true;
            for (const Box& box : starts()) meet(box, nullptr);
        }
        const std::uint64_t most = std::min(question_.most_boxes, space_.judged + more);
        while (undecided() && space_.judged < most) {
            if (!todo_.empty()) {
                const Box box = todo_.back();
                todo_.pop_back();
                for (int face = 0; face < 6; ++face)
                    beside(box, face, was_split, [&](const Box& other) { meet(other, &box); });
            } else if (!waiting_.empty()) {
                const Box box = waiting_.top().box;
                waiting_.pop();
                known(box).split = true;
                for (int c = 0; c < 8; ++c) meet_from_reached(box.child(c));
            } else if (!grazed_.empty()) {
                grazing_ = true;
                const Box box = grazed_.back();
                grazed_.pop_back();
                Known& here = known(box);
                if (!here.reached) reach(box, here, nullptr);
            } else {
                for (std::size_t g = 0; g < answer_.goals.size(); ++g)
                    if (answer_.goals[g] == Turned::tight && !decided_tight_[g]) answer_.goals[g] = Turned::no;
            }
        }
    }

    std::vector<TurnPose> path_to(const Box& last, Point goal) {
        std::vector<TurnPose> path{{question_.angle, goal.x, goal.y}};
        Box box = last;
        while (true) {
            path.push_back(space_.middle(box));
            const Known& here = known(box);
            if (here.from_start) break;
            path.push_back(between(box, here.from));
            box = here.from;
        }
        path.push_back({0, 0, 0});
        std::reverse(path.begin(), path.end());
        return path;
    }

    // The middle of the face that two boxes share.
    TurnPose between(const Box& one, const Box& other) const {
        const Box& small = one.level >= other.level ? one : other;
        const Box& large = one.level >= other.level ? other : one;
        TurnPose pose = space_.middle(small);
        const TurnPose beyond = space_.middle(large);
        const double h = space_.half(small.level), turn = space_.half_angle(small.level);
        const double far = space_.half(small.level) + space_.half(large.level);
        if (std::abs(std::abs(pose.u - beyond.u) - far) < h * at_border) pose.u += pose.u < beyond.u ? h : -h;
        else if (std::abs(std::abs(pose.v - beyond.v) - far) < h * at_border) pose.v += pose.v < beyond.v ? h : -h;
        else pose.angle += std::abs(pose.angle) < std::abs(beyond.angle) ? turn : -turn;
        return pose;
    }

    const TurnQuestion& question_;
    Space space_;
    TurnAnswer answer_;
    std::vector<bool> decided_tight_ = std::vector<bool>(question_.goals.size());
    Table<Known> boxes_;
    std::vector<Box> todo_, grazed_;
    std::priority_queue<Waiting> waiting_;
    std::uint64_t pushed_ = 0;
    bool begun_ = false, grazing_ = false;
};

}  // namespace

TurnAnswer turn(const TurnQuestion& question) { return Search(question).run(); }

}  // namespace latcover
