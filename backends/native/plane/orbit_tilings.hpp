// Tilings of the plane with few classes of tiles: each class is the orbit of a tile under a group of motions.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "plane/plane_group.hpp"

namespace latcover {

struct PlaneTile {
    std::int32_t shape;
    Motion motion;  // what takes the shape there
};

// What may tile: shapes, and which transformations each may undergo.
struct OrbitShapes {
    std::vector<std::vector<PlaneCell>> cells;   // of each shape
    std::vector<std::vector<bool>> allowed;      // of each shape and transformation
    std::vector<std::vector<PlaneCell>> beside;  // of each node: the cells beside its cell at the origin
};

struct OrbitTiling {
    PlaneGroup group;
    std::vector<PlaneTile> tiles;  // one of each class
};

enum class OrbitEnd { found, none, cut };

struct OrbitAnswer {
    OrbitEnd end = OrbitEnd::none;
    OrbitTiling tiling;
    std::uint64_t nodes = 0;
};

// Look for a tiling with at most so many classes in which all shapes occur. It is exact: without a limit it ends, and
// "none" is a proof. docs/decisions/lab/plane.md says why. `goes_on` is asked from time to time.
class OrbitSearch {
public:
    OrbitSearch(const PlaneTurns& turns, OrbitShapes shapes);

    OrbitAnswer run(int most_classes, std::uint64_t most_nodes, const std::function<bool()>& goes_on);

private:
    struct Orientation {
        Motion motion;
        std::vector<PlaneCell> cells;
        std::vector<Motion> same;  // all motions that take the shape there
    };
    struct Held {
        PlaneCell cell;  // folded
        PlaneCell actual;
        std::int32_t tile, tile_class;
        std::uint32_t stamp;
    };
    struct Child {
        std::optional<Motion> generator;  // without one, `tile` founds a class
        PlaneTile tile;
    };

    void list_orientations();
    bool walk(int depth);
    bool occupy();
    bool place(PlaneTile tile, int tile_class, int number);
    Held& slot(PlaneCell folded);
    bool is_free(PlaneCell folded) { return slot(folded).stamp != stamp_; }
    bool is_done() const;
    bool fits(const Orientation& orientation, std::int32_t x, std::int32_t y);
    void children(std::vector<Child>& found, bool& closed);
    bool list_children(PlaneCell cell, std::size_t fewer_than, std::vector<Child>& found);

    const PlaneTurns& turns_;
    OrbitShapes shapes_;
    std::vector<std::vector<Orientation>> orientations_;  // of each shape
    std::vector<Motion> generators_;
    std::vector<PlaneTile> tiles_;
    PlaneGroup group_;
    std::vector<Held> table_;
    std::uint32_t stamp_ = 0;
    int most_classes_ = 1;
    std::uint64_t most_nodes_ = 0;
    const std::function<bool()>* goes_on_ = nullptr;
    OrbitAnswer answer_;
};

}  // namespace latcover
