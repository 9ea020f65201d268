// Holes between copies of shapes: the cells that covered ones enclose, since no way across sides leads out.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plane/plane_group.hpp"

namespace latcover {

// Cells and copies as numbers. A cell is (node * side + x + middle) * side + y + middle, a copy the same of its
// orientation and shift: so the shift of a copy adds a number to its cells. latcover/lab/plane/neighbours.py has the
// same numbers.
struct PlaneNumbers {
    static constexpr std::int64_t side = 1 << 18, units = side * side, middle = side / 2;
    static constexpr std::int64_t origin = middle * side + middle;

    static PlaneCell cell(std::int64_t number) {
        return {static_cast<std::int32_t>(number / units), static_cast<std::int32_t>(number / side % side - middle),
                static_cast<std::int32_t>(number % side - middle)};
    }
};

class HoleFinder {
public:
    // Of each node: the cells beside its cell at the origin. Of each orientation: the numbers of its cells.
    HoleFinder(std::vector<std::vector<PlaneCell>> beside, std::vector<std::vector<std::int64_t>> cells);

    int n_nodes() const { return static_cast<int>(beside_.size()); }
    int n_orientations() const { return static_cast<int>(cells_.size()); }

    // The holes between covered cells, each ascending, by their least cells.
    std::vector<std::vector<std::int64_t>> of(std::span<const std::int64_t> covered) const;

    // Those copies that leave a hole beside the orientation at the origin which no copies fill, by its number of cells.
    std::vector<std::int64_t> at_once(int orientation, std::span<const std::int64_t> copies) const;

private:
    // The cells of a box, by node, then x, then y: in the order of their numbers.
    struct Box {
        std::int32_t low_x = 0, low_y = 0, width = 0, height = 0;
        std::vector<char> taken;
        std::vector<PlaneCell> part;

        bool contains(PlaneCell cell) const {
            return cell.x >= low_x && cell.x < low_x + width && cell.y >= low_y && cell.y < low_y + height;
        }
        std::size_t place(PlaneCell cell) const {
            return (static_cast<std::size_t>(cell.node) * width + (cell.x - low_x)) * height + (cell.y - low_y);
        }
    };

    void lay(Box& box, std::span<const std::int64_t> covered) const;
    bool next_hole(Box& box, std::size_t& from) const;
    bool is_enclosed(Box& box, PlaneCell start) const;

    std::vector<std::vector<PlaneCell>> beside_;
    std::vector<std::vector<std::int64_t>> cells_;
    std::int32_t reach_ = 2;  // units: what lies so far off is outside
    std::size_t size_ = 0;    // divides the number of cells of all that copies fill
};

}  // namespace latcover
