#include "module/cut_module.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>

#include "apart/geometry_arrays.hpp"
#include "cuts/cut_walk.hpp"
#include "module/arrays.hpp"

namespace nb = nanobind;

namespace latcover {

namespace {

class Cutter {
public:
    Cutter(int n_cells, const Input<std::int64_t>& starts, const Input<std::int32_t>& neighbours,
           const Input<std::int16_t>& maps, int n_allowed, const Input<double>& centres,
           const Input<std::int32_t>& crossings) {
        require(n_cells >= 1 && n_cells <= most_cut_cells, "too many cells");
        require(starts.size() == static_cast<std::size_t>(n_cells) + 1 && starts.data()[0] == 0,
                "starts do not fit the cells");
        std::vector<std::vector<int>> beside(n_cells);
        for (int c = 0; c < n_cells; ++c) {
            const auto from = starts.data()[c], to = starts.data()[c + 1];
            require(from <= to && static_cast<std::size_t>(to) <= neighbours.size(),
                    "starts do not fit the neighbours");
            for (auto at = from; at < to; ++at) {
                const int d = neighbours.data()[at];
                require(d >= 0 && d < n_cells, "a neighbour is no cell");
                beside[c].push_back(d);
            }
        }
        require(maps.size() > 0 && maps.size() % n_cells == 0 && n_allowed >= 1 &&
                    static_cast<std::size_t>(n_allowed) <= maps.size() / n_cells,
                "maps do not fit the cells");
        for (std::size_t k = 0; k < maps.size(); ++k)
            require(maps.data()[k] >= -1 && maps.data()[k] < n_cells, "a map leads to no cell");
        for (int c = 0; c < n_cells; ++c) require(maps.data()[c] == c, "the first map is not the identity");
        require(centres.size() == 3 * static_cast<std::size_t>(n_cells), "a centre has three numbers");
        require(crossings.size() % 3 == 0, "a crossing has three numbers");
        std::vector<Crossing> crossed;
        for (std::size_t k = 0; k < crossings.size(); k += 3) {
            crossed.push_back({crossings.data()[k], crossings.data()[k + 1], crossings.data()[k + 2]});
            const auto& [one, other, junction] = crossed.back();
            require(std::min(one, other) >= 0 && std::max(one, other) < n_cells, "a crossing has an unknown cell");
            require(junction >= (k > 0 ? crossings.data()[k - 1] : 0) && junction < 4 * most_cut_cells,
                    "the crossings are not by junction");
        }
        space_ = std::make_unique<CutSpace>(
            n_cells, std::move(beside), std::vector<std::int16_t>(maps.data(), maps.data() + maps.size()), n_allowed,
            std::vector<double>(centres.data(), centres.data() + centres.size()), std::move(crossed));
    }

    // reaches: low and high of each cell along each direction. rises: of each direction, by a step along each axis.
    void slides(const Input<std::int32_t>& directions, int n_nodes, const Input<std::int64_t>& hit_starts,
                const Input<std::int32_t>& hits, const Input<std::int32_t>& cells, const Input<double>& reaches,
                const Input<double>& rises) {
        auto [ways, met] = sliding_of(view(directions), n_nodes, view(hit_starts), view(hits));
        geometry_ = {std::move(ways), n_nodes, std::move(met), cells_of(view(cells), n_nodes), {}, {}};
        const std::size_t n_ways = geometry_.directions.size(), n_cells = geometry_.cells.size();
        require(static_cast<int>(n_cells) == space_->n_cells(), "the cells are not those of the region");
        require(reaches.size() == 2 * n_cells * n_ways && rises.size() == 3 * n_ways,
                "the reaches do not fit the cells and the directions");
        geometry_.reaches.assign(n_cells, Reach(n_ways));
        for (std::size_t k = 0; k < reaches.size(); ++k)
            geometry_.reaches[k / 2 / n_ways][k / 2 % n_ways][k % 2] = reaches.data()[k];
        geometry_.rises.resize(n_ways);
        for (std::size_t k = 0; k < rises.size(); ++k) geometry_.rises[k / 3][k % 3] = rises.data()[k];
    }

    // forbidden: cells of each forbidden part, -1 after each. inner: the cells that may be holes.
    void rules(int n_parts, int least_size, int most_size, std::vector<int> sizes, bool different, bool no_mirrors,
               bool asymmetric, int least_rank, const Input<std::int32_t>& forbidden, int holes,
               const Input<std::int32_t>& inner, bool one_order, bool hard, int min_level) {
        require(n_parts >= 1 && n_parts <= std::min(space_->n_cells(), most_parts), "so many parts cannot be");
        require(sizes.empty() || static_cast<int>(sizes.size()) == n_parts, "sizes do not fit the parts");
        const auto number_of_cells = [&](int x) { return x >= 0 && x <= space_->n_cells(); };
        require(number_of_cells(least_size) && number_of_cells(most_size) && number_of_cells(holes) &&
                    std::all_of(sizes.begin(), sizes.end(), number_of_cells),
                "a size, or the number of holes, is no number of the region's cells");
        rules_ = {};
        rules_.n_parts = n_parts;
        rules_.least_size = least_size;
        rules_.most_size = most_size;
        std::sort(sizes.begin(), sizes.end());
        rules_.sizes = std::move(sizes);
        rules_.different = different;
        rules_.no_mirrors = no_mirrors;
        rules_.asymmetric = asymmetric;
        rules_.least_rank = least_rank;
        CellMask mask{};
        for (std::size_t k = 0; k < forbidden.size(); ++k) {
            const int c = forbidden.data()[k];
            require(c >= -1 && c < space_->n_cells(), "a forbidden part has an unknown cell");
            if (c >= 0) flip(mask, c);
            else {
                rules_.forbidden.push_back(mask);
                mask = {};
            }
        }
        std::sort(rules_.forbidden.begin(), rules_.forbidden.end());
        rules_.holes = holes;
        for (std::size_t k = 0; k < inner.size(); ++k) {
            require(inner.data()[k] >= 0 && inner.data()[k] < space_->n_cells(), "an inner cell is unknown");
            if (!holds(rules_.inner, inner.data()[k])) flip(rules_.inner, inner.data()[k]);
        }
        rules_.levels = !geometry_.cells.empty();
        rules_.one_order = one_order;
        rules_.hard = hard;
        rules_.min_level = min_level;
    }

    // start: the part of each cell, -1 for none. movable: the cells that may leave their parts. held: parts that take
    // no cells; none of theirs may move.
    void start(const Input<std::int32_t>& start, const Input<std::int32_t>& movable, const std::vector<int>& held,
               std::uint64_t most_states) {
        require(rules_.n_parts > 0, "there are no rules yet");
        require(static_cast<int>(start.size()) == space_->n_cells(), "a start has a part for each cell");
        require(movable.size() > 0, "no cell may move");
        std::vector<int> sizes(rules_.n_parts, 0);
        for (std::size_t c = 0; c < start.size(); ++c) {
            const int p = start.data()[c];
            require(p >= -1 && p < rules_.n_parts, "a cell starts in no part");
            if (p >= 0) ++sizes[p];
            else require(holds(rules_.inner, static_cast<int>(c)), "a cell that may not be empty starts empty");
        }
        require(std::count(sizes.begin(), sizes.end(), 0) == 0, "a part starts without cells");
        rules_.start.assign(start.data(), start.data() + start.size());
        rules_.movable = {};
        for (std::size_t k = 0; k < movable.size(); ++k) {
            const int c = movable.data()[k];
            require(c >= 0 && c < space_->n_cells(), "a movable cell is unknown");
            if (!holds(rules_.movable, c)) flip(rules_.movable, c);
        }
        rules_.held.assign(rules_.n_parts, 0);
        for (const int p : held) {
            require(p >= 0 && p < rules_.n_parts, "a part that is held is unknown");
            rules_.held[p] = 1;
        }
        rules_.most_states = most_states;
    }

    // turned: given the cells of each part, says how they come apart by sliding and turning: the moves to the first
    // separation (0 if they do not), those of all separations, and how many of them are turns.
    void turns(nb::object turned, bool always) {
        require(rules_.n_parts > 0, "there are no rules yet");
        require(rules_.levels, "parts do not slide");
        rules_.always_turn = always;
        rules_.turn = [turned](const std::vector<std::vector<int>>& parts) {
            const nb::gil_scoped_acquire lock;
            const auto [level, moves, n_turns] = nb::cast<std::array<int, 3>>(turned(parts));
            return CutTurned{level, moves, n_turns};
        };
    }

    void run(std::uint64_t seed, std::uint64_t first, std::uint64_t n_walks, std::uint64_t patience,
             std::uint64_t memory, int rounds, unsigned threads, std::optional<double> seconds, nb::object on_found,
             nb::object on_progress) {
        require(rules_.n_parts > 0, "there are no rules yet");
        require(threads >= 1 && threads <= 1024, "threads must lie between 1 and 1024");
        CutEffort effort;
        effort.seed = seed;
        effort.patience = patience;
        effort.memory = static_cast<std::size_t>(memory);
        effort.rounds = rounds;
        const auto found = [&](const CutFound& f) {
            nb::gil_scoped_acquire lock;
            std::vector<std::int32_t> owner(space_->n_cells(), -1);
            for (std::size_t p = 0; p < f.parts.size(); ++p)
                each_cell(f.parts[p], [&](int c) { owner[c] = static_cast<std::int32_t>(p); });
            using namespace nb::literals;
            const CutFigures& figures = f.figures;
            return nb::cast<bool>(on_found(
                "number"_a = f.number, "owner"_a = as_numpy(std::move(owner)), "violations"_a = figures.violations,
                "solutions"_a = figures.solutions, "counted"_a = figures.counted, "level"_a = figures.level,
                "moves"_a = figures.moves, "turns"_a = figures.turns, "one_order"_a = figures.one_order,
                "branches"_a = figures.branches, "candidates"_a = f.candidates, "whole"_a = f.whole));
        };
        const auto progress = [&](const CutProgress& so_far) {
            nb::gil_scoped_acquire lock;
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
            return on_progress.is_none() ||
                   nb::cast<bool>(on_progress(so_far.walks, so_far.candidates, so_far.seconds));
        };
        nb::gil_scoped_release unlock;
        cut_by_walks(*space_, rules_, geometry_, effort, first, n_walks, threads,
                     seconds.value_or(std::numeric_limits<double>::infinity()), found, progress);
    }

private:
    std::unique_ptr<CutSpace> space_;
    CutGeometry geometry_;
    CutRules rules_;
};

}  // namespace

void define_cutter(nb::module_& m) {
    using namespace nb::literals;
    nb::class_<Cutter>(m, "Cutter", "Cuts a region into parts by local search.")
        .def(nb::init<int, const Input<std::int64_t>&, const Input<std::int32_t>&, const Input<std::int16_t>&, int,
                      const Input<double>&, const Input<std::int32_t>&>(),
             "n_cells"_a, "starts"_a.noconvert(), "neighbours"_a.noconvert(), "maps"_a.noconvert(), "n_allowed"_a,
             "centres"_a.noconvert(), "crossings"_a.noconvert())
        .def("slides", &Cutter::slides, "directions"_a.noconvert(), "n_nodes"_a, "hit_starts"_a.noconvert(),
             "hits"_a.noconvert(), "cells"_a.noconvert(), "reaches"_a.noconvert(), "rises"_a.noconvert(),
             "Say how parts slide; without it no levels are looked at.")
        .def("rules", &Cutter::rules, nb::kw_only(), "n_parts"_a, "least_size"_a, "most_size"_a, "sizes"_a,
             "different"_a, "no_mirrors"_a, "asymmetric"_a, "least_rank"_a, "forbidden"_a.noconvert(), "holes"_a,
             "inner"_a.noconvert(), "one_order"_a, "hard"_a, "min_level"_a, "Say what is asked for.")
        .def("start", &Cutter::start, nb::kw_only(), "start"_a.noconvert(), "movable"_a.noconvert(), "held"_a,
             "most_states"_a, "Begin all walks with this cut.")
        .def("turns", &Cutter::turns, "turned"_a, nb::kw_only(), "always"_a, "Say how parts turn.")
        .def("run", &Cutter::run, nb::kw_only(), "seed"_a, "first"_a, "n_walks"_a, "patience"_a, "memory"_a, "rounds"_a,
             "threads"_a, "seconds"_a.none(), "on_found"_a, "on_progress"_a.none(),
             "Walk, and hand over what each walk has found, in order.");
    m.attr("most_cut_cells") = most_cut_cells;
}

}  // namespace latcover
