#include "restarts/restarts_beam.hpp"

#include <algorithm>
#include <unordered_set>

namespace latcover {
namespace {

constexpr float hard = 3, noise = 0.1F;  // weights of hardness and of chance against open sides

std::uint64_t mixed(std::uint64_t x) {  // the finishing steps of splitmix64
    x = (x + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

}  // namespace

Beam::Beam(Filling& filling, Chance chance) : filling_(filling), chance_(std::move(chance)) {}

void Beam::find_live() {
    const RestartsPlan& plan = filling_.plan;
    starts_.assign(1, 0);
    live_.clear();
    for (std::size_t place = 0; place <= plan.scanned.size(); ++place) {
        const bool last = place == plan.scanned.size();
        const auto item = last ? plan.problem.n_items() : plan.scanned[place];
        if (last || filling_.used[item] < plan.problem.low[item])
            for (const auto option : plan.starting_at(item))
                if (filling_.fits(option)) live_.push_back(option);
        starts_.push_back(static_cast<std::int64_t>(live_.size()));
    }
}

void Beam::path(std::pair<std::size_t, std::size_t> node, std::vector<std::int32_t>& options) const {
    options.clear();
    for (auto [level, number] = node; level > 0; --level) {
        options.push_back(levels_[level][number].option);
        number = static_cast<std::size_t>(levels_[level][number].parent);
    }
    std::reverse(options.begin(), options.end());
}

bool Beam::run(std::size_t width, std::int64_t most_left, std::uint64_t& looks, const std::function<bool()>& stopping) {
    const RestartsPlan& plan = filling_.plan;
    find_live();
    levels_.assign(1, {Node{RestartsPlan::none, RestartsPlan::none, 0, 0, 0}});
    ends_.clear();
    bool all = true;
    const auto base = filling_.next_open(0);
    const auto better = [](const Node& a, const Node& b) { return a.drawn > b.drawn; };
    std::vector<std::int32_t> chosen;
    std::unordered_set<std::uint64_t> met;
    for (std::size_t level = 0; level < levels_.size() && !levels_[level].empty() && ends_.size() < width; ++level) {
        std::vector<Node> next;
        float least = -1e30F;  // what a candidate needs
        met.clear();
        for (std::size_t number = 0; number < levels_[level].size(); ++number) {
            if (stopping()) return false;
            const Node from = levels_[level][number];
            path({level, number}, chosen);
            for (const auto option : chosen) filling_.add(option);
            if (filling_.left <= most_left) ends_.emplace_back(level, number);
            else {
                const auto options = starting_at_place(filling_.next_open(base));
                for (std::size_t k = 0; k < options.size(); ++k) {
                    const auto option = options[k];
                    ++looks;
                    if (!filling_.fits(option)) {
                        const auto part = plan.part_of[option];
                        if (!filling_.is_used_up(part)) continue;
                        while (k + 1 < options.size() && plan.part_of[options[k + 1]] == part)
                            ++k;  // sorted by their parts
                        continue;
                    }
                    const float score =
                        from.score + hard * plan.hardness[option] - static_cast<float>(filling_.open_sides(option));
                    const float drawn = score + noise * chance_();
                    if (drawn <= least) {
                        all = false;
                        continue;
                    }
                    if (!filling_.take(option)) continue;
                    filling_.remove(option);
                    auto items = from.items;
                    for (const auto item : plan.items(option)) items += mixed(static_cast<std::uint64_t>(item));
                    if (!met.insert(items).second) {
                        all = false;
                        continue;
                    }
                    next.push_back({static_cast<std::int32_t>(number), option, score, drawn, items});
                    if (next.size() < 2 * width) continue;
                    std::nth_element(next.begin(), next.begin() + static_cast<std::ptrdiff_t>(width) - 1, next.end(),
                                     better);
                    next.resize(width);
                    least = next.back().drawn;
                    all = false;
                }
            }
            for (const auto option : chosen) filling_.remove(option);
        }
        std::sort(next.begin(), next.end(), better);
        if (next.size() > width) {
            next.resize(width);
            all = false;
        }
        levels_.push_back(std::move(next));
    }
    return all && ends_.size() < width;
}

}  // namespace latcover
