// Ways to turn a body that are tried before boxes of poses: slide, then turn bit by bit, and give way to what comes near.

#pragma once

#include <vector>

#include "turning/turning_space.hpp"

namespace latcover {

using TurnWay = std::vector<TurnPose>;  // straight between these poses

// Where the body can slide without a turn, on a grid, with the way there; the nearest first.
std::vector<TurnWay> doors(Space& space, const TurnQuestion& question);

// Go on from the end of a way to the full angle; false if something is in the way.
bool turn_along(Space& space, const TurnQuestion& question, TurnWay& way);

}  // namespace latcover
