// Breadth-first search over relative positions, after Bill Cutler's analysis of six-piece burrs.
//
// Moves can be undone, so all neighbours of a position lie in its own front, the one before or the one after: three fronts
// tell what was seen. Older positions keep eight bytes each, their parent and the number of the move that led to them. The way
// to a position is found by making these moves again.
//
// A front lies in a fixed number of shards, by the hash of the position. Threads expand blocks of positions and then fill one
// shard each, in the order of the blocks. So positions have the same order whatever the number of threads.

#include "taking_apart.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "part_set.hpp"
#include "team.hpp"

namespace latcover {

namespace {

constexpr int n_shards = 16;
constexpr int infinite = std::numeric_limits<int>::max();
constexpr std::size_t most_separations = 256;      // of one group that are compared
constexpr std::size_t most_at_one_position = 64;
constexpr std::uint64_t free_comparing = 2'000;  // positions that may be spent on comparing, beside as many as the first plan took

// The barriers of all pairs of an assembly as one array for each direction, so that a look-up is one addition and one load.
class Grid {
public:
    // Half the width of the box of offsets: t in [-half_t, half_t] and so on. Offsets beyond take the long way.
    static constexpr int half_t = 30;
    static constexpr int margin = 6;
    static constexpr std::size_t most_bytes = std::size_t{1} << 28;

    struct Plane {
        int half_1, half_2, size_2;
        std::size_t rows;
        std::vector<std::uint64_t> bits;  // [i][j][row]; bit t + half_t + 1
    };
    std::vector<Plane> planes;

    // require: the barriers of all i < j.
    static std::unique_ptr<Grid> made(const std::vector<const Barriers*>& barriers, int n, std::size_t n_directions) {
        auto grid = std::make_unique<Grid>();
        std::size_t bytes = 0;
        for (std::size_t d = 0; d < n_directions; ++d) {
            Plane plane{0, 0, 0, 0, {}};
            for (int i = 0; i < n; ++i)
                for (int j = i + 1; j < n; ++j) {
                    const Barrier& b = (*barriers[i * n + j])[d];
                    if (b.bits.empty()) continue;
                    if (b.least_t < -half_t || b.least_t + b.size_t_ - 1 > half_t) return nullptr;
                    plane.half_1 = std::max({plane.half_1, -b.least_1, b.least_1 + b.size_1 - 1});
                    plane.half_2 = std::max({plane.half_2, -b.least_2, b.least_2 + b.size_2 - 1});
                }
            plane.half_1 += margin;
            plane.half_2 += margin;
            plane.size_2 = 2 * plane.half_2 + 1;
            plane.rows = static_cast<std::size_t>(2 * plane.half_1 + 1) * plane.size_2;
            bytes += plane.rows * n * n * 8;
            if (bytes > most_bytes) return nullptr;
            plane.bits.assign(plane.rows * n * n, 0);
            for (int i = 0; i < n; ++i)
                for (int j = i + 1; j < n; ++j) {
                    const Barrier& b = (*barriers[i * n + j])[d];
                    if (b.bits.empty()) continue;
                    for (int r1 = 0; r1 < b.size_1; ++r1)
                        for (int r2 = 0; r2 < b.size_2; ++r2) {
                            const auto row = static_cast<std::size_t>(r1 + b.least_1 + plane.half_1) * plane.size_2 +
                                             (r2 + b.least_2 + plane.half_2);
                            plane.bits[(static_cast<std::size_t>(i) * n + j) * plane.rows + row] =
                                b.bits[static_cast<std::size_t>(r1) * b.size_2 + r2] << (b.least_t + half_t + 1);
                        }
                }
            grid->planes.push_back(std::move(plane));
        }
        return grid;
    }
};

// The first blocked step from t downwards, as steps that are free; upwards likewise.
int free_down(const Barrier& b, const std::uint64_t* row, int t) {
    int at = t - b.least_t;
    if (row == nullptr || at < 0) return infinite;
    const int top = 64 * b.words - 1;
    int beyond = 0;
    if (at > top) {
        beyond = at - top;
        at = top;
    }
    for (int word = at >> 6; word >= 0; --word) {
        std::uint64_t bits = row[word];
        if (word == at >> 6) bits &= ~std::uint64_t{0} >> (63 - (at & 63));
        if (bits != 0) return beyond + at - (64 * word + 63 - std::countl_zero(bits));
    }
    return infinite;
}

int free_up(const Barrier& b, const std::uint64_t* row, int t) {
    int at = t + 1 - b.least_t;
    if (row == nullptr || at >= 64 * b.words) return infinite;
    int before = 0;
    if (at < 0) {
        before = -at;
        at = 0;
    }
    for (int word = at >> 6; word < b.words; ++word) {
        std::uint64_t bits = row[word];
        if (word == at >> 6) bits &= ~std::uint64_t{0} << (at & 63);
        if (bits != 0) return before + 64 * word + std::countr_zero(bits) - at;
    }
    return infinite;
}

using Places = std::vector<Vec>;

// What all searches of an assembly share.
struct Context {
    Shapes& shapes;
    const Assembly& assembly;
    const Groups& groups;
    const ApartLimits& limits;
    const Brake& brake;
    int n;
    std::vector<const Barriers*> barriers{};  // [i * n + j], i < j
    std::unique_ptr<Grid> grid{};
    bool grid_tried = false;
    std::uint64_t states = 0;
    std::uint64_t most_states = 0;
    int reached = 0;
};

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

    // Hand on each set of parts that can leave, with its direction: act(set, direction). False from it ends the listing.
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

// How positions are written as keys: relative to the first part, equal parts sorted, one or two bytes a coordinate.
struct TooFar {};

class Packing {
public:
    Packing(const Context& context, const std::vector<int>& ids, bool wide) : n_(static_cast<int>(ids.size())), wide_(wide) {
        words = (static_cast<std::size_t>(n_ - 1) * 3 * (wide ? 2 : 1) + 7) / 8;
        words = std::max<std::size_t>(words, 1);
        std::vector<bool> taken(n_);
        for (int i = 0; i < n_; ++i) {
            std::vector<int> equal;
            const AssemblyPart& one = context.assembly.parts[ids[i]];
            for (int j = i; j < n_ && !taken[i]; ++j) {
                const AssemblyPart& other = context.assembly.parts[ids[j]];
                if (one.shape == other.shape && one.kind == other.kind) equal.push_back(j);
            }
            for (const int j : equal) taken[j] = true;
            if (equal.size() > 1) classes_.push_back(equal);
        }
    }

    std::size_t words;  // of a key

    // Sort equal parts, and tell where each went: slots[k] is the old number of the part that is now number k.
    void sort(Vec* places, int* slots) const {
        for (const auto& equal : classes_)
            for (std::size_t a = 1; a < equal.size(); ++a)
                for (std::size_t b = a; b > 0 && places[equal[b]] < places[equal[b - 1]]; --b) {
                    std::swap(places[equal[b]], places[equal[b - 1]]);
                    if (slots != nullptr) std::swap(slots[equal[b]], slots[equal[b - 1]]);
                }
    }

    void pack(const Vec* places, std::uint64_t* key) const {
        key[words - 1] = 0;
        auto* bytes = reinterpret_cast<std::uint8_t*>(key);
        const Vec base = places[0];
        std::size_t at = 0;
        int far = 0;
        for (int i = 1; i < n_; ++i)
            for (int c = 0; c < 3; ++c) {
                const int value = places[i][c] - base[c];
                if (wide_) {
                    far |= (value + 32768) & ~65535;
                    const auto half = static_cast<std::int16_t>(value);
                    std::memcpy(bytes + 2 * at++, &half, 2);
                } else {
                    far |= (value + 128) & ~255;
                    bytes[at++] = static_cast<std::uint8_t>(value);
                }
            }
        if (far != 0) throw TooFar{};
    }

    void unpack(const std::uint64_t* key, Vec* places) const {
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(key);
        std::size_t at = 0;
        places[0] = {0, 0, 0};
        for (int i = 1; i < n_; ++i)
            for (int c = 0; c < 3; ++c) {
                if (wide_) {
                    std::int16_t half;
                    std::memcpy(&half, bytes + 2 * at++, 2);
                    places[i][c] = half;
                } else {
                    places[i][c] = static_cast<std::int8_t>(bytes[at++]);
                }
            }
    }

    std::uint64_t hash(const std::uint64_t* key) const {
        std::uint64_t h = 0x9e3779b97f4a7c15;
        for (std::size_t k = 0; k < words; ++k) {
            h = (h ^ key[k]) * 0xff51afd7ed558ccd;
            h ^= h >> 32;
        }
        h *= 0xc4ceb9fe1a85ec53;
        return h ^ h >> 29;
    }

    bool equal(const std::uint64_t* a, const std::uint64_t* b) const { return std::memcmp(a, b, words * 8) == 0; }

private:
    int n_;
    bool wide_;
    std::vector<std::vector<int>> classes_;
};

int shard_of(std::uint64_t hash) { return static_cast<int>(hash >> 60); }

// The way back from a position: which position of the front before it, and which of that one's moves.
struct Origin {
    std::uint32_t parent, move;
};

// Positions whose hash begins with the same bits.
class Shard {
public:
    std::vector<std::uint64_t> keys;
    std::vector<Origin> origins;

    std::size_t size() const { return origins.size(); }

    bool has(const Packing& packing, const std::uint64_t* key, std::uint64_t hash) const {
        if (slots_.empty()) return false;
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t at = hash & mask; slots_[at] != 0; at = (at + 1) & mask)
            if (is_at(packing, slots_[at], key, hash)) return true;
        return false;
    }

    void add(const Packing& packing, const std::uint64_t* key, std::uint64_t hash, Origin origin) {
        if (slots_.size() < 2 * (size() + 1)) grow(packing);
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = hash & mask;
        for (; slots_[at] != 0; at = (at + 1) & mask)
            if (is_at(packing, slots_[at], key, hash)) return;
        keys.insert(keys.end(), key, key + packing.words);
        origins.push_back(origin);
        slots_[at] = slot(hash, size());
    }

private:
    // 28 bits of the hash and 36 bits of the number, from 1.
    static std::uint64_t slot(std::uint64_t hash, std::size_t number) {
        return (hash >> 28 & 0xfffffff) << 36 | number;
    }
    bool is_at(const Packing& packing, std::uint64_t entry, const std::uint64_t* key, std::uint64_t hash) const {
        return entry >> 36 == (hash >> 28 & 0xfffffff) &&
               packing.equal(&keys[((entry & 0xfffffffff) - 1) * packing.words], key);
    }
    void grow(const Packing& packing) {
        slots_.assign(std::max<std::size_t>(16, slots_.size() * 2), 0);
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t k = 0; k < size(); ++k) {
            const std::uint64_t hash = packing.hash(&keys[k * packing.words]);
            std::size_t at = hash & mask;
            while (slots_[at] != 0) at = (at + 1) & mask;
            slots_[at] = slot(hash, k + 1);
        }
    }
    std::vector<std::uint64_t> slots_;
};

struct Front {
    std::array<Shard, n_shards> shards;

    bool has(const Packing& packing, const std::uint64_t* key, std::uint64_t hash) const {
        return shards[shard_of(hash)].has(packing, key, hash);
    }
    std::size_t size() const {
        std::size_t n = 0;
        for (const Shard& shard : shards) n += shard.size();
        return n;
    }
    // The key of each position in their order.
    std::vector<const std::uint64_t*> listed(const Packing& packing) const {
        std::vector<const std::uint64_t*> all;
        all.reserve(size());
        for (const Shard& shard : shards)
            for (std::size_t k = 0; k < shard.size(); ++k) all.push_back(&shard.keys[k * packing.words]);
        return all;
    }
};

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
        packing_.pack(root.data(), key.data());
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
            for (Shard& shard : after->shards) origins.insert(origins.end(), shard.origins.begin(), shard.origins.end());
            ways_.push_back(std::move(origins));
            before = std::move(here);
            here = std::move(after);
        }
        return Result::stuck;
    }

    int depth() const { return depth_; }  // moves before the last one
    const std::vector<Exit<W>>& exits() const { return exits_; }
    bool exits_cut() const { return exits_cut_; }
    const std::vector<int>& ids() const { return ids_; }

    // The moves to the position of an exit. Afterwards slots[k] tells which part, by its number at the start, is number k.
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

    // Fill `after` with the positions one move from those of `here`, or exits_ if some can be left. False: a limit was met.
    bool expand(const Front& before, const Front& here, Front& after) {
        const auto positions = here.listed(packing_);
        if (positions.size() > 16 || depth_ > 1) make_grid();
        std::size_t block = 1024;
        constexpr std::size_t chunk = 64;
        std::vector<std::unique_ptr<Desk>> desks(std::max(1U, context_.limits.threads));
        for (std::size_t from = 0; from < positions.size(); from += block) {
            if (context_.brake.pulled()) return false;
            const std::size_t n = std::min(block, positions.size() - from), n_chunks = (n + chunk - 1) / chunk;
            std::vector<Chunk> chunks(n_chunks);
            const bool leaving = !exits_.empty();
            together(n < 128 ? 1 : context_.limits.threads, n_chunks, [&](std::size_t c, unsigned thread) {
                if (!desks[thread]) desks[thread] = std::make_unique<Desk>(context_, ids_, packing_.words);
                const std::size_t first = from + c * chunk, last = std::min(first + chunk, from + n);
                try {
                    for (std::size_t p = first; p < last && !context_.brake.pulled(); ++p)
                        expand_one(*desks[thread], positions[p], static_cast<std::uint32_t>(p), before, here, chunks[c], leaving);
                } catch (const TooFar&) {
                    chunks[c].far = true;
                }
            });
            if (context_.brake.pulled()) return false;
            for (Chunk& each : chunks) {
                if (each.far) throw TooFar{};
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
                        after.shards[s].add(packing_, &each.keys[s][k * packing_.words], each.rest[s][k].first, each.rest[s][k].second);
            });
            context_.states += after.size() - had;
            if (context_.states > context_.most_states || after.size() >= std::numeric_limits<std::uint32_t>::max()) return false;
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

    void expand_one(Desk& desk, const std::uint64_t* position, std::uint32_t number, const Front& before, const Front& here,
                    Chunk& into, bool leaving) const {
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
            packing_.pack(moved.data(), key.data());
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
    std::vector<Exit<W>> exits_;
    mutable std::atomic<bool> exits_cut_ = false;
    std::vector<std::vector<Origin>> ways_;  // of the fronts 1, 2, ...
};

// What is known of a group of parts at their places.
struct Known {
    Result result = Result::unknown;
    std::uint64_t moves = 0;
    bool least = true;
    std::vector<int> ids;
    std::vector<SlideMove> way;  // parts by their numbers in the assembly
    std::vector<int> slots;      // ids[slots[k]] stands where the groups below name ids[k]
    std::vector<int> stays, removed;
    std::shared_ptr<const Known> below_stays, below_removed;
};

template <int W>
class Taking {
public:
    using Set = PartSet<W>;

    explicit Taking(Context& context) : context_(context) {}

    TakenApart run() {
        std::vector<int> ids(context_.n);
        Places places(context_.n);
        for (int i = 0; i < context_.n; ++i) {
            ids[i] = i;
            places[i] = context_.assembly.parts[i].place;
        }
        context_.most_states = context_.limits.states;
        const auto known = solve(ids, places);
        TakenApart taken;
        taken.result = known->result;
        taken.least = known->least;
        taken.states = context_.states;
        taken.reached = context_.reached;
        if (known->result == Result::unknown)
            taken.cut = context_.brake.pulled() ? static_cast<Cut>(context_.brake.cut.load()) : Cut::states;
        if (known->result == Result::apart) write(*known, ids, taken.partings);
        return taken;
    }

private:
    using Answer = std::shared_ptr<const Known>;

    // Whether these parts may stay together.
    bool is_done(const std::vector<int>& ids) const {
        if (ids.size() <= 1) return true;
        return std::any_of(context_.groups.begin(), context_.groups.end(), [&](const std::vector<int>& most) {
            std::unordered_map<int, int> copies;
            return std::all_of(ids.begin(), ids.end(), [&](int i) {
                const int kind = context_.assembly.parts[i].kind;
                return ++copies[kind] <= most[kind];
            });
        });
    }

    std::uint64_t fewest(const std::vector<int>& ids) const {
        if (context_.groups.empty()) return ids.size() - 1;
        return is_done(ids) ? 0 : 1;
    }

    Answer solve(const std::vector<int>& ids, const Places& places) {
        if (is_done(ids)) {
            auto known = std::make_shared<Known>();
            known->result = Result::apart;
            known->ids = ids;
            return known;
        }
        std::string key;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const int numbers[4] = {ids[i], places[i][0] - places[0][0], places[i][1] - places[0][1], places[i][2] - places[0][2]};
            key.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
        }
        if (const auto found = known_.find(key); found != known_.end()) return found->second;
        const std::uint64_t before = context_.states;
        Answer known;
        try {
            known = search(ids, places, false);
        } catch (const TooFar&) {
            context_.states = before;
            try {
                known = search(ids, places, true);
            } catch (const TooFar&) {
                known = std::make_shared<Known>();
            }
        }
        return known_[key] = known;
    }

    Answer search(const std::vector<int>& ids, const Places& places, bool wide) {
        auto known = std::make_shared<Known>();
        known->ids = ids;
        GroupSearch<W> group(context_, ids, places, wide);
        known->result = group.run();
        if (known->result != Result::apart) return known;
        known->least = !group.exits_cut();
        const std::uint64_t own = group.depth() + 1;
        std::uint64_t best = std::numeric_limits<std::uint64_t>::max();
        const Exit<W>* chosen = nullptr;
        bool doubtful = false;
        std::unordered_set<std::string> seen;
        for (const Exit<W>& exit : group.exits()) {
            const auto [stays, removed] = parted(ids, exit.leaving);
            const std::uint64_t low_stays = fewest(stays.ids), low_removed = fewest(removed.ids);
            if (own + low_stays + low_removed >= best) continue;
            if (chosen != nullptr) {  // from here on the aim is only to need fewer moves
                if (context_.states >= context_.most_states || context_.brake.pulled() || !may_compare()) {
                    known->least = false;
                    break;
                }
            }
            const Comparing comparing(*this, chosen != nullptr);
            const Answer one = solve(stays.ids, placed(stays, *exit.places));
            if (one->result == Result::stuck) return stuck(ids);
            if (one->result == Result::unknown) {
                doubtful = true;
                if (context_.states > context_.most_states || context_.brake.pulled()) break;
                continue;
            }
            if (own + one->moves + low_removed >= best) continue;
            const Answer other = solve(removed.ids, placed(removed, *exit.places));
            if (other->result == Result::stuck) return stuck(ids);
            if (other->result == Result::unknown) {
                doubtful = true;
                if (context_.states > context_.most_states || context_.brake.pulled()) break;
                continue;
            }
            const std::uint64_t total = own + one->moves + other->moves;
            if (total < best) {
                best = total;
                chosen = &exit;
                known->below_stays = one;
                known->below_removed = other;
                known->stays = stays.ids;
                known->removed = removed.ids;
                const bool fewest_of_all = total == own + fewest_below(ids);
                known->least = known->least && one->least && other->least;
                if (fewest_of_all) {
                    known->least = true;
                    break;
                }
            }
        }
        if (chosen == nullptr) {
            known->result = Result::unknown;
            return known;
        }
        if (doubtful) known->least = false;
        known->moves = best;
        tell_way(group, *chosen, *known);
        return known;
    }

    // The fewest moves that two groups can need, if these parts make them up.
    std::uint64_t fewest_below(const std::vector<int>& ids) const {
        return context_.groups.empty() ? ids.size() - 2 : 0;
    }

    // Counts the positions that are examined only to need fewer moves. They must not be many more than those of the first plan.
    struct Comparing {
        Comparing(Taking& taking, bool begins) : owner(taking), first(begins && taking.comparing_since_ == 0) {
            if (first) owner.comparing_since_ = owner.context_.states;
        }
        ~Comparing() {
            if (!first) return;
            owner.compared_ += owner.context_.states - owner.comparing_since_;
            owner.comparing_since_ = 0;
        }
        Comparing(const Comparing&) = delete;
        Comparing& operator=(const Comparing&) = delete;
        Taking& owner;
        bool first;
    };

    bool may_compare() const {
        const std::uint64_t now = comparing_since_ == 0 ? 0 : context_.states - comparing_since_;
        return compared_ + now < free_comparing + (context_.states - compared_ - now);
    }

    Answer stuck(const std::vector<int>& ids) const {
        auto known = std::make_shared<Known>();
        known->result = Result::stuck;
        known->ids = ids;
        return known;
    }

    struct Side {
        std::vector<int> ids, slots;  // numbers in the assembly, and within the group
    };

    // The two groups; the one that stays first: the one with the heaviest part, with more parts, with the first part.
    std::pair<Side, Side> parted(const std::vector<int>& ids, const Set& leaving) const {
        Side in, out;
        for (std::size_t k = 0; k < ids.size(); ++k) {
            Side& side = leaving.has(static_cast<int>(k)) ? out : in;
            side.ids.push_back(ids[k]);
            side.slots.push_back(static_cast<int>(k));
        }
        const auto rank = [&](const Side& side) {
            int heaviest = std::numeric_limits<int>::min();
            for (const int i : side.ids) heaviest = std::max(heaviest, context_.assembly.parts[i].weight);
            return std::tuple(-static_cast<std::int64_t>(heaviest), -static_cast<std::int64_t>(side.ids.size()), side.ids[0]);
        };
        if (rank(out) < rank(in)) std::swap(in, out);
        return {in, out};
    }

    static Places placed(const Side& side, const Places& places) {
        Places found;
        for (const int k : side.slots) found.push_back(places[k]);
        return found;
    }

    void tell_way(const GroupSearch<W>& group, const Exit<W>& exit, Known& known) const {
        const auto& ids = known.ids;
        const auto add = [&](const Set& set, int direction, int steps, bool separates) {
            const auto [stays, removed] = parted(ids, set);
            const bool turned = !set.has(removed.slots[0]);
            known.way.push_back({removed.ids, direction, turned ? -steps : steps, separates});
        };
        for (const auto& [set, move] : group.way(exit.position, known.slots)) add(set, move.first, move.second, false);
        // The parts that leave are named by slots, as the groups below are.
        const auto [stays, removed] = parted(ids, exit.leaving);
        const bool turned = !exit.leaving.has(removed.slots[0]);
        known.way.push_back({removed.ids, exit.direction, turned ? -1 : 1, true});
    }

    // List the separations of `known`. names[k] is the part that its name ids[k] stands for.
    void write(const Known& known, const std::vector<int>& names, std::vector<Parting>& into) const {
        if (known.way.empty()) return;
        std::unordered_map<int, int> entering, leaving;
        for (std::size_t k = 0; k < known.ids.size(); ++k) entering[known.ids[k]] = names[k];
        for (std::size_t k = 0; k < known.ids.size(); ++k) leaving[known.ids[k]] = names[known.slots[k]];
        const auto renamed = [](const std::vector<int>& ids, const std::unordered_map<int, int>& by) {
            std::vector<int> found;
            for (const int i : ids) found.push_back(by.at(i));
            return found;
        };
        const auto sorted = [](std::vector<int> ids) {
            std::sort(ids.begin(), ids.end());
            return ids;
        };
        Parting parting;
        parting.parts = sorted(names);
        for (const SlideMove& move : known.way) {
            const auto& by = move.separates ? leaving : entering;
            parting.moves.push_back({sorted(renamed(move.parts, by)), move.direction, move.steps, move.separates});
        }
        const auto stays = renamed(known.stays, leaving), removed = renamed(known.removed, leaving);
        parting.stays = sorted(stays);
        parting.removed = sorted(removed);
        into.push_back(std::move(parting));
        write(*known.below_stays, stays, into);
        write(*known.below_removed, removed, into);
    }

    Context& context_;
    std::unordered_map<std::string, Answer> known_;
    std::uint64_t compared_ = 0, comparing_since_ = 0;
};

}  // namespace

TakenApart take_apart(Shapes& shapes, const Assembly& assembly, const Groups& groups, const ApartLimits& limits,
                      const Brake& brake) {
    const int n = static_cast<int>(assembly.parts.size());
    Context context{shapes, assembly, groups, limits, brake, n};
    context.barriers.resize(static_cast<std::size_t>(n) * n);
    for (int i = 0; i < n && !brake.pulled(); ++i)
        for (int j = i + 1; j < n; ++j)
            context.barriers[static_cast<std::size_t>(i) * n + j] = &shapes.barriers(assembly.parts[i].shape, assembly.parts[j].shape);
    if (brake.pulled()) {
        TakenApart taken;
        taken.cut = static_cast<Cut>(brake.cut.load());
        return taken;
    }
    if (n <= 64) return Taking<1>(context).run();
    if (n <= 128) return Taking<2>(context).run();
    return Taking<4>(context).run();
}

}  // namespace latcover
