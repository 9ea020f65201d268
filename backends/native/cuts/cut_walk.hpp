// Local search for cuts: late acceptance hill climbing (Burke and Bykov 2017). A *walk* begins with a random cut, and
// moves single cells from part to part. It depends on its seed and its number alone, not on threads or time.

#pragma once

#include <atomic>
#include <functional>

#include "cuts/cut_judge.hpp"

namespace latcover {

struct CutEffort {
    std::uint64_t seed = 0;
    std::uint64_t patience = 3000;  // candidates without a better one after which a walk ends
    std::uint64_t most = 1 << 20;   // candidates of a walk
    std::size_t memory = 60;        // worths that are compared with
    int rounds = 1;                 // a walk from a given cut ends after so many in a row without a better one
};

struct CutFound {
    std::uint64_t number = 0;  // of the walk
    Cutting parts;
    CutFigures figures;
    std::uint64_t candidates = 0;
    bool whole = true;  // false: the walk was stopped before its end
};

// Numbers that are the same on every machine (SplitMix64; Steele, Lea and Flood 2014).
class CutRandom {
public:
    CutRandom(std::uint64_t seed, std::uint64_t number) : state_(seed * 0xd1342543de82ef95ULL + number) {
        for (int k = 0; k < 4; ++k) next();
    }
    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
        return z ^ z >> 31;
    }
    int below(int n) { return static_cast<int>((next() >> 32) * static_cast<std::uint64_t>(n) >> 32); }

private:
    std::uint64_t state_;
};

class CutWalk {
public:
    CutWalk(const CutSpace& space, const CutRules& rules, const CutGeometry& geometry, const CutEffort& effort,
            std::uint64_t number, const Brake& brake)
        : space_(space), rules_(rules), effort_(effort), brake_(brake), judge_(space, rules, geometry, brake),
          random_(effort.seed, number) {
        found_.number = number;
    }

    // `candidates` grows while the walk goes on; it ends early once the brake is pulled.
    CutFound run(std::atomic<std::uint64_t>& candidates);

private:
    void begin();
    void begin_at_random();
    void begin_from(const std::vector<int>& owner);
    bool move();
    bool change(int cell, int to);
    bool is_connected(const CellMask& part) const;

    const CutSpace& space_;
    const CutRules& rules_;
    const CutEffort& effort_;
    const Brake& brake_;
    CutJudge judge_;
    CutRandom random_;
    Cutting parts_;
    std::vector<int> owner_;  // of each cell; -1 for a hole
    int holes_ = 0;
    std::vector<int> inner_;    // where holes may be
    std::vector<int> movable_;  // cells that may go over to another part
    CutFound found_;
};

struct CutProgress {
    std::uint64_t walks, candidates;
    double seconds;
};

// Walks `first`, `first + 1`, ... by several threads. `on_found` gets them in their order, whichever ends first, and
// `on_progress` is called some twenty times a second, both on the thread of the caller; either ends everything by
// false. Walks that the end of the time, or of `on_progress`, stops are handed over too.
void cut_by_walks(const CutSpace& space, const CutRules& rules, const CutGeometry& geometry, const CutEffort& effort,
                  std::uint64_t first, std::uint64_t n_walks, unsigned threads, double seconds,
                  const std::function<bool(const CutFound&)>& on_found,
                  const std::function<bool(const CutProgress&)>& on_progress);

}  // namespace latcover
