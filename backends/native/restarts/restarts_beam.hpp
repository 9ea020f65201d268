// The second half of a head: from one filling, many ways on side by side.
//
// All fillings of one level hold equally many options. Each is continued by every option that covers its first open
// item, and of all results the best go on to the next level. So parts that are hard to place and corners that are hard
// to fill are used up on all levels, not only where a single head happened to choose well. Alex Selby and Oliver
// Riordan solved the Eternity puzzle so in 2000 (http://www.archduke.org/eternity/method/desc.html).

#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "restarts/restarts_filling.hpp"

namespace latcover {

class Beam {
public:
    using Chance = std::function<float()>;

    // `chance` draws from Gumbel's distribution.
    Beam(Filling& filling, Chance chance);

    // Continue from the filling until at most `most_left` is left of it. At most `width` fillings of a level go on.
    // `looks` grows by the options looked at. Returns whether all fillings went on. `stopping` is asked often; after it
    // said so, ends are few.
    bool run(std::size_t width, std::int64_t most_left, std::uint64_t& looks, const std::function<bool()>& stopping);

    std::size_t n_ends() const { return ends_.size(); }
    // The options that an end adds to the filling.
    void path_to_end(std::size_t end, std::vector<std::int32_t>& options) const { path(ends_[end], options); }

    // Options that fit the filling from which the beam began, by their first scanned item; the last list is of those
    // without one.
    std::span<const std::int32_t> starting_at_place(std::size_t place) const {
        return {live_.data() + starts_[place], static_cast<std::size_t>(starts_[place + 1] - starts_[place])};
    }

private:
    struct Node {
        std::int32_t parent;  // in the level before
        std::int32_t option;
        float score;          // of all options since the beginning
        float drawn;          // the score with chance added: the greatest go on
        std::uint64_t items;  // stands for the items held; equal ones have the same ways on
    };

    void find_live();
    void path(std::pair<std::size_t, std::size_t> node, std::vector<std::int32_t>& options) const;

    Filling& filling_;
    Chance chance_;
    std::vector<std::vector<Node>> levels_;
    std::vector<std::pair<std::size_t, std::size_t>> ends_;  // level and number
    std::vector<std::int64_t> starts_;
    std::vector<std::int32_t> live_;
};

}  // namespace latcover
