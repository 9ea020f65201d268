// Stranding: the search gives up a node with an island of empty cells that the parts left cannot fill (Barequet and Tal
// 2010, section 3; Tal's thesis).
//
// An *island* is a connected set of mandatory cells that are not yet covered. The *weight* of an option is the number
// of mandatory cells that it covers. They must be connected, so that the option lies in one island. An option may cover
// two sets apart, because optional cells lie between them or because its part has gaps. Then the argument is unsound,
// and the problem is refused.

#pragma once

#include <string>
#include <unordered_map>

#include "cover/search.hpp"

namespace latcover {

enum class Stranding {
    none,
    rows,    // before the search: leave out each option that alone cuts off an island smaller than the smallest part
    anchor,  // the island around the first empty cell is smaller than the smallest part left
    sums,    // the size of some island is not a sum of sizes of parts left
};

class Islands {
public:
    // throws: Unsupported, if islands prove nothing here. Without stranding nothing is checked. Where a `refusal` is
    // given, it says why stranding would be unsound, and nothing is thrown; do not use the islands then.
    Islands(const Problem& problem, Stranding stranding, std::string* refusal = nullptr);

    Stranding stranding() const { return stranding_; }
    bool watching() const { return stranding_ >= Stranding::anchor; }

    void take(std::int32_t option) { change(option, -1); }
    void give_back(std::int32_t option) { change(option, 1); }

    // Whether the cells that are empty now cannot be filled. require: watching().
    bool strands();

    // The same, at less cost, after `option` was taken where nothing was stranded. require: stranding() ==
    // Stranding::sums.
    bool strands_after(std::int32_t option);

    // Whether an option that is taken first cuts off an island that is too small.
    bool cuts_off(std::int32_t option);

private:
    void change(std::int32_t option, std::int32_t by);
    void find_kinds();
    std::int32_t weight_of(std::int32_t option);
    void refuse(const char* why);
    std::int32_t smallest_left() const;
    std::int32_t island(std::int32_t start, std::int32_t enough);
    const std::vector<bool>& sums_left();

    template <typename Visit>
    void for_each_cell(std::int32_t option, Visit visit) const;

    const Problem& problem_;
    Stranding stranding_;
    std::string* refusal_;
    std::vector<char> empty_;          // of each cell: whether it is mandatory and not covered
    std::vector<std::uint64_t> seen_;  // of each cell: the number of the last island that it was met in
    std::uint64_t island_number_ = 0;
    std::vector<std::int32_t> stack_, around_;

    // Parts with the same weights are one kind. The options that no part limits are a kind too.
    struct Kind {
        std::vector<std::int32_t> weights;  // ascending
        std::int64_t left;                  // copies left
        std::uint64_t stride;               // weight of `left` in the key of `sums_`; 0 if nothing limits the copies
    };
    std::vector<Kind> kinds_;         // the least weight ascends
    std::vector<std::int32_t> kind_;  // of each option; none if it covers no mandatory cell
    std::uint64_t key_ = 0;           // stands for the copies left of all kinds
    std::unordered_map<std::uint64_t, std::vector<bool>> sums_;
};

}  // namespace latcover
