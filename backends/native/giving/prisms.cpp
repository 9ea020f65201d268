#include <algorithm>
#include <map>

#include "giving/solids.hpp"

namespace latcover {

namespace {

// A section through all layers from one to another.
struct Run {
    Convex section;
    int first, last;
};

bool holds(const Convex& outer, const Ring& inner) {
    for (const Side& side : outer.sides)
        for (const Point corner : inner)
            if (side.normal.dot(corner) > side.height + rounding) return false;
    return true;
}

bool holds(const Run& outer, const Run& inner) {
    return outer.first <= inner.first && inner.last <= outer.last && holds(outer.section, inner.section.corners);
}

// What is in both; no corners if that is next to nothing.
Ring both(const Convex& one, const Convex& other) {
    Ring ring = one.corners;
    for (const Side& side : other.sides) ring = cut(ring, side);
    ring = convex_of(one.layer, std::move(ring)).corners;
    double area = 0;
    for (std::size_t k = 0; k < ring.size(); ++k) area += ring[k].cross(ring[(k + 1) % ring.size()]);
    return area > rounding ? ring : Ring{};
}

}  // namespace

std::vector<Prism> solid_of(const std::vector<Convex>& sections, const Layers& layers) {
    std::map<int, std::vector<Convex>> in_layer;
    for (const Convex& section : sections) in_layer[section.layer].push_back(section);
    std::vector<Run> runs;
    for (const auto& [layer, here] : in_layer) {
        for (const Convex& section : here) runs.push_back({section, layer, layer});
        if (const auto above = in_layer.find(layer + 1); above != in_layer.end())
            for (const Convex& one : here)
                for (const Convex& other : above->second)
                    if (Ring ring = both(one, other); !ring.empty())
                        runs.push_back({convex_of(layer, std::move(ring)), layer, layer + 1});
    }
    const auto fits = [&](const Run& run, int layer) {
        const auto found = in_layer.find(layer);
        return found != in_layer.end() && std::any_of(found->second.begin(), found->second.end(),
                                                      [&](const Convex& it) { return holds(it, run.section.corners); });
    };
    for (Run& run : runs) {
        while (fits(run, run.first - 1)) --run.first;
        while (fits(run, run.last + 1)) ++run.last;
    }
    std::vector<Prism> found;
    for (std::size_t k = 0; k < runs.size(); ++k) {
        bool held = false;
        for (std::size_t j = 0; j < runs.size() && !held; ++j)
            held = j != k && holds(runs[j], runs[k]) && (j < k || !holds(runs[k], runs[j]));
        if (!held)
            found.push_back({runs[k].section.corners, layers.lowest + runs[k].first * layers.height + layers.play,
                             layers.lowest + (runs[k].last + 1) * layers.height - layers.play});
    }
    return found;
}

}  // namespace latcover
