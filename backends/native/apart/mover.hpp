// The moves of a group of parts: who can go how far, and who must go along.

#pragma once

#include "apart/apart_context.hpp"
#include "apart/part_set.hpp"

namespace latcover {

// The moves of some parts of an assembly from one position after another.
template <int W>
class Mover {
public:
    using Set = PartSet<W>;

    Mover(const Context& context, const std::vector<int>& ids)
        : context_(context), ids_(ids), n_(static_cast<int>(ids.size())), all_(Set::all(n_)) {
        n_directions_ = context.shapes.directions().size();
        free_.resize(n_directions_ * n_ * n_);
        locked_.resize(n_directions_);
        out_.resize(n_);
        in_.resize(n_);
        closure_.resize(n_);
        above_.resize(n_);
        t_.resize(n_);
        r1_.resize(n_);
        r2_.resize(n_);
        code_.resize(n_);
    }

    // Look what is in the way everywhere. Returns whether some parts can leave the others.
    bool look(const Vec* places) {
        places_ = places;
        bool leaves = false;
        for (std::size_t d = 0; d < n_directions_; ++d) {
            locked_[d] = !look_along(d);
            if (!locked_[d]) leaves = leaves || !is_connected(free_of(d), infinite);
        }
        return leaves;
    }

    // Hand on each set of parts that can leave, with its direction: act(set, direction). False from it ends the
    // listing.
    template <typename Act>
    void leavers(Act act) {
        for (std::size_t d = 0; d < n_directions_; ++d) {
            if (locked_[d] || is_connected(free_of(d), infinite)) continue;
            bool more = true;
            each_movable([&](const Set& set) { return more = act(set, static_cast<int>(d)); });
            if (!more) return;
        }
    }

    // Hand on each move: act(set, direction, steps). False from it ends the listing.
    // require: no parts can leave.
    template <typename Act>
    void moves(Act act) {
        for (std::size_t d = 0; d < n_directions_; ++d) {
            if (locked_[d]) continue;
            for (int k = 1; !is_connected(free_of(d), k); ++k) {
                bool more = true;
                each_movable([&](const Set& set) { return more = act(set, static_cast<int>(d), k); });
                if (!more) return;
            }
        }
    }

    // Hand on each single step: act(set, step). False from it ends the listing.
    template <typename Act>
    void steps(Act act) {
        for (std::size_t d = 0; d < n_directions_; ++d) {
            if (locked_[d] || is_connected(free_of(d), 1)) continue;
            bool more = true;
            each_movable([&](const Set& set) { return more = act(set, context_.shapes.directions()[d].step); });
            if (!more) return;
        }
    }

private:
    int* free_of(std::size_t d) { return &free_[d * n_ * n_]; }

    // Fill in how far each part can go against each other; false if already one step needs all parts to go.
    bool look_along(std::size_t d) {
        const Direction& along = context_.shapes.directions()[d];
        for (int i = 0; i < n_; ++i) {
            const Vec v = along.mapped(places_[i]);
            t_[i] = v[0];
            r1_[i] = v[1];
            r2_[i] = v[2];
        }
        if (context_.grid != nullptr && is_near(context_.grid->planes[d])) return look_fast(d);
        int* free = free_of(d);
        for (int i = 0; i < n_; ++i)
            for (int j = i + 1; j < n_; ++j) {
                const Barrier& b = (*context_.barriers[ids_[i] * context_.n + ids_[j]])[d];
                const std::uint64_t* row = b.row(r1_[j] - r1_[i], r2_[j] - r2_[i]);
                free[i * n_ + j] = free_down(b, row, t_[j] - t_[i]);
                free[j * n_ + i] = free_up(b, row, t_[j] - t_[i]);
            }
        return !is_connected(free, 1);
    }

    bool is_near(const Grid::Plane& plane) const {
        const auto near = [&](const std::vector<int>& values, int half) {
            const auto [low, high] = std::minmax_element(values.begin(), values.end());
            return *high - *low <= half;
        };
        return near(t_, Grid::half_t) && near(r1_, plane.half_1) && near(r2_, plane.half_2);
    }

    bool look_fast(std::size_t d) {
        const Grid::Plane& plane = context_.grid->planes[d];
        const std::uint64_t* bits = plane.bits.data();
        for (int i = 0; i < n_; ++i) code_[i] = r1_[i] * plane.size_2 + r2_[i];
        const int middle = plane.half_1 * plane.size_2 + plane.half_2;
        for (int i = 0; i < n_; ++i) out_[i] = in_[i] = Set{};
        for (int i = 0; i < n_; ++i) {
            const std::uint64_t* of_i = bits + static_cast<std::size_t>(ids_[i]) * context_.n * plane.rows;
            const int from = middle - code_[i], t_from = Grid::half_t + 1 - t_[i];
            Set down{}, up{};
            for (int j = i + 1; j < n_; ++j) {
                const std::uint64_t row = of_i[ids_[j] * plane.rows + (from + code_[j])] >> (t_from + t_[j]);
                down.add_if(j, row & 1);
                up.add_if(j, row >> 1 & 1);
            }
            out_[i] = out_[i] | down;
            in_[i] = in_[i] | up;
            down.each([&](int j) { in_[j].add(i); });
            up.each([&](int j) { out_[j].add(i); });
        }
        if (reach_all(out_) && reach_all(in_)) return false;
        int* free = free_of(d);
        for (int i = 0; i < n_; ++i) {
            const std::uint64_t* of_i = bits + static_cast<std::size_t>(ids_[i]) * context_.n * plane.rows;
            const int from = middle - code_[i], t_from = Grid::half_t + 1 - t_[i];
            for (int j = i + 1; j < n_; ++j) {
                const std::uint64_t row = of_i[ids_[j] * plane.rows + (from + code_[j])];
                const int t = t_from + t_[j];
                const std::uint64_t below = row << (63 - t), above = row >> t >> 1;
                free[i * n_ + j] = below == 0 ? infinite : std::countl_zero(below);
                free[j * n_ + i] = above == 0 ? infinite : std::countr_zero(above);
            }
        }
        return true;
    }

    // Whether each part pushes each other, directly or not, when it goes k steps. Leaves in out_ whom each part pushes.
    bool is_connected(const int* free, int k) {
        for (int i = 0; i < n_; ++i) out_[i] = in_[i] = Set{};
        for (int i = 0; i < n_; ++i)
            for (int j = 0; j < n_; ++j)
                if (i != j && free[i * n_ + j] < k) {
                    out_[i].add(j);
                    in_[j].add(i);
                }
        return reach_all(out_) && reach_all(in_);
    }

    bool reach_all(const std::vector<Set>& next) const {
        Set seen{}, todo{};
        seen.add(0);
        todo.add(0);
        while (!todo.empty()) {
            const Set found = next[todo.take_least()].without(seen);
            seen = seen | found;
            todo = todo | found;
        }
        return seen == all_;
    }

    // Hand on each set that pushes nobody else, by out_: neither the empty set nor all parts.
    template <typename Act>
    void each_movable(Act act) {
        for (int i = 0; i < n_; ++i) {
            Set seen{}, todo{};
            seen.add(i);
            todo.add(i);
            while (!todo.empty()) {
                const Set found = out_[todo.take_least()].without(seen);
                seen = seen | found;
                todo = todo | found;
            }
            closure_[i] = seen;
        }
        for (int i = 0; i < n_; ++i) above_[i] = Set{};
        for (int i = 0; i < n_; ++i) closure_[i].each([&](int j) { above_[j].add(i); });
        choose(Set{}, Set{}, act);
    }

    // Each part goes with all that it pushes, or stays with all that push it. So no set comes twice.
    template <typename Act>
    bool choose(const Set& going, const Set& staying, Act& act) {
        const Set open = all_.without(going).without(staying);
        if (open.empty()) return going.empty() || staying.empty() || act(going);
        const int i = open.least();
        return choose(going | closure_[i], staying, act) && choose(going, staying | above_[i], act);
    }

    const Context& context_;
    const std::vector<int>& ids_;
    int n_;
    Set all_;
    std::size_t n_directions_;
    const Vec* places_ = nullptr;
    std::vector<int> free_;  // [direction][i][j]: how many steps i can go before it meets j
    std::vector<char> locked_;
    std::vector<Set> out_, in_, closure_, above_;
    std::vector<int> t_, r1_, r2_, code_;
};

}  // namespace latcover
