// Whether an assembly of parts comes apart by sliding, and in which moves; see docs/explanation/assembly.md.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "apart/sliding.hpp"

namespace latcover {

inline constexpr int most_parts = 256;

struct AssemblyPart {
    int shape;   // of `Shapes`
    Vec place;   // of the shape's origin
    int kind;    // parts of one kind and one shape may be exchanged
    int weight;  // of two groups, the one with the heaviest part stays
};

struct Assembly {
    std::vector<AssemblyPart> parts;
};

// Which parts may stay together: limits[group][kind] parts of a kind may, for some group.
using Groups = std::vector<std::vector<int>>;

struct SlideMove {
    std::vector<int> parts;
    int direction;
    int steps;  // along the direction; negative: against it; of a move that separates, 1 or -1
    bool separates;
};

struct Parting {
    std::vector<int> parts, stays, removed;
    std::vector<SlideMove> moves;
};

enum class Result { apart, stuck, unknown };
enum class Cut { none, states, time, cancelled };

inline const char* name(Result result) {
    switch (result) {
        case Result::apart: return "apart";
        case Result::stuck: return "stuck";
        case Result::unknown: return "unknown";
    }
    return "";
}

inline const char* name(Cut cut) {
    switch (cut) {
        case Cut::none: return "";
        case Cut::states: return "state limit";
        case Cut::time: return "time limit";
        case Cut::cancelled: return "cancelled";
    }
    return "";
}

struct TakenApart {
    Result result = Result::unknown;
    Cut cut = Cut::none;
    bool least = true;  // no other choice of shortest separations takes fewer moves
    std::uint64_t states = 0;
    int reached = 0;
    std::vector<Parting> partings;  // the whole, what stays, what is removed
};

// Says to all threads when to stop.
struct Brake {
    std::atomic<int> cut{static_cast<int>(Cut::none)};
    bool pulled() const { return cut.load(std::memory_order_relaxed) != static_cast<int>(Cut::none); }
    void pull(Cut why) { cut.store(static_cast<int>(why)); }
};

struct ApartLimits {
    std::uint64_t states = std::numeric_limits<std::uint64_t>::max();
    unsigned threads = 1;                                  // that expand one front together
    std::function<void(std::uint64_t states)> on_block{};  // called by the calling thread every few thousand positions
};

// The result does not depend on the number of threads.
//
// require: at most `most_parts` parts, which do not overlap.
TakenApart take_apart(Shapes& shapes, const Assembly& assembly, const Groups& groups, const ApartLimits& limits,
                      const Brake& brake);

}  // namespace latcover
