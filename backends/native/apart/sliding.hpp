// What is in the way when one shape slides past another: a table of bits for each pair of shapes and each direction.
//
// A direction is turned onto the first axis by a unimodular map. The offset between two shapes is then a number t of
// steps along the direction, and a remainder (r1, r2), which no slide along the direction changes. For each remainder,
// bit t is set if the slide between t and t - 1 is blocked. Blocked both ways: the bodies meet somewhere between the
// two ends, ends included.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "ground/threads.hpp"

namespace latcover {

using Vec = std::array<int, 3>;

struct Direction {
    Vec step;
    std::array<Vec, 3> map;  // rows; map * step = (1, 0, 0)

    Vec mapped(const Vec& v) const {
        Vec image;
        for (int k = 0; k < 3; ++k) image[k] = map[k][0] * v[0] + map[k][1] * v[1] + map[k][2] * v[2];
        return image;
    }
};

struct Cell {
    int node;
    Vec at;
};

// What is in the way of one shape against another, along one direction.
struct Barrier {
    int least_t, least_1, least_2;  // of the offsets that the table holds
    int size_t_, size_1, size_2;
    int words;  // of 64 bits, for each remainder
    std::vector<std::uint64_t> bits;

    // The bits of a remainder; null if nothing is in the way there.
    const std::uint64_t* row(int r1, int r2) const {
        const auto a = static_cast<unsigned>(r1 - least_1), b = static_cast<unsigned>(r2 - least_2);
        if (a >= static_cast<unsigned>(size_1) || b >= static_cast<unsigned>(size_2)) return nullptr;
        return &bits[(static_cast<std::size_t>(a) * size_2 + b) * words];
    }
};

// The barriers of a pair of shapes, one for each direction; the offset is that of the second from the first.
using Barriers = std::vector<Barrier>;

// The shapes of a puzzle, and their barriers, which are made when first used. Threads may share it.
class Shapes {
public:
    // hits[(direction * n_nodes + u) * n_nodes + w]: the offsets at which a cell w is met by a cell u on its way.
    Shapes(std::vector<Direction> directions, int n_nodes, std::vector<std::vector<Vec>> hits)
        : directions_(std::move(directions)), n_nodes_(n_nodes), hits_(std::move(hits)) {}

    int add(std::vector<Cell> cells);
    int size() const { return static_cast<int>(shapes_.size()); }
    const std::vector<Direction>& directions() const { return directions_; }
    const Barriers& barriers(int one, int other);

private:
    Barrier made(int direction, const std::vector<Cell>& one, const std::vector<Cell>& other) const;

    std::vector<Direction> directions_;
    int n_nodes_;
    std::vector<std::vector<Vec>> hits_;
    std::vector<std::vector<Cell>> shapes_;
    SharedMutex lock_;
    std::unordered_map<std::uint64_t, std::unique_ptr<Barriers>> barriers_;
};

}  // namespace latcover
