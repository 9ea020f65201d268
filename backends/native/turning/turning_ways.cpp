#include "turning/turning_ways.hpp"

#include <algorithm>
#include <cmath>

namespace latcover {

namespace {

constexpr std::size_t most_doors = 25;
constexpr double roomy = 0.05;  // how far the body keeps from others where it can
constexpr double way_rounding = 1e-7;

}  // namespace

std::vector<TurnWay> doors(Space& space, const TurnQuestion& question) {
    const double step = question.reach / 2;
    std::vector<TurnWay> found{{{0, 0, 0}}};
    for (std::size_t at = 0; at < found.size() && found.size() < most_doors; ++at)
        for (const Point by : {Point{step, 0}, {-step, 0}, {0, step}, {0, -step}}) {
            const TurnPose from = found[at].back(), to{0, from.u + by.x, from.v + by.y};
            const bool is_known = std::any_of(found.begin(), found.end(), [&](const auto& path) {
                return std::hypot(path.back().u - to.u, path.back().v - to.v) < step / 2;
            });
            if (is_known || std::max(std::abs(to.u), std::abs(to.v)) > question.reach + way_rounding) continue;
            if (!space.slides(0, {from.u, from.v}, {to.u, to.v})) continue;
            found.push_back(found[at]);
            found.back().push_back(to);
        }
    return found;
}

bool turn_along(Space& space, const TurnQuestion& question, TurnWay& way) {
    const double least = space.spread(question.deepest);
    double step = 1.0 / 8, gone = 0;
    while (gone < 1) {
        const double next = std::min(1.0, gone + step);
        TurnPose pose = way.back();
        pose.angle = next * question.angle;
        bool found = false;
        for (const double clear : {roomy, 4 * least}) {
            const auto there = space.pushed(pose, clear);
            found = there && space.moves(way.back(), *there);
            if (!found) continue;
            way.push_back(*there);
            break;
        }
        if (found) gone = next;
        else if ((step /= 2) < 1.0 / 64) return false;
    }
    return true;
}

}  // namespace latcover
