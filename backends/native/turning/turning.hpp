// Which poses a body can reach by turning among bodies that stay, while it shifts freely in the plane of the turn.
//
// A pose is (angle, u, v). Boxes of poses are free if the body, grown by as much as any of its points moves within the
// box, meets nothing at the middle of the box; blocked if it still meets something when shrunk by as much; otherwise
// open, and smaller boxes may tell. A chain of free boxes is a motion that exists. If no chain of free and open boxes
// leads to a pose, no motion does.

#pragma once

#include <cstdint>
#include <vector>

#include "turning/turning_shape.hpp"

namespace latcover {

struct TurnQuestion {
    std::vector<Convex> moving, fixed;  // moving: around the middle about which the angle is measured
    double angle;                       // of the whole turn, in radians; to the left if positive
    Ring goals;                         // shifts at the full angle
    double reach;                       // no shift leads further along either axis of the plane
    int deepest;                        // how often boxes are halved at most
    std::uint64_t most_boxes;           // how many are judged at most
};

enum class Turned : std::uint8_t { no, tight, yes };

struct TurnPose {
    double angle, u, v;
};

struct TurnAnswer {
    std::vector<Turned> goals;
    std::vector<std::vector<TurnPose>> paths;  // of the goals that are reached; straight between these poses
    bool ends = true;                          // whether it may come to the full angle, at any shift
    std::uint64_t boxes = 0;                   // how many were judged
};

TurnAnswer turn(const TurnQuestion& question);

}  // namespace latcover
