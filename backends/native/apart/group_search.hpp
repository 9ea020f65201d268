// Breadth-first search over relative positions, after Bill Cutler's analysis of six-piece burrs.
//
// Moves can be undone, so all neighbours of a position lie in its own front, the one before or the one after: three
// fronts tell what was seen. Older positions keep eight bytes each, their parent and the number of the move that led to
// them. The way to a position is found by making these moves again.
//
// A front lies in a fixed number of shards, by the hash of the position. Threads expand blocks of positions and then
// fill one shard each, in the order of the blocks. So positions have the same order whatever the number of threads.

#pragma once

#include <algorithm>
#include <memory>

#include "apart/fronts.hpp"
#include "apart/mover.hpp"
#include "ground/team.hpp"

namespace latcover {

inline constexpr std::size_t most_separations = 256;  // of one group that are compared
inline constexpr std::size_t most_at_one_position = 64;

// A shortest separation that was met: at which position of the last front, and what leaves.
template <int W>
struct Exit {
    std::uint32_t position;
    PartSet<W> leaving;
    int direction;
    std::shared_ptr<const Places> places;  // equal parts sorted
};

// The search for the shortest separations of one group of parts.
template <int W>
class GroupSearch {
public:
    using Set = PartSet<W>;

    GroupSearch(Context& context, std::vector<int> ids, const Places& places, bool wide)
        : context_(context), ids_(std::move(ids)), n_(static_cast<int>(ids_.size())), start_(places),
          packing_(context, ids_, wide) {}

    Result run() {
        Places root = start_;
        packing_.sort(root.data(), nullptr);
        Mover<W> mover(context_, ids_);
        ++context_.states;
        if (mover.look(root.data())) {  // most groups end here
            collect(mover, root, 0, exits_);
            return Result::apart;
        }
        std::vector<std::uint64_t> key(packing_.words);
        if (too_far_ = !packing_.pack(root.data(), key.data()); too_far_) return Result::unknown;
        auto before = std::make_unique<Front>(), here = std::make_unique<Front>();
        const std::uint64_t hash = packing_.hash(key.data());
        here->shards[shard_of(hash)].add(packing_, key.data(), hash, {0, 0});
        while (here->size() > 0) {
            auto after = std::make_unique<Front>();
            if (!expand(*before, *here, *after)) return Result::unknown;
            if (!exits_.empty()) return Result::apart;
            ++depth_;
            context_.reached = std::max(context_.reached, depth_);
            std::vector<Origin> origins;
            origins.reserve(after->size());
            for (Shard& shard : after->shards)
                origins.insert(origins.end(), shard.origins.begin(), shard.origins.end());
            ways_.push_back(std::move(origins));
            before = std::move(here);
            here = std::move(after);
        }
        return Result::stuck;
    }

    int depth() const { return depth_; }  // moves before the last one
    const std::vector<Exit<W>>& exits() const { return exits_; }
    bool exits_cut() const { return exits_cut_; }
    bool too_far() const { return too_far_; }  // parts went where narrow keys do not reach; the result is unknown
    const std::vector<int>& ids() const { return ids_; }

    // The moves to the position of an exit. Afterwards slots[k] tells which part, by its number at the start, is number
    // k.
    std::vector<std::pair<Set, std::pair<int, int>>> way(std::uint32_t position, std::vector<int>& slots) const {
        std::vector<std::uint32_t> moves(ways_.size());
        for (std::size_t d = ways_.size(); d-- > 0;) {
            moves[d] = ways_[d][position].move;
            position = ways_[d][position].parent;
        }
        slots.resize(n_);
        for (int k = 0; k < n_; ++k) slots[k] = k;
        Places places = start_;
        packing_.sort(places.data(), slots.data());
        Mover<W> mover(context_, ids_);
        std::vector<std::pair<Set, std::pair<int, int>>> found;
        for (const std::uint32_t wanted : moves) {
            std::uint32_t number = 0;
            mover.look(places.data());
            Set moved{};
            int direction = 0, steps = 0;
            mover.moves([&](const Set& set, int d, int k) {
                if (number++ != wanted) return true;
                moved = set;
                direction = d;
                steps = k;
                return false;
            });
            Set named{};
            moved.each([&](int k) { named.add(slots[k]); });
            found.push_back({named, {direction, steps}});
            slide(places, moved, direction, steps);
            packing_.sort(places.data(), slots.data());
        }
        return found;
    }

private:
    void slide(Places& places, const Set& set, int direction, int steps) const {
        const Vec& step = context_.shapes.directions()[direction].step;
        set.each([&](int i) {
            for (int c = 0; c < 3; ++c) places[i][c] += steps * step[c];
        });
    }

    void collect(Mover<W>& mover, const Places& places, std::uint32_t position, std::vector<Exit<W>>& into) const {
        std::size_t n = 0;
        const auto shared = std::make_shared<const Places>(places);
        mover.leavers([&](const Set& set, int direction) {
            into.push_back({position, set, direction, shared});
            return ++n < most_at_one_position;
        });
        if (n == most_at_one_position) exits_cut_ = true;
    }

    struct Chunk {
        std::array<std::vector<std::uint64_t>, n_shards> keys;
        std::array<std::vector<std::pair<std::uint64_t, Origin>>, n_shards> rest;  // hash and origin
        std::vector<Exit<W>> exits;
        bool far = false, overflow = false;
    };

    // Fill `after` with the positions one move from those of `here`, or exits_ if some can be left. False: a limit was
    // met.
    bool expand(const Front& before, const Front& here, Front& after) {
        const auto positions = here.listed(packing_);
        if (positions.size() > 16 || depth_ > 1) make_grid();
        std::size_t block = 1024;
        constexpr std::size_t chunk = 64;
        std::vector<std::unique_ptr<Desk>> desks(std::max(1U, context_.limits.threads));
        for (std::size_t from = 0, n = 0; from < positions.size(); from += n) {
            if (context_.limits.on_block) context_.limits.on_block(context_.states);
            if (context_.brake.pulled()) return false;
            n = std::min(block, positions.size() - from);
            const std::size_t n_chunks = (n + chunk - 1) / chunk;
            std::vector<Chunk> chunks(n_chunks);
            const bool leaving = !exits_.empty();
            together(n < 128 ? 1 : context_.limits.threads, n_chunks, [&](std::size_t c, unsigned thread) {
                if (!desks[thread]) desks[thread] = std::make_unique<Desk>(context_, ids_, packing_.words);
                const std::size_t first = from + c * chunk, last = std::min(first + chunk, from + n);
                for (std::size_t p = first; p < last && !context_.brake.pulled() && !chunks[c].far; ++p)
                    expand_one(*desks[thread], positions[p], static_cast<std::uint32_t>(p), before, here, chunks[c],
                               leaving);
            });
            if (context_.brake.pulled()) return false;
            for (Chunk& each : chunks) {
                if (too_far_ = each.far; too_far_) return false;
                if (each.overflow) return false;
                exits_.insert(exits_.end(), each.exits.begin(), each.exits.end());
            }
            if (exits_.size() > most_separations) {
                exits_.resize(most_separations);
                exits_cut_ = true;
                return true;
            }
            if (!exits_.empty()) continue;
            const std::size_t had = after.size();
            std::size_t handed = 0;
            for (const Chunk& each : chunks)
                for (const auto& rest : each.rest) handed += rest.size();
            together(handed < 4096 ? 1 : context_.limits.threads, n_shards, [&](std::size_t s, unsigned) {
                for (const Chunk& each : chunks)
                    for (std::size_t k = 0; k < each.rest[s].size(); ++k)
                        after.shards[s].add(packing_, &each.keys[s][k * packing_.words], each.rest[s][k].first,
                                            each.rest[s][k].second);
            });
            context_.states += after.size() - had;
            if (context_.states > context_.most_states || after.size() >= std::numeric_limits<std::uint32_t>::max())
                return false;
            // Positions with very many moves are taken in smaller blocks, so that what is handed on stays small.
            const std::size_t wanted = handed == 0 ? 8192 : 500'000 * n / handed;
            block = std::clamp<std::size_t>(wanted / chunk * chunk, chunk, 8192);
        }
        return true;
    }

    // What a thread works with.
    struct Desk {
        Desk(const Context& context, const std::vector<int>& ids, std::size_t words)
            : mover(context, ids), places(ids.size()), moved(ids.size()), key(words) {}
        Mover<W> mover;
        Places places, moved;
        std::vector<std::uint64_t> key;
    };

    void expand_one(Desk& desk, const std::uint64_t* position, std::uint32_t number, const Front& before,
                    const Front& here, Chunk& into, bool leaving) const {
        auto& [mover, places, moved, key] = desk;
        packing_.unpack(position, places.data());
        if (mover.look(places.data())) {
            collect(mover, places, number, into.exits);
            return;
        }
        if (leaving) return;
        std::uint32_t move = 0;
        mover.moves([&](const Set& set, int direction, int steps) {
            moved = places;
            slide(moved, set, direction, steps);
            packing_.sort(moved.data(), nullptr);
            if (into.far = !packing_.pack(moved.data(), key.data()); into.far) return false;
            const std::uint64_t hash = packing_.hash(key.data());
            const Origin origin{number, move++};
            if (!before.has(packing_, key.data(), hash) && !here.has(packing_, key.data(), hash)) {
                const int s = shard_of(hash);
                into.keys[s].insert(into.keys[s].end(), key.begin(), key.end());
                into.rest[s].push_back({hash, origin});
            }
            if (move >= context_.most_states || move == std::numeric_limits<std::uint32_t>::max()) into.overflow = true;
            return !into.overflow && ((move & 1023) != 0 || !context_.brake.pulled());
        });
    }

    void make_grid() {
        if (context_.grid_tried) return;
        context_.grid_tried = true;
        context_.grid = Grid::made(context_.barriers, context_.n, context_.shapes.directions().size());
    }

    Context& context_;
    std::vector<int> ids_;  // the parts, by their numbers in the assembly
    int n_;
    Places start_;
    Packing packing_;
    int depth_ = 0;
    bool too_far_ = false;
    std::vector<Exit<W>> exits_;
    mutable std::atomic<bool> exits_cut_ = false;
    std::vector<std::vector<Origin>> ways_;  // of the fronts 1, 2, ...
};

}  // namespace latcover
