#include "plane/plane_group.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace latcover {

PlaneTurns::PlaneTurns(int n_nodes, std::vector<std::int32_t> nodes, std::vector<std::int32_t> matrices,
                       std::vector<std::int32_t> shifts)
    : n_nodes_(n_nodes), n_turns_(static_cast<int>(matrices.size() / 4)), nodes_(std::move(nodes)),
      matrices_(std::move(matrices)), shifts_(std::move(shifts)) {
    for (int last = 0; last < n_turns_; ++last)
        for (int first = 0; first < n_turns_; ++first) products_.push_back(raw_after(last, first));
    for (int turn = 0; turn < n_turns_; ++turn)
        for (int other = 0; other < n_turns_; ++other)
            if (products_[other * n_turns_ + turn].turn == 0) {
                inverses_.push_back(other);
                break;
            }
    if (static_cast<int>(inverses_.size()) != n_turns_) throw std::invalid_argument("the transformations are no group");
}

Motion PlaneTurns::raw_after(int last, int first) const {
    const auto image = [&](int node, int x, int y) { return apply({last, 0, 0}, apply({first, 0, 0}, {node, x, y})); };
    const PlaneCell origin = image(0, 0, 0);
    for (int turn = 0; turn < n_turns_; ++turn) {
        const PlaneCell own = apply({turn, 0, 0}, {0, 0, 0});
        const Motion product{turn, origin.x - own.x, origin.y - own.y};
        bool same = apply(product, {0, 1, 0}) == image(0, 1, 0) && apply(product, {0, 0, 1}) == image(0, 0, 1);
        for (int node = 0; same && node < n_nodes_; ++node) same = apply(product, {node, 0, 0}) == image(node, 0, 0);
        if (same) return product;
    }
    throw std::invalid_argument("the transformations are no group");
}

Motion PlaneTurns::after(Motion last, Motion first) const {
    const Motion product = products_[last.turn * n_turns_ + first.turn];
    const std::int32_t* m = &matrices_[4 * last.turn];
    return {product.turn, product.x + m[0] * first.x + m[1] * first.y + last.x,
            product.y + m[2] * first.x + m[3] * first.y + last.y};
}

Motion PlaneTurns::inverse(Motion motion) const {
    const Motion back{inverses_[motion.turn], 0, 0};
    const Motion moved = after(back, motion);
    return {back.turn, -moved.x, -moved.y};
}

bool Translations::add(std::int32_t x, std::int32_t y) {
    bool grew = false;
    while (x != 0) {
        if (a == 0) {
            a = std::abs(x);
            b = x < 0 ? -y : y;
            x = y = 0;
            grew = true;
            break;
        }
        const std::int32_t q = floor_div(x, a);
        x -= q * a;
        y -= q * b;
        if (x != 0) {
            std::swap(a, x);
            std::swap(b, y);
            grew = true;
        }
    }
    if (y != 0 && (d == 0 || y % d != 0)) {
        d = std::gcd(d, y);
        grew = true;
    }
    if (d != 0) b -= floor_div(b, d) * d;
    return grew;
}

// The lemma of Schreier: what a motion of each class does, followed by a generator and the way back to the class's
// own motion, generates the translations.
PlaneGroup generated(const PlaneTurns& turns, std::span<const Motion> generators) {
    PlaneGroup group;
    std::vector<std::int32_t> place(turns.size(), -1);
    group.motions.push_back({0, 0, 0});
    place[0] = 0;
    for (std::size_t k = 0; k < group.motions.size(); ++k)
        for (const Motion generator : generators) {
            const Motion product = turns.after(group.motions[k], generator);
            if (place[product.turn] < 0) {
                place[product.turn] = static_cast<std::int32_t>(group.motions.size());
                group.motions.push_back(product);
                continue;
            }
            const Motion known = group.motions[place[product.turn]];
            group.translations.add(product.x - known.x, product.y - known.y);
        }
    return group;
}

}  // namespace latcover
