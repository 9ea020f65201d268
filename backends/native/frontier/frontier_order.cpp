#include "frontier/frontier_order.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "frontier/frontier_plan.hpp"

namespace latcover {
namespace {

constexpr std::int32_t most_items = 20'000, most_items_greedily = 2'000;
constexpr std::size_t corners = 4, most_starts = 24;  // from which orders begin, breadth-first and greedily
constexpr std::int64_t greedy_work = 30'000'000;  // words of sets to look at, which take some hundredths of a second
constexpr double growth = 1.5;                    // by which an open item multiplies the states, roughly
constexpr double hopeless = 1000;                 // a sweep that costs so many times the best order is left out
constexpr std::size_t most_orders = 8;
constexpr double order_doubt = 4;  // a later order replaces one before it only if it costs less than a quarter

using Order = std::vector<std::int32_t>;

class Orders {
public:
    explicit Orders(const Problem& problem)
        : p_(problem), n_(problem.n_items()), words_((static_cast<std::size_t>(n_) + 63) / 64),
          has_colours_(items_with_colours(problem)), beside_(words_ * static_cast<std::size_t>(n_)),
          holders_(static_cast<std::size_t>(n_)), weights_(holders_.size(), 1), neighbours_(holders_.size()) {
        for (std::int64_t o = 0; o < p_.n_options(); ++o)
            for (const auto item : items_of(o)) {
                ++holders_[item];
                for (const auto other : items_of(o)) row(item)[other / 64] |= std::uint64_t{1} << other % 64;
            }
        if (p_.has_colours()) leave_out_colours();
        for (std::int32_t item = 0; item < n_; ++item) {
            if (has_colours_[item]) continue;
            by_degree_.push_back(item);
            row(item)[item / 64] &= ~(std::uint64_t{1} << item % 64);
            for_each(row(item), [&](auto other) { neighbours_[item].push_back(other); });
        }
        for (auto& some : neighbours_)
            std::sort(some.begin(), some.end(), [&](auto a, auto b) { return rank(a) < rank(b); });
        given_ = by_degree_;
        std::sort(by_degree_.begin(), by_degree_.end(), [&](auto a, auto b) { return rank(a) < rank(b); });
    }

    Order best() const {
        Order best = given_;
        double least = cost(best);
        const auto offer = [&](Order order) {
            if (const auto its = cost(order); its * order_doubt < least) {
                least = its;
                best = std::move(order);
            }
        };
        for (std::size_t k = 0; k < std::min(corners, by_degree_.size()); ++k) offer(outwards(by_degree_[k]));
        if (n_ > most_items_greedily || best.empty()) return best;
        std::int64_t work = 0;
        const auto starts = std::min(most_starts, by_degree_.size());
        for (std::size_t k = 0; k < starts && work < greedy_work; ++k)
            offer(greedily(by_degree_[k * by_degree_.size() / starts], work));
        return best;
    }

    // The best order, and those of the sweeps that differ and may be better, the cheapest first.
    std::vector<Order> with(std::span<const std::int32_t> sweeps) const {
        struct Candidate {
            Order order;
            double cost;
            std::vector<std::int64_t> looks;  // orders that look the same are images of each other, as a rule
        };
        std::vector<Candidate> some;
        const auto offer = [&](Order order) {
            auto looks = looks_of(order);
            if (std::none_of(some.begin(), some.end(), [&](const auto& one) { return one.looks == looks; }))
                some.push_back({order, cost(order), std::move(looks)});
        };
        offer(best());
        for (std::size_t k = 0; n_ > 0 && k + static_cast<std::size_t>(n_) <= sweeps.size();
             k += static_cast<std::size_t>(n_))
            offer(sweep(sweeps.subspan(k, static_cast<std::size_t>(n_))));
        std::stable_sort(some.begin() + 1, some.end(), [](const auto& a, const auto& b) { return a.cost < b.cost; });
        std::vector<Order> orders;
        for (auto& one : some)
            if (orders.size() < most_orders && one.cost <= hopeless * some.front().cost)
                orders.push_back(std::move(one.order));
        return orders;
    }

    // An order with the items that have colours, each after the last item that options hold together with it.
    Order with_colours(Order order) const {
        if (!p_.has_colours()) return order;
        auto place = positions(order);
        for (std::int32_t item = 0; item < n_; ++item)
            if (has_colours_[item]) place[item] = -1;
        for (std::int64_t o = 0; o < p_.n_options(); ++o) {
            std::int32_t last = -1;
            for (const auto item : items_of(o))
                if (!has_colours_[item]) last = std::max(last, place[item]);
            for (const auto item : items_of(o))
                if (has_colours_[item]) place[item] = std::max(place[item], last);
        }
        for (std::int32_t item = 0; item < n_; ++item)
            if (has_colours_[item]) order.push_back(item);
        std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return place[a] < place[b]; });
        return order;
    }

private:
    // Items with colours are in no order. Two items whose options hold one of them are neighbours.
    void leave_out_colours() {
        std::vector<std::uint64_t> without(words_);
        for (std::int32_t item = 0; item < n_; ++item)
            if (!has_colours_[item]) without[item / 64] |= std::uint64_t{1} << item % 64;
        std::vector<std::vector<std::int32_t>> colours(holders_.size());
        for (std::int64_t entry = 0; entry < p_.option_starts[p_.n_options()]; ++entry)
            if (has_colours_[p_.option_items[entry]]) colours[p_.option_items[entry]].push_back(p_.colour(entry));
        for (std::int32_t item = 0; item < n_; ++item) {
            if (!has_colours_[item]) continue;
            std::sort(colours[item].begin(), colours[item].end());
            const auto n = std::unique(colours[item].begin(), colours[item].end()) - colours[item].begin();
            weights_[item] = std::max(1.0, std::log2(static_cast<double>(n)));
            for (std::size_t w = 0; w < words_; ++w) row(item)[w] &= without[w];
            for_each(row(item), [&](auto near) {
                for (std::size_t w = 0; w < words_; ++w) row(near)[w] |= row(item)[w];
            });
        }
        for (std::int32_t item = 0; item < n_; ++item)
            for (std::size_t w = 0; w < words_; ++w) row(item)[w] &= without[w];
    }

    std::span<const std::int32_t> items_of(std::int64_t option) const {
        return p_.option_items.subspan(p_.option_starts[option],
                                       p_.option_starts[option + 1] - p_.option_starts[option]);
    }
    std::uint64_t* row(std::int32_t item) { return beside_.data() + static_cast<std::size_t>(item) * words_; }
    const std::uint64_t* row(std::int32_t item) const {
        return beside_.data() + static_cast<std::size_t>(item) * words_;
    }
    std::pair<std::size_t, std::int32_t> rank(std::int32_t item) const { return {neighbours_[item].size(), item}; }

    template <typename Use>
    void for_each(const std::uint64_t* set, Use use) const {
        for (std::size_t w = 0; w < words_; ++w)
            for (auto bits = set[w]; bits; bits &= bits - 1)
                use(static_cast<std::int32_t>(64 * w) + std::countr_zero(bits));
    }

    // The items by their places. An item without a place comes when the last option that holds it has begun. Items that
    // the same options hold come together, as soon as the first of them does.
    Order sweep(std::span<const std::int32_t> places) const {
        std::vector<std::int32_t> place(places.begin(), places.end()), last(size(), -1);
        std::vector<std::uint64_t> held_by(size());
        for (std::int64_t o = 0; o < p_.n_options(); ++o) {
            auto first = std::numeric_limits<std::int32_t>::max();
            for (const auto item : items_of(o))
                if (places[item] >= 0) first = std::min(first, places[item]);
            for (const auto item : items_of(o)) {
                last[item] = std::max(last[item], first);
                held_by[item] = (held_by[item] ^ static_cast<std::uint64_t>(o + 1)) * 0x9e3779b97f4a7c15;
                held_by[item] ^= held_by[item] >> 29;
            }
        }
        Order order = given_;
        std::sort(order.begin(), order.end(), [&](auto a, auto b) { return held_by[a] < held_by[b]; });
        for (std::size_t from = 0, to = 0; from < order.size(); from = to) {
            auto least = std::numeric_limits<std::int32_t>::max();
            for (; to < order.size() && held_by[order[to]] == held_by[order[from]]; ++to)
                if (places[order[to]] >= 0) least = std::min(least, places[order[to]]);
            for (auto k = from; k < to; ++k)
                if (places[order[k]] >= 0) place[order[k]] = least;
        }
        const auto rank_of = [&](std::int32_t item) {
            return std::tuple{places[item] >= 0 ? place[item] : last[item], places[item] < 0, item};
        };
        std::sort(order.begin(), order.end(), [&](auto a, auto b) { return rank_of(a) < rank_of(b); });
        return order;
    }

    std::size_t size() const { return static_cast<std::size_t>(n_); }

    // For each item in turn: how many items are open, and how many options begin.
    std::vector<std::int64_t> looks_of(const Order& order) const {
        std::vector<std::int64_t> looks(order.size());
        const auto position = positions(order);
        for (std::int64_t o = 0; o < p_.n_options(); ++o) {
            std::int32_t first = n_, last = 0;
            for (const auto item : items_of(o)) {
                first = std::min(first, position[item]);
                if (position[item] < n_) last = std::max(last, position[item]);
            }
            if (first == n_) continue;
            looks[first] += std::int64_t{1} << 32;
            looks[last] += static_cast<std::int64_t>(items_of(o).size());
        }
        return looks;
    }

    // The place of each item, n_ of one with colours.
    std::vector<std::int32_t> positions(const Order& order) const {
        std::vector<std::int32_t> position(size(), n_);
        for (std::size_t k = 0; k < order.size(); ++k) position[order[k]] = static_cast<std::int32_t>(k);
        return position;
    }

    // The sum over all items of what the frontier before it costs.
    double cost(const Order& order) const {
        std::vector<std::int32_t> opens(size(), n_), closes = positions(order), last(p_.has_colours() ? size() : 0);
        for (std::int64_t o = 0; o < p_.n_options(); ++o) {
            std::int32_t first = n_;
            for (const auto item : items_of(o)) first = std::min(first, closes[item]);
            for (const auto item : items_of(o))
                if (closes[item] != first) opens[item] = std::min(opens[item], first);
            if (p_.has_colours() && first < n_)
                for (const auto item : items_of(o)) last[item] = std::max(last[item], first);
        }
        std::vector<double> change(order.size() + 1);
        for (std::int32_t item = 0; item < n_; ++item)
            if (opens[item] < n_) {
                change[opens[item]] += weights_[item];
                change[has_colours_[item] ? last[item] : closes[item]] -= weights_[item];
            }
        double sum = 0, width = 0;
        for (const auto by : change) sum += std::pow(growth, width += by);
        return sum;
    }

    // Breadth-first from `start`, items with few neighbours first; then from the next unreached item.
    Order outwards(std::int32_t start) const {
        std::vector<bool> reached(static_cast<std::size_t>(n_));
        Order order;
        const auto from = [&](std::int32_t first) {
            if (reached[first]) return;
            reached[first] = true;
            order.push_back(first);
            for (auto at = order.size() - 1; at < order.size(); ++at)
                for (const auto other : neighbours_[order[at]])
                    if (!reached[other]) {
                        reached[other] = true;
                        order.push_back(other);
                    }
        };
        from(start);
        for (const auto item : by_degree_) from(item);
        return order;
    }

    // From `start`, always the open item that opens the fewest others; among these, the one with the fewest options.
    Order greedily(std::int32_t start, std::int64_t& work) const {
        std::vector<std::uint64_t> seen(words_), open(words_);
        std::vector<bool> done(static_cast<std::size_t>(n_));
        Order order;
        const auto take = [&](std::int32_t item) {
            done[item] = true;
            order.push_back(item);
            open[item / 64] &= ~(std::uint64_t{1} << item % 64);
            seen[item / 64] |= std::uint64_t{1} << item % 64;
            for (std::size_t w = 0; w < words_; ++w) {
                open[w] |= row(item)[w] & ~seen[w];
                seen[w] |= row(item)[w];
            }
        };
        take(start);
        for (std::size_t next = 0; order.size() < given_.size();) {
            std::tuple<std::int32_t, std::int32_t, std::int32_t> best{n_ + 1, 0, 0};
            for_each(open.data(), [&](auto item) {
                std::int32_t opened = 0;
                for (std::size_t w = 0; w < words_; ++w) opened += std::popcount(row(item)[w] & ~seen[w]);
                best = std::min(best, {opened, holders_[item], item});
                work += static_cast<std::int64_t>(words_);
            });
            if (std::get<0>(best) <= n_) {
                take(std::get<2>(best));
                continue;
            }
            while (done[by_degree_[next]]) ++next;
            take(by_degree_[next]);
        }
        return order;
    }

    const Problem& p_;
    std::int32_t n_;
    std::size_t words_;
    std::vector<std::uint8_t> has_colours_;              // whether each item has; those without are ordered
    std::vector<std::uint64_t> beside_;                  // for each item the set of its neighbours
    std::vector<std::int32_t> holders_;                  // how many options hold each item
    std::vector<double> weights_;                        // of each item: as how many it counts in a frontier
    std::vector<std::vector<std::int32_t>> neighbours_;  // those with few neighbours first
    Order given_, by_degree_;  // the items without colours, by their numbers and by their neighbours
};

}  // namespace

std::vector<std::vector<std::int32_t>> frontier_orders(const Problem& problem, std::span<const std::int32_t> sweeps) {
    if (problem.n_items() > most_items) return {frontier_order(problem)};
    const Orders orders(problem);
    auto found = orders.with(sweeps);
    for (auto& order : found) order = orders.with_colours(std::move(order));
    return found;
}

std::vector<std::int32_t> frontier_order(const Problem& problem) {
    if (problem.n_items() <= most_items) {
        const Orders orders(problem);
        return orders.with_colours(orders.best());
    }
    std::vector<std::int32_t> order(static_cast<std::size_t>(problem.n_items()));
    std::iota(order.begin(), order.end(), 0);
    return order;
}

}  // namespace latcover
