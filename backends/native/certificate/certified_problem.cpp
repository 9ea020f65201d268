#include "certificate/certified_problem.hpp"

#include <algorithm>
#include <bit>

namespace latcover {
namespace {

constexpr std::int32_t word_bits = 64;

// The colours in which options hold each item, ascending.
std::vector<std::vector<std::int32_t>> colours_of_items(const Problem& p) {
    std::vector<std::vector<std::int32_t>> colours(static_cast<std::size_t>(p.n_items()));
    for (std::size_t entry = 0; entry < p.option_colours.size(); ++entry)
        if (p.option_colours[entry]) colours[p.option_items[entry]].push_back(p.option_colours[entry]);
    for (auto& own : colours) {
        std::sort(own.begin(), own.end());
        own.erase(std::unique(own.begin(), own.end()), own.end());
    }
    return colours;
}

}  // namespace

CertifiedProblem certified_problem(const Problem& p) {
    CertifiedProblem made;
    const auto colours = colours_of_items(p);
    made.items.resize(colours.size());
    std::int32_t word = 0, bit = 0;
    std::vector<std::uint64_t> guards(colours.size());
    for (std::size_t i = 0; i < colours.size(); ++i) {
        auto& own = made.items[i];
        const auto high = static_cast<std::uint32_t>(p.high[i]);
        const auto shades = static_cast<std::int32_t>(colours[i].size());
        const std::int32_t bits = shades ? 1 + shades : std::max(1, static_cast<std::int32_t>(std::bit_width(high)));
        const std::int32_t taken = bits + (high > 1);
        if (taken > word_bits) throw Unsupported("a certificate takes at most 63 colours of an item");
        if (bit + taken > word_bits) {
            ++word;
            bit = 0;
        }
        const auto ones = bits == word_bits ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
        own.word = word;
        own.mask = ones << bit;
        own.unit = std::uint64_t{1} << bit;
        own.full = shades ? own.unit : own.mask;
        own.start = shades ? 0 : (ones - high) << bit;
        own.low = p.low[i];
        own.single = !shades && high <= 1;
        guards[i] = high > 1 ? own.unit << bits : 0;
        bit += taken;
    }
    made.words = with_words(static_cast<std::size_t>(word) + 1,
                            [](auto words) { return static_cast<std::size_t>(decltype(words)::value); });
    made.empty.resize(made.words);
    made.done.resize(made.words);
    made.guard.resize(made.words);
    for (std::size_t i = 0; i < made.items.size(); ++i) {
        const auto& own = made.items[i];
        made.empty[own.word] |= own.start;
        made.done[own.word] |= own.full;
        made.guard[own.word] |= guards[i];
    }

    made.holders.resize(made.items.size());
    for (std::int32_t option = 0; option < p.n_options(); ++option) {
        auto state = made.empty;
        std::vector<std::uint64_t> forbid(made.words), put(made.words), add(made.words);
        std::vector<std::int32_t> held;
        bool fits = true;
        for (auto entry = p.option_starts[option]; entry < p.option_starts[option + 1] && fits; ++entry) {
            const auto item = p.option_items[entry];
            const auto& own = made.items[item];
            std::uint64_t shade = 0, unit = own.unit;
            if (const auto colour = p.colour(entry)) {
                const auto& known = colours[item];
                shade = own.unit << (1 + (std::lower_bound(known.begin(), known.end(), colour) - known.begin()));
                unit = 0;
            }
            const auto hindering = p.high[item] < 2 ? own.mask & ~shade : 0;
            auto& bits = state[own.word];
            fits = !(bits & hindering) && !((bits + unit) & made.guard[own.word]);
            bits = (bits | shade) + unit;
            forbid[own.word] |= hindering;
            put[own.word] |= shade;
            add[own.word] += unit;
            held.push_back(item);
        }
        made.doublings += held.empty();
        if (!fits || held.empty()) continue;
        std::sort(held.begin(), held.end());
        held.erase(std::unique(held.begin(), held.end()), held.end());
        for (const auto item : held) made.holders[item].push_back(static_cast<std::int32_t>(made.numbers.size()));
        made.numbers.push_back(option);
        made.forbids.insert(made.forbids.end(), forbid.begin(), forbid.end());
        made.puts.insert(made.puts.end(), put.begin(), put.end());
        made.adds.insert(made.adds.end(), add.begin(), add.end());
        made.held.push_back(std::move(held));
    }
    return made;
}

}  // namespace latcover
