// Motions of all parts at once in space: some turn about an axis, and all may shift, and tilt across it.
//
// As in giving/, what is given is a proposal that was found by pushing; what is not found is not impossible.

#pragma once

#include <cstdint>
#include <vector>

#include "tilting/solids.hpp"

namespace latcover {

struct TiltingQuestion {
    std::vector<std::vector<Prism>> bodies;  // of each piece at rest, as seen from the point about which it turns
    std::vector<bool> turning;               // which pieces turn, all by the same angle
    std::vector<bool> held;                  // which pieces keep to the guide
    std::vector<TiltPlaces> guide;           // on which they are tried, from rest to where they end
    double pull;                             // which share of the way to the guide pieces go in a step
    double room;                             // clearance that is striven for
    double least_room;                       // clearance that suffices
    double softness;                         // of contacts: how far tight ones share what room there is
    std::uint64_t seed;
    std::uint64_t most_work;  // how often the places of all pieces are compared at most
};

struct TiltingAnswer {
    std::vector<TiltPlaces> path;  // straight between these, all pieces at once; empty if none was found
    std::uint64_t work = 0;
};

TiltingAnswer tilt_way(const TiltingQuestion& question);

}  // namespace latcover
