#include "cuts/cut_walk.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>

#include "cover/search.hpp"
#include "ground/threads.hpp"

namespace latcover {

namespace {

constexpr int most_shaken = 10;  // moves that come before a walk from a given cut

}  // namespace

void CutWalk::begin() {
    inner_.clear();
    movable_.clear();
    each_cell(rules_.inner, [&](int c) {
        if (rules_.start.empty() || holds(rules_.movable, c)) inner_.push_back(c);
    });
    if (rules_.start.empty()) {
        for (int c = 0; c < space_.n_cells(); ++c) movable_.push_back(c);
        begin_at_random();
    } else {
        each_cell(rules_.movable, [&](int c) { movable_.push_back(c); });
        begin_from(rules_.start);
    }
}

// A cut, some cells of which have moved already, so that walks and rounds part ways.
void CutWalk::begin_from(const std::vector<int>& owner) {
    owner_ = owner;
    parts_.assign(rules_.n_parts, CellMask{});
    holes_ = 0;
    for (int c = 0; c < space_.n_cells(); ++c) {
        if (owner_[c] >= 0) flip(parts_[owner_[c]], c);
        else ++holes_;
    }
    for (int k = random_.below(most_shaken); k > 0; --k) move();
}

// Parts grow from random cells, the smallest first; cells that none reaches go to a neighbour.
void CutWalk::begin_at_random() {
    const int n = space_.n_cells(), k = rules_.n_parts;
    owner_.assign(n, -1);
    parts_.assign(k, CellMask{});
    std::vector<int> sizes(k, 1);
    std::vector<int> order(n);
    for (int c = 0; c < n; ++c) order[c] = c;
    for (int i = 0; i < k; ++i) {
        std::swap(order[i], order[i + random_.below(n - i)]);
        owner_[order[i]] = i;
        flip(parts_[i], order[i]);
    }
    std::vector<int> open;
    for (int left = n - k; left > 0; --left) {
        int smallest = -1;
        for (int size = 1; smallest < 0; ++size) {
            const int from = random_.below(k);
            for (int i = 0; i < k && smallest < 0; ++i) {
                const int p = (from + i) % k;
                if (sizes[p] != size) continue;
                open.clear();
                each_cell(parts_[p], [&](int c) {
                    for (const int d : space_.neighbours(c))
                        if (owner_[d] < 0) open.push_back(d);
                });
                if (!open.empty()) smallest = p;
            }
        }
        const int cell = open[random_.below(static_cast<int>(open.size()))];
        owner_[cell] = smallest;
        flip(parts_[smallest], cell);
        ++sizes[smallest];
    }
    holes_ = 0;
    for (int tries = 0; tries < 10 * rules_.holes && holes_ < rules_.holes && !inner_.empty(); ++tries)
        change(inner_[random_.below(static_cast<int>(inner_.size()))], -1);
}

bool CutWalk::is_connected(const CellMask& part) const {
    int stack[most_cut_cells], n = 0, met = 0;
    CellMask open = part;
    for (std::size_t k = 0; k < part.size() && n == 0; ++k)
        if (part[k] != 0) stack[n++] = static_cast<int>(64 * k) + std::countr_zero(part[k]);
    if (n == 0) return false;
    flip(open, stack[0]);
    while (n > 0) {
        const int c = stack[--n];
        ++met;
        for (const int d : space_.neighbours(c))
            if (holds(open, d)) {
                flip(open, d);
                stack[n++] = d;
            }
    }
    return met == size_of(part);
}

// Give a cell to a part, or make it a hole (-1); false if that may not be.
bool CutWalk::change(int cell, int to) {
    const int from = owner_[cell];
    if (from == to || (to < 0 && (holes_ == rules_.holes || !holds(rules_.inner, cell)))) return false;
    if (to >= 0 && !rules_.held.empty() && rules_.held[to]) return false;
    if (from >= 0) {
        flip(parts_[from], cell);
        if (!is_connected(parts_[from])) {
            flip(parts_[from], cell);
            return false;
        }
    }
    if (to >= 0) flip(parts_[to], cell);
    holes_ += (to < 0) - (from < 0);
    owner_[cell] = to;
    return true;
}

// One cell goes over to a neighbour; now and then, or if sizes are given, a second and a third one. Holes come and go.
bool CutWalk::move() {
    const int n = static_cast<int>(movable_.size());
    int wanted = 1 + (random_.below(3) == 0);
    if (!rules_.sizes.empty()) wanted = 1 + random_.below(3);
    int moved = 0;
    for (int tries = 0; tries < 60 && moved < wanted; ++tries) {
        if (rules_.holes > 0 && !inner_.empty() && random_.below(8) == 0) {
            moved += change(inner_[random_.below(static_cast<int>(inner_.size()))], -1);
            continue;
        }
        const int cell = movable_[random_.below(n)];
        const auto& around = space_.neighbours(cell);
        if (!around.empty()) moved += change(cell, owner_[around[random_.below(static_cast<int>(around.size()))]]);
    }
    return moved > 0;
}

CutFound CutWalk::run(std::atomic<std::uint64_t>& candidates) {
    begin();
    constexpr double least = -std::numeric_limits<double>::infinity();
    CutWorth nothing;
    nothing.fill(least);
    CutFigures figures;
    CutWorth now = judge_.judge(parts_, nothing, figures), best = now;
    found_.parts = parts_;
    found_.figures = brake_.pulled() ? CutFigures{} : figures;
    found_.candidates = 1;
    std::vector<CutWorth> memory(std::max<std::size_t>(1, effort_.memory), now);
    const bool endless = rules_.levels || rules_.hard;  // there is always something better to look for
    const auto done = [&] {
        return !endless && found_.figures.violations == 0 && found_.figures.counted && found_.figures.solutions == 1;
    };
    std::vector<int> best_owner = rules_.start;
    int barren = 0;  // rounds without a better cut
    for (std::uint64_t idle = 0; !done() && found_.candidates < effort_.most;) {
        if (idle >= effort_.patience) {
            if (rules_.start.empty() || ++barren >= effort_.rounds) break;
            begin_from(best_owner);
            now = judge_.judge(parts_, nothing, figures);
            memory.assign(memory.size(), now);
            idle = 0;
        }
        if (brake_.pulled()) {
            found_.whole = false;
            break;
        }
        const Cutting before = parts_;
        const std::vector<int> owner_before = owner_;
        const int holes_before = holes_;
        if (!move()) {
            parts_ = before;
            owner_ = owner_before;
            holes_ = holes_before;
            ++idle;
            continue;
        }
        CutWorth& then = memory[found_.candidates % memory.size()];
        const CutWorth worth = judge_.judge(parts_, std::min(now, then), figures);
        if (brake_.pulled()) continue;
        ++found_.candidates;
        candidates.fetch_add(1, std::memory_order_relaxed);
        if (worth >= std::min(now, then)) {
            now = worth;
        } else {
            parts_ = before;
            owner_ = owner_before;
            holes_ = holes_before;
        }
        if (now > then) then = now;
        ++idle;
        if (now > best) {
            best = now;
            found_.parts = parts_;
            found_.figures = figures;
            best_owner = owner_;
            idle = 0;
            barren = 0;
        }
    }
    return found_;
}

namespace {

// What the walks of several threads hand over, in order. Threads do not run far ahead of what is taken.
class Desk {
public:
    explicit Desk(std::uint64_t first) : next_(first) {}
    void put(CutFound found) {
        std::unique_lock hold(lock_);
        const auto number = found.number;
        room_.wait(hold, [&] { return closed_ || number < next_ + most_waiting; });
        ready_.emplace(number, std::move(found));
        come_.notify_one();
    }
    void fail(std::exception_ptr what) {
        const std::lock_guard hold(lock_);
        if (!failure_) failure_ = what;
        come_.notify_one();
    }
    // The walk of this number, if it has ended; waits for it a moment.
    std::optional<CutFound> take(std::uint64_t number, double seconds) {
        std::unique_lock hold(lock_);
        come_.wait_for(hold, std::chrono::duration<double>(seconds),
                       [&] { return failure_ || ready_.contains(number); });
        if (failure_) std::rethrow_exception(failure_);
        const auto at = ready_.find(number);
        if (at == ready_.end()) return std::nullopt;
        CutFound found = std::move(at->second);
        ready_.erase(at);
        next_ = number + 1;
        room_.notify_all();
        return found;
    }
    // Nobody waits for room any more.
    void close() {
        const std::lock_guard hold(lock_);
        closed_ = true;
        room_.notify_all();
    }

private:
    static constexpr std::uint64_t most_waiting = 16;
    std::mutex lock_;
    std::condition_variable come_, room_;
    std::uint64_t next_;
    bool closed_ = false;
    std::map<std::uint64_t, CutFound> ready_;
    std::exception_ptr failure_;
};

}  // namespace

void cut_by_walks(const CutSpace& space, const CutRules& rules, const CutGeometry& geometry, const CutEffort& effort,
                  std::uint64_t first, std::uint64_t n_walks, unsigned threads, double seconds,
                  const std::function<bool(const CutFound&)>& on_found,
                  const std::function<bool(const CutProgress&)>& on_progress) {
    constexpr double between_looks = 0.05;
    const Clock clock;
    Brake stop;
    std::atomic<std::uint64_t> begun = 0, candidates = 0;
    Desk desk(first);
    const auto work = [&] {
        try {
            while (!stop.pulled()) {
                const std::uint64_t k = begun.fetch_add(1);
                if (k >= n_walks) return;
                desk.put(CutWalk(space, rules, geometry, effort, first + k, stop).run(candidates));
            }
        } catch (...) { desk.fail(std::current_exception()); }
    };
    std::vector<JoiningThread> team;
    struct Ending {  // threads must not outlive what they use, whatever is thrown
        Brake& stop;
        Desk& desk;
        std::vector<JoiningThread>& team;
        ~Ending() { end(); }
        void end() {
            stop.pull(Cut::cancelled);
            desk.close();
            team.clear();
        }
    } ending{stop, desk, team};
    for (unsigned t = 0; t < threads; ++t) team.emplace_back(work);
    std::uint64_t done = 0;
    bool wanted = true;
    double looked = 0;
    while (done < n_walks) {
        if (auto found = desk.take(first + done, between_looks)) {
            ++done;
            if (!(wanted = on_found(*found))) return;
            if (clock.seconds() - looked < between_looks) continue;  // short walks are always ready
        }
        looked = clock.seconds();
        if (!on_progress({done, candidates, looked}) || looked >= seconds) break;
    }
    ending.end();
    for (const std::uint64_t end = std::min<std::uint64_t>(begun, n_walks); done < end && wanted; ++done)
        if (auto found = desk.take(first + done, 0)) wanted = on_found(*found);
}

}  // namespace latcover
