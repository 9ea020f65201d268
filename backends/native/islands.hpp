// Stranding: an island of empty cells that the parts left cannot fill (Barequet and Tal 2010, section 3; Tal's thesis).
//
// Islands are connected sets of mandatory cells not yet covered. An option must cover a connected set of them, so that it
// lies in one island; what it covers of them is its *weight*. An option that covers two such sets apart (across optional
// cells, or because a part has gaps) makes the argument unsound, and the problem is refused.

#pragma once

#include <unordered_map>

#include "search.hpp"

namespace latcover {

enum class Stranding {
    none,
    rows,    // only once: leave out options that on their own cut off an island smaller than the smallest part
    anchor,  // the island around the first empty cell is smaller than the smallest part left
    sums,    // the size of some island is no sum of the sizes of parts left
};

class Islands {
public:
    // throws: Unsupported, where islands prove nothing. Without stranding nothing is looked at.
    Islands(const Problem& problem, Stranding stranding);

    Stranding stranding() const { return stranding_; }
    bool watching() const { return stranding_ >= Stranding::anchor; }

    void take(std::int32_t option) { change(option, -1); }
    void give_back(std::int32_t option) { change(option, 1); }

    // Whether what is empty now cannot be filled. require: watching().
    bool strands();

    // Whether an option, taken first, cuts off an island that is too small.
    bool cuts_off(std::int32_t option);

private:
    void change(std::int32_t option, std::int32_t by);
    void find_kinds();
    std::int32_t weight_of(std::int32_t option);
    std::int32_t smallest_left() const;
    std::int32_t island(std::int32_t start, std::int32_t enough);
    const std::vector<bool>& sums_left();

    template <typename Visit>
    void for_each_cell(std::int32_t option, Visit visit) const;

    const Problem& problem_;
    Stranding stranding_;
    std::vector<char> empty_;                     // of each cell: mandatory, and not covered
    std::vector<std::uint64_t> seen_;             // of each cell: the last island that it was met in
    std::uint64_t island_number_ = 0;
    std::vector<std::int32_t> stack_;

    // Parts of the same weights are a kind; the options that no part limits are one too.
    struct Kind {
        std::vector<std::int32_t> weights;  // ascending
        std::int64_t left;                  // copies
        std::uint64_t stride;               // of `left` in the key of `sums_`; 0 where nothing limits the copies
    };
    std::vector<Kind> kinds_;         // by their least weight
    std::vector<std::int32_t> kind_;  // of each option; none where it covers no mandatory cell
    std::uint64_t key_ = 0;           // the copies left of all kinds
    std::unordered_map<std::uint64_t, std::vector<bool>> sums_;
};

}  // namespace latcover
