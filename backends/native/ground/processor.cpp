// Source of the numbers of bits: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, CPUID and
// XGETBV.

#include "ground/processor.hpp"

#include <cstdint>
#include <initializer_list>

#if defined(_MSC_VER) && defined(_M_X64) && !defined(_M_ARM64EC)
#include <immintrin.h>
#include <intrin.h>
#elif defined(__x86_64__)
#include <cpuid.h>
#endif

namespace latcover {
namespace {

enum Register { ebx = 1, ecx = 2 };

// The registers eax, ebx, ecx, edx that CPUID gives for a leaf; zeros if there is no such leaf.
struct Leaf {
    std::uint32_t registers[4] = {};

    explicit Leaf([[maybe_unused]] std::uint32_t number) {
#if defined(_MSC_VER) && defined(_M_X64) && !defined(_M_ARM64EC)
        int found[4];
        __cpuid(found, 0);
        if (static_cast<std::uint32_t>(found[0]) < number) return;
        __cpuidex(found, static_cast<int>(number), 0);
        for (int k = 0; k < 4; ++k) registers[k] = static_cast<std::uint32_t>(found[k]);
#elif defined(__x86_64__)
        __get_cpuid_count(number, 0, &registers[0], &registers[1], &registers[2], &registers[3]);
#endif
    }
    bool has(Register where, std::initializer_list<int> bits) const {
        for (const int bit : bits)
            if (!(registers[where] >> bit & 1)) return false;
        return true;
    }
};

// Whether the operating system keeps all these registers of a thread.
bool keeps([[maybe_unused]] std::uint32_t states) {
    if (!Leaf(1).has(ecx, {27})) return false;  // OSXSAVE
#if defined(_MSC_VER) && defined(_M_X64) && !defined(_M_ARM64EC)
    return (_xgetbv(0) & states) == states;
#elif defined(__x86_64__)
    std::uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & states) == states;
#else
    return false;
#endif
}

constexpr std::uint32_t ymm = 0x06, zmm = 0xe6;

}  // namespace

// In a virtual machine, CPUID takes as long as a small search, so that each answer is kept.
bool runs_avx2() {
    static const bool runs = keeps(ymm) && Leaf(1).has(ecx, {20, 23, 28}) && Leaf(7).has(ebx, {3, 5, 8});
    return runs;
}

bool runs_avx512() {
    static const bool runs =
        runs_avx2() && keeps(zmm) && Leaf(7).has(ebx, {16, 17, 30, 31}) && Leaf(7).has(ecx, {1, 6, 8, 12, 14});
    return runs;
}

}  // namespace latcover
