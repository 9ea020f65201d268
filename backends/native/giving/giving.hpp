// Motions of all parts at once: some turn, and all others may shift and tilt; in the plane of the turn, or in space.
//
// What is given is a proposal. It was found by pushing, in double precision, with luck from a seed; whoever uses it has to
// prove it. What is not found is not impossible.

#pragma once

#include <cstdint>
#include <vector>

#include "giving/bodies.hpp"
#include "giving/solids.hpp"

namespace latcover {

// Of: Bodies, in the plane; or Solids, in space.
template <class Of>
struct GivingQuestion {
    std::vector<std::vector<typename Of::Piece>> bodies;  // of each at rest, as seen from one point
    std::vector<bool> turning;                            // which pieces turn, all by the same angle
    std::vector<bool> held;                               // which pieces keep to the guide
    std::vector<typename Of::Places> guide;               // on which they are tried, from rest to where they end
    double pull;                                          // which share of the way to the guide pieces go in a step
    double room;                                          // clearance that is striven for
    double least_room;                                    // clearance that suffices
    double softness;                                      // of contacts: how far tight ones share what room there is
    std::uint64_t seed;
    std::uint64_t most_work;  // how often the places of all pieces are compared at most
};

template <class Of>
struct GivingAnswer {
    std::vector<typename Of::Places> path;  // straight between these, all at once; empty if none was found
    std::uint64_t work = 0;
};

GivingAnswer<Bodies> give_way(const GivingQuestion<Bodies>& question);
GivingAnswer<Solids> give_way(const GivingQuestion<Solids>& question);

}  // namespace latcover
