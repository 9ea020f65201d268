// Which lengths of a strip some shapes fill, for wide strips: the states between two columns as sets, without numbers.
//
// A state is the set of cells that the copies in the columns before have covered in the columns to come. The states
// after a column are those that the states before it lead to, if each empty cell of the next column is filled, the
// first one first. The empty state is reached after n columns if and only if the strip of length n is filled. There
// are finitely many states, but a wide strip has millions, so the sets are sorted vectors.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace latcover {

// Cells: those of the first column from bit 0 on, then those of the next column, and so on.
using StripBits = std::array<std::uint64_t, 4>;

class StripLengths {
public:
    // copies: those that cover a cell of the first column. mirrored: whether turning the order of the cells of each
    // column round maps the copies to copies; then a state and its image count as one.
    StripLengths(int width, std::span<const StripBits> copies, bool mirrored);

    // Replaces so many states of the column at most by those that follow. Returns whether the column is done.
    bool advance(std::size_t most);

    // Whether the empty state is among the states after the columns that are done.
    bool filled() const { return done_ && !now_.empty() && now_.front() == StripBits{}; }
    std::size_t states() const { return now_.size() + next_.size(); }

private:
    void fill(const StripBits& covered, int cell);
    void keep(StripBits state);
    void compress();
    StripBits image(const StripBits& state) const;

    int width_;
    bool mirrored_, done_ = true;
    std::vector<std::vector<StripBits>> by_first_;  // of each cell of the first column, the copies that begin there
    std::vector<StripBits> now_{StripBits{}}, next_;
    std::size_t at_ = 0, room_ = 1 << 16;  // of the next states, before they are sorted again
};

}  // namespace latcover
