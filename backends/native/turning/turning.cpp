#include "turning/turning.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <queue>
#include <vector>

#include "turning/turning_boxes.hpp"
#include "turning/turning_space.hpp"
#include "turning/turning_ways.hpp"

namespace latcover {

namespace {

constexpr int coarsest = KnownBoxes::coarsest;
constexpr std::size_t most_levels = 20;             // more than halvings
constexpr int ruling = 8;                           // up to here goals are ruled out level by level
constexpr int start_first = 16;                     // boxes from the start, before goals are looked at
constexpr std::uint64_t most_to_rule_out = 20'000;  // boxes at a level
constexpr double far_first = 6;  // at the full angle, boxes are split before those at the start six times as large
constexpr std::uint32_t nobody = ~0U;  // no flood
constexpr double at_border = 1e-7;     // shares of a box

class Search {
public:
    explicit Search(const TurnQuestion& question) : question_(question), space_(question), boxes_(memory()) {
        answer_.goals.assign(question.goals.size(), Turned::tight);
        answer_.paths.resize(question.goals.size());
    }

    TurnAnswer run() {
        for (int level = coarsest + 1; level <= std::min(ruling, question_.deepest) && undecided(); ++level) {
            rule_out(level);
            if (undecided() && level == coarsest + 1) give_way();  // the coarsest floods cost less than a way in vain
            if (undecided()) look(std::uint64_t{25} << 2 * (level - coarsest));
        }
        if (undecided()) look(question_.most_boxes);
        answer_.boxes = space_.judged;
        return std::move(answer_);
    }

private:
    using Known = KnownBox;

    static KnownBoxes& memory() {
        thread_local KnownBoxes boxes;
        boxes.clear();
        return boxes;
    }

    // Boxes that are free or open, and hang together with the start or with a goal.
    struct Flood {
        std::uint32_t number;
        std::vector<Box> todo{};
        bool ends = false;  // whether it holds poses at the full angle
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

    bool is_undecided(std::size_t goal) const { return answer_.goals[goal] == Turned::tight && !decided_tight_[goal]; }
    bool undecided() const {
        for (std::size_t g = 0; g < answer_.goals.size(); ++g)
            if (is_undecided(g)) return true;
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

    // Flood free boxes, and open ones of one level, from the start and from goals. Where they do not hang together, goals
    // cannot be reached.
    void rule_out(int level) {
        const auto is_split = [&](const Box& box, const Known& here) {
            return here.kind == Kind::open && box.level < level;
        };
        const std::uint32_t first = floods_ + 1;
        bool met = false;
        // What floods met before and did not end hangs together with the start.
        const auto enter = [&](Flood& flood, std::uint32_t other, const Box& box, Known& here) {
            if (here.kind == Kind::blocked || here.flood == flood.number) return;
            if (other == 0 ? here.flood >= first : here.flood == other) met = true;
            here.flood = flood.number;
            flood.todo.push_back(box);
        };
        const auto spread = [&](Flood& flood, std::uint32_t other) {
            const Box box = flood.todo.back();
            flood.todo.pop_back();
            flood.ends = flood.ends || box.k == (1 << box.level) - 1;
            const Trail trail = trail_to(box);
            for (const int face : {0, 2, 3, 4, 5, 1})
                beside(trail, face, is_split, [&](const Box& one, Known& here) { enter(flood, other, one, here); });
        };
        const std::uint64_t most = std::min(question_.most_boxes, space_.judged + most_to_rule_out);
        Flood start{++floods_};
        for (const Box& box : starts())
            holding(
                box, root(box), [&](const Box& one) { return holds_start(one); }, is_split,
                [&](const Box& one, Known& here) { enter(start, nobody, one, here); });
        for (int n = 0; n < start_first && !start.todo.empty(); ++n) spread(start, nobody);
        if (!start.todo.empty() && joins_.empty()) join_goals();
        std::vector<bool> done(question_.goals.size());  // with others from which one can slide there
        for (std::size_t g = 0; g < question_.goals.size(); ++g) {
            if (!is_undecided(g) || done[g]) continue;
            for (const std::size_t one : joined_to(g)) done[one] = true;
            Flood goal{++floods_};
            met = false;
            for_boxes_at(question_.goals[g], is_split, [&](const Box& one, Known& here) { enter(goal, 0, one, here); });
            while (!met && !goal.todo.empty() && !start.todo.empty()) {
                if (space_.judged > most) return;
                spread(goal, 0);
                if (!met) spread(start, goal.number);
            }
            if (!met)
                for (const std::size_t one : joined_to(g)) answer_.goals[one] = Turned::no;
        }
        if (start.todo.empty()) answer_.ends = answer_.ends && start.ends;
    }

    // Call `each` with the boxes that hold a goal.
    template <typename IsSplit, typename Each>
    void for_boxes_at(Point goal, const IsSplit& is_split, const Each& each) {
        constexpr int n = 1 << coarsest;
        for (int at = 0; at < n * n; ++at) {
            const Box box{coarsest, n - 1, at / n, at % n};
            if (!holds_goal(box, goal)) continue;
            holding(box, root(box), [&](const Box& one) { return holds_goal(one, goal); }, is_split, each);
        }
    }

    // Find the goals between which the body can slide straight.
    void join_goals() {
        const Ring& goals = question_.goals;
        joins_.resize(goals.size());
        double least = 1e300;
        const auto apart = [&](std::size_t one, std::size_t other) {
            return std::hypot(goals[one].x - goals[other].x, goals[one].y - goals[other].y);
        };
        for (std::size_t one = 0; one < goals.size(); ++one)
            for (std::size_t other = 0; other < one; ++other) least = std::min(least, apart(one, other));
        for (std::size_t one = 0; one < goals.size(); ++one)
            for (std::size_t other = 0; other < one; ++other)
                if (apart(one, other) < least * 1.001 && space_.slides(question_.angle, goals[one], goals[other])) {
                    joins_[one].push_back(other);
                    joins_[other].push_back(one);
                }
    }

    // A goal, and those that can be reached from it by sliding; `act` is called with each slide.
    template <typename Act>
    std::vector<std::size_t> joined_to(std::size_t goal, const Act& act) const {
        std::vector<std::size_t> all{goal};
        if (joins_.empty()) return all;
        for (std::size_t at = 0; at < all.size(); ++at)
            for (const std::size_t other : joins_[all[at]])
                if (std::find(all.begin(), all.end(), other) == all.end()) {
                    act(all[at], other);
                    all.push_back(other);
                }
        return all;
    }
    std::vector<std::size_t> joined_to(std::size_t goal) const {
        return joined_to(goal, [](std::size_t, std::size_t) {});
    }

    void reach_goal(std::size_t goal, std::vector<TurnPose> path) {
        answer_.goals[goal] = Turned::yes;
        answer_.paths[goal] = std::move(path);
        answer_.paths[goal].push_back({question_.angle, question_.goals[goal].x, question_.goals[goal].y});
        joined_to(goal, [&](std::size_t from, std::size_t to) {
            answer_.goals[to] = Turned::yes;
            answer_.paths[to] = answer_.paths[from];
            answer_.paths[to].push_back({question_.angle, question_.goals[to].x, question_.goals[to].y});
        });
    }

    // Slide, then turn bit by bit, and give way to what comes near: so most turns are found.
    void give_way() {
        auto ways = doors(space_, question_);
        std::reverse(ways.begin(), ways.end());  // far from others there is more room
        for (auto& path : ways) {
            if (!undecided()) return;
            if (!turn_along(space_, question_, path)) continue;
            const Point end{path.back().u, path.back().v};
            for (std::size_t g = 0; g < question_.goals.size(); ++g)
                if (is_undecided(g) && space_.slides(question_.angle, end, question_.goals[g])) {
                    reach_goal(g, path);
                    break;
                }
        }
    }

    Known& judged(const Box& box, Known& here, SomePairs may_meet) {
        if (!here.judged) {
            here.judged = true;
            here.kind = space_.judge(box, may_meet, here.meeting);
        }
        return here;
    }
    Known& root(const Box& box) { return judged(box, boxes_.root(box), space_.all()); }
    // A half of an open box.
    Known& child(const Box& part, Known& whole, int number) {
        return judged(part, boxes_.child(whole, number), whole.meeting);
    }
    // A box, and those that hold it, which are open.
    struct Trail {
        Box box;
        std::array<Known*, most_levels> at;  // by level
    };
    Trail trail_to(const Box& box) {
        Trail trail{box, {}};
        Box whole = box.at(coarsest);
        trail.at[coarsest] = &root(whole);
        while (whole.level < box.level) {
            whole = box.at(whole.level + 1);
            trail.at[whole.level] = &child(whole, *trail.at[whole.level - 1], whole.number());
        }
        return trail;
    }
    Known& known(const Box& box) { return *trail_to(box).at[box.level]; }

    static std::array<Box, 4> starts() {
        constexpr int middle = 1 << (coarsest - 1);
        return {Box{coarsest, 0, middle - 1, middle - 1}, Box{coarsest, 0, middle - 1, middle},
                Box{coarsest, 0, middle, middle - 1}, Box{coarsest, 0, middle, middle}};
    }

    // Call `each` with the boxes that are not split, and touch a face of a box from outside.
    template <typename IsSplit, typename Each>
    void beside(const Trail& trail, int face, const IsSplit& is_split, const Each& each) {
        const Box &box = trail.box, other = box.beside(face);
        if (!other.exists()) return;
        const auto differ = static_cast<unsigned>((box.k ^ other.k) | (box.i ^ other.i) | (box.j ^ other.j));
        const int common = box.level - std::bit_width(differ);  // the level of the least box that holds both
        Box whole = other.at(std::max(common + 1, coarsest));
        Known* here = common < coarsest ? &root(whole) : &child(whole, *trail.at[common], whole.number());
        while (whole.level < other.level) {
            if (!is_split(whole, *here)) return each(whole, *here);
            whole = other.at(whole.level + 1);
            here = &child(whole, *here, whole.number());
        }
        within(other, *here, face, is_split, each);
    }

    // The same with the boxes in a box, at the face opposite to `face`.
    template <typename IsSplit, typename Each>
    void within(const Box& box, Known& here, int face, const IsSplit& is_split, const Each& each) {
        if (!is_split(box, here)) return each(box, here);
        for (int c = 0; c < 8; ++c)
            if ((c >> (face >> 1) & 1) != (face & 1)) {
                const Box part = box.child(c);
                within(part, child(part, here, c), face, is_split, each);
            }
    }

    // The same with those in a box that hold something.
    template <typename Holds, typename IsSplit, typename Each>
    void holding(const Box& box, Known& here, const Holds& holds, const IsSplit& is_split, const Each& each) {
        if (!is_split(box, here)) return each(box, here);
        for (int c = 0; c < 8; ++c) {
            const Box part = box.child(c);
            if (holds(part)) holding(part, child(part, here, c), holds, is_split, each);
        }
    }

    // Reach a box, if it is passable, from another one, or from the start.
    void meet(const Box& box, Known& here, const Box* from) {
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
        if (from != nullptr) here.from = PackedBox(*from);
        todo_.push_back(box);
        for (std::size_t g = 0; g < answer_.goals.size(); ++g)
            if (is_undecided(g) && holds_goal(box, question_.goals[g])) {
                if (grazing_)
                    for (const std::size_t one : joined_to(g)) decided_tight_[one] = true;
                else reach_goal(g, path_to(box));
            }
    }

    // Meet a box if it touches one that is reached, or the start.
    void meet_from_reached(const Box& box) {
        const Trail trail = trail_to(box);
        Known& here = *trail.at[box.level];
        if (here.kind == Kind::blocked) return;
        if (holds_start(box)) return meet(box, here, nullptr);
        bool found = false;
        Box from{};
        for (int face = 0; face < 6 && !found; ++face)
            beside(trail, face, was_split, [&](const Box& other, const Known& there) {
                if (!found && there.reached) {
                    found = true;
                    from = other;
                }
            });
        if (found) meet(box, here, &from);
    }

    // Flood free boxes, and split the open ones beside them. Whatever is left undecided when nothing waits any more
    // passes at best through the smallest open boxes.
    void look(std::uint64_t more) {
        if (!begun_) {
            begun_ = true;
            for (const Box& box : starts()) meet(box, root(box), nullptr);
        }
        const std::uint64_t most = std::min(question_.most_boxes, space_.judged + more);
        while (undecided() && space_.judged < most) {
            if (!todo_.empty()) {
                const Box box = todo_.back();
                todo_.pop_back();
                const Trail trail = trail_to(box);
                for (int face = 0; face < 6; ++face)
                    beside(trail, face, was_split, [&](const Box& other, Known& there) { meet(other, there, &box); });
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
                    if (is_undecided(g)) answer_.goals[g] = Turned::no;
            }
        }
    }

    std::vector<TurnPose> path_to(const Box& last) {
        std::vector<TurnPose> path;
        Box box = last;
        while (true) {
            path.push_back(space_.middle(box));
            const Known& here = known(box);
            if (here.from_start) break;
            const Box before = here.from.box();
            path.push_back(between(box, before));
            box = before;
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
    KnownBoxes& boxes_;
    std::vector<Box> todo_, grazed_;
    std::priority_queue<Waiting> waiting_;
    std::uint64_t pushed_ = 0;
    std::uint32_t floods_ = 0;
    std::vector<std::vector<std::size_t>> joins_;
    bool begun_ = false, grazing_ = false;
};

}  // namespace

TurnAnswer turn(const TurnQuestion& question) { return Search(question).run(); }

}  // namespace latcover
