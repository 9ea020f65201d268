// What can follow a position of some parts: slides and turns of sets of them, or a set that leaves.

#pragma once

#include <string>
#include <unordered_map>
#include <utility>

#include "turning/turning_apart.hpp"

namespace latcover {

// Threads may share it.
class TurningMoves {
public:
    using Mask = std::uint64_t;  // of the parts of a group
    using Ids = std::vector<int>;
    using Placed = std::vector<PlacedShape>;

    static constexpr std::size_t most_exits = 32;    // that are compared
    static constexpr std::size_t most_tight = 4;     // tight turns that are told
    static constexpr std::size_t most_turning = 16;  // of more parts, not all sets are tried
    static constexpr std::size_t most_parts = 64;

    // How a position was reached: who moved, and how.
    struct Step {
        Mask who = 0;
        int direction = 0, steps = 0;
        int axis = -1, turn = 0;
        Vec shift{};
    };

    struct Node {
        Placed parts;
        int first = 0;  // the map that took the first part to its orientation
        std::size_t parent = 0;
        int depth = 0, turns = 0;
        Step by;
    };

    struct Leaving {
        std::size_t node;
        Mask who;
        int direction;
    };

    struct Expanded {
        std::vector<std::pair<std::string, Node>> following;  // with their keys
        std::vector<TightTurn> tight_turns;
        std::uint64_t tight = 0;
    };

    TurningMoves(TurningShapes& shapes, const Assembly& assembly, const Groups& groups, const ApartLimits& limits,
                 const Brake& brake);
    ~TurningMoves();

    // Who may turn about an axis, in one sense.
    struct Question {
        std::size_t node;
        Mask who;
        int axis;
        bool backwards;
    };

    // ids: the parts of the group; number: that of the node. Where sets can leave, nothing else is of interest.
    std::vector<Leaving> exits(const Ids& ids, const Node& node, std::size_t number);
    Expanded slides(const Ids& ids, const Node& node, std::size_t number);
    std::vector<Question> questions(const Ids& ids, const Node& node, std::size_t number);
    Expanded turns(const Ids& ids, const Node& node, const Question& question);
    // The turns that are not impossible, and where they land.
    std::vector<std::pair<int, Landing>> landings(const Ids& ids, const Node& node, const Question& question);

    // Equal for positions that differ by a motion of the whole, or by an exchange of equal parts.
    std::string key_of(const Ids& ids, const Node& node) const;

    // The two sides of a set; the one that stays first, as where parts only slide.
    std::pair<Ids, Ids> sides(const Ids& ids, Mask who) const;
    static Ids named(const Ids& ids, Mask who);

private:
    struct Kit;

    const Kit& kit(const Placed& parts);
    static std::vector<Mask> touching(const Kit& kit, const Placed& parts);
    void add(Expanded& found, const Ids& ids, const Node& node, std::size_t number, const Step& by);
    void note_tight(Expanded& found, const Ids& ids, const Node& node, const Step& by) const;

    TurningShapes& shapes_;
    const Assembly& assembly_;
    const Groups& groups_;
    const ApartLimits& limits_;
    const Brake& brake_;
    SharedMutex lock_;
    std::unordered_map<std::string, std::unique_ptr<Kit>> kits_;
};

}  // namespace latcover
