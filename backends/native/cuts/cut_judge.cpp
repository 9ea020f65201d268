#include "cuts/cut_judge.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

#include "cover/dlx.hpp"

namespace latcover {

namespace {

constexpr std::size_t most_shapes = 1024;  // that a judge remembers

// Adds up what the covers stand for.
class Counter : public Sink {
public:
    Counter(const std::vector<std::uint64_t>& weights, std::uint64_t most, const Brake& brake)
        : weights_(weights), most_(most), brake_(brake) {}

    bool covers(const Batch& batch) override {
        for (std::size_t k = 0; k < batch.size(); ++k) {
            std::uint64_t stands_for = 0;
            for (auto at = batch.starts[k]; at < batch.starts[k + 1]; ++at) stands_for += weights_[batch.options[at]];
            total += std::max<std::uint64_t>(stands_for, 1);
        }
        return total < most_;
    }
    bool progress(double, const Statistics&) override { return !brake_.pulled(); }

    std::uint64_t total = 0;

private:
    const std::vector<std::uint64_t>& weights_;
    std::uint64_t most_;
    const Brake& brake_;
};

// Parts that are alike, as one kind.
std::vector<CutKind> kinds_of(const CutSpace& space, const Cutting& parts) {
    std::vector<CutKind> kinds;
    for (const CellMask& part : parts) {
        const auto alike = std::find_if(kinds.begin(), kinds.end(), [&](const CutKind& kind) {
            return std::binary_search(kind.placements.begin(), kind.placements.end(), part);
        });
        if (alike != kinds.end()) ++alike->copies;
        else kinds.push_back({space.placements(part), 1});
    }
    return kinds;
}

// In how many ways the parts lie as they do: their images under the symmetries of region and parts.
std::size_t images_of(const CutSpace& space, const Cutting& parts, const std::vector<CutKind>& kinds) {
    std::vector<Cutting> images;
    for (std::size_t k = 0; k < space.symmetries().size(); ++k) {
        Cutting image;
        for (const CellMask& part : parts) image.push_back(space.image(space.symmetries()[k], part));
        if (k >= static_cast<std::size_t>(space.n_allowed_symmetries())) {  // a mirror image needs the same kinds
            std::vector<int> copies(kinds.size(), 0);
            const bool known = std::all_of(image.begin(), image.end(), [&](const CellMask& part) {
                for (std::size_t t = 0; t < kinds.size(); ++t)
                    if (std::binary_search(kinds[t].placements.begin(), kinds[t].placements.end(), part)) {
                        ++copies[t];
                        return true;
                    }
                return false;
            });
            bool same = known;
            for (std::size_t t = 0; t < kinds.size() && same; ++t) same = copies[t] == kinds[t].copies;
            if (!same) continue;
        }
        std::sort(image.begin(), image.end());
        images.push_back(std::move(image));
    }
    std::sort(images.begin(), images.end());
    return static_cast<std::size_t>(std::unique(images.begin(), images.end()) - images.begin());
}

}  // namespace

CutWorth CutJudge::judge(const Cutting& parts, const CutWorth& wanted, CutFigures& figures) {
    figures = {};
    figures.violations = violations(parts);
    if (figures.violations > 0) return worth(figures, false, false);
    if (worth(figures, true, false) < wanted && !rules_.levels) return worth(figures, true, false);
    if (rules_.levels) take_apart(parts, figures);
    // Turns take long, so solutions are counted before they are tried.
    const bool slides_apart = figures.level > 0;
    const bool turning = rules_.turn && (rules_.always_turn || !slides_apart);
    if (rules_.turn && !rules_.always_turn && slides_apart) {
        figures.nearness = (figures.level == 1 ? 0.5 * figures.nearness : 0.5);
        figures.level = figures.moves = 0;
    }
    if (const CutWorth best = worth(figures, true, turning); best < wanted) return best;
    count(parts, figures);
    if (!turning) return worth(figures, false, false);
    if (const CutWorth best = worth(figures, false, true); best < wanted) return best;
    turn(parts, figures);
    return worth(figures, false, false);
}

void CutJudge::turn(const Cutting& parts, CutFigures& figures) const {
    std::vector<std::vector<int>> cells;
    for (const CellMask& part : parts) each_cell(part, [&, &of = cells.emplace_back()](int c) { of.push_back(c); });
    const CutTurned turned = rules_.turn(cells);
    while (turned.level < 0 && !brake_.pulled()) std::this_thread::yield();  // the caller is ending the search
    if (turned.turns == 0 && !rules_.always_turn) return;
    figures.level = turned.level;
    figures.moves = turned.moves;
    figures.turns = turned.turns;
}

// What is not yet known, the number of solutions or how the cut turns apart, is taken to be as good as it can be.
CutWorth CutJudge::worth(const CutFigures& f, bool uncounted, bool unturned) const {
    const double single = uncounted ? 0 : -(f.counted ? std::log2(std::max(1.0, f.solutions)) : 1e3);
    const double difficult = !rules_.hard ? 0 : uncounted ? 1e3 : f.counted ? std::log2(1.0 + double(f.branches)) : 0;
    const double level = unturned ? 1e3 : f.level > 1 || f.turns > 0 ? f.level : f.nearness;
    return {-double(f.violations),
            f.violations > 0 ? 0 : std::min(level, double(rules_.min_level)) * (rules_.hard ? 1 : 0),
            f.violations > 0 ? 0 : single,
            double(f.in_order),
            rules_.hard ? difficult : level,
            rules_.hard ? level : double(f.moves),
            rules_.hard ? double(f.moves) : double(f.turns),
            rules_.hard ? double(f.turns) : 0.0};
}

int CutJudge::violations(const Cutting& parts) const {
    int found = 0;
    std::vector<int> sizes, crossed(space_.n_junctions(), 0);
    for (const CellMask& part : parts) {
        space_.each_crossed(part, [&](int junction) { found += crossed[junction]++; });
        const int size = size_of(part);
        sizes.push_back(size);
        found += std::max({0, rules_.least_size - size, size - rules_.most_size});
        found += rules_.least_rank > 0 && space_.rank(part) < rules_.least_rank;
        found += std::binary_search(rules_.forbidden.begin(), rules_.forbidden.end(), part);
        found += rules_.asymmetric && space_.has_symmetry(part);
    }
    std::sort(sizes.begin(), sizes.end());
    for (std::size_t k = 0; k < rules_.sizes.size(); ++k) found += std::abs(sizes[k] - rules_.sizes[k]);
    if (rules_.different || rules_.no_mirrors) {
        for (std::size_t i = 0; i < parts.size(); ++i)
            for (std::size_t j = i + 1; j < parts.size(); ++j) {
                if (size_of(parts[i]) != size_of(parts[j])) continue;
                const auto there = space_.placements(parts[i]);
                found += std::binary_search(there.begin(), there.end(), parts[j]) ||
                         (rules_.no_mirrors && space_.is_mirrored(parts[i], parts[j]));
            }
    }
    return found;
}

void CutJudge::take_apart(const Cutting& parts, CutFigures& figures) {
    if (!shapes_ || shape_of_.size() > most_shapes) {
        shapes_ = std::make_unique<Shapes>(geometry_.directions, geometry_.n_nodes, geometry_.hits);
        shape_of_.clear();
    }
    Assembly assembly;
    for (const CellMask& part : parts) {
        const auto [at, is_new] = shape_of_.try_emplace(part, 0);
        if (is_new) {
            std::vector<Cell> cells;
            each_cell(part, [&](int c) { cells.push_back(geometry_.cells[c]); });
            at->second = shapes_->add(std::move(cells));
        }
        const int number = static_cast<int>(assembly.parts.size());
        assembly.parts.push_back({at->second, {0, 0, 0}, number, 1});
    }
    const TakenApart taken = latcover::take_apart(*shapes_, assembly, {}, {rules_.most_states, 1}, brake_);
    // Cuts that are stuck and cuts that fall apart both border on those that come apart late: the former the freer
    // their parts are, the latter the fewer ways out they have.
    figures.nearness = 0.9 + 0.005 * std::min(16.0, std::log2(1.0 + static_cast<double>(taken.states)));
    if (taken.result != Result::apart || taken.partings.empty()) return;
    figures.level = static_cast<int>(taken.partings[0].moves.size());
    if (figures.level == 1) figures.nearness = 1.0 - 0.01 * std::min(99, ways_out(*shapes_, assembly));
    for (const Parting& parting : taken.partings) figures.moves += static_cast<int>(parting.moves.size());
    if (!rules_.one_order) return;
    std::vector<Reach> reaches;
    for (const CellMask& part : parts) {
        Reach& of = reaches.emplace_back();
        each_cell(part, [&](int c) {
            if (of.empty()) of = geometry_.reaches[c];
            for (std::size_t d = 0; d < of.size(); ++d) {
                of[d][0] = std::min(of[d][0], geometry_.reaches[c][d][0]);
                of[d][1] = std::max(of[d][1], geometry_.reaches[c][d][1]);
            }
        });
    }
    figures.in_order =
        partings_in_one_way(*shapes_, assembly, geometry_, reaches, taken.partings, rules_.most_states, brake_);
    figures.one_order = figures.in_order + 1 == static_cast<int>(parts.size());
}

void CutJudge::count(const Cutting& parts, CutFigures& figures) const {
    const auto kinds = kinds_of(space_, parts);
    const auto [outcome, total] = search(kinds, true);
    const double images = static_cast<double>(images_of(space_, parts, kinds));
    const bool all = outcome.stop == Stop::exhausted;
    figures.counted = all || outcome.stop == Stop::cover_limit || outcome.stop == Stop::cancelled;
    figures.solutions = std::max(static_cast<double>(total) / images, all ? 1.0 : 2.0);
    figures.branches = outcome.statistics.branches;
    // The measure of difficulty is of the search without symmetry.
    if (rules_.hard && all && figures.solutions == 1) figures.branches = search(kinds, false).first.statistics.branches;
}

// The search for all solutions, and their number. If `reduced`, the part with the fewest placements is laid once in
// each class of them, and each solution counts as often as it has images.
std::pair<Outcome, std::uint64_t> CutJudge::search(const std::vector<CutKind>& kinds, bool reduced) const {
    const auto fewest = [](const CutKind& a, const CutKind& b) {
        return std::tuple(a.copies > 1, a.placements.size()) < std::tuple(b.copies > 1, b.placements.size());
    };
    const auto pivot = std::min_element(kinds.begin(), kinds.end(), fewest);
    reduced = reduced && pivot->copies == 1;
    const auto n_kinds = static_cast<std::int32_t>(kinds.size()), n_cells = space_.n_cells();
    const auto n_items = static_cast<std::size_t>(n_cells + n_kinds + space_.n_junctions());
    std::vector<std::int64_t> starts{0};
    std::vector<std::int32_t> items, low(n_items, 1), high(n_items, 1);
    std::fill(low.begin() + n_cells + n_kinds, low.end(), 0);
    if (rules_.holes > 0) each_cell(rules_.inner, [&](int c) { low[c] = 0; });
    std::vector<std::uint64_t> weights;
    for (std::int32_t t = 0; t < n_kinds; ++t) {
        low[n_cells + t] = high[n_cells + t] = kinds[t].copies;
        for (const CellMask& placed : kinds[t].placements) {
            std::uint64_t weight = 0;
            if (reduced && &kinds[t] == &*pivot) {
                std::uint64_t fixed = 0;
                bool least = true;
                for (int k = 0; k < space_.n_allowed_symmetries() && least; ++k) {
                    const CellMask image = space_.image(space_.symmetries()[k], placed);
                    fixed += image == placed;
                    least = !(image < placed);
                }
                if (!least) continue;
                weight = static_cast<std::uint64_t>(space_.n_allowed_symmetries()) / fixed;
            }
            each_cell(placed, [&](int c) { items.push_back(c); });
            items.push_back(n_cells + t);
            space_.each_crossed(placed, [&](int junction) { items.push_back(n_cells + n_kinds + junction); });
            starts.push_back(static_cast<std::int64_t>(items.size()));
            weights.push_back(weight);
        }
    }
    const Problem problem{starts, items, low, high, n_cells, n_kinds};
    Counter counter(weights, rules_.most_solutions, brake_);
    const Limits limits{rules_.most_solutions, rules_.most_branches, std::numeric_limits<double>::infinity()};
    Outcome outcome = dlx_search(problem, {}, limits, counter);
    return {std::move(outcome), counter.total};
}

}  // namespace latcover
