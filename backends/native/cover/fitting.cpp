#include "cover/fitting.hpp"

#include "ground/processor.hpp"

#if defined(LATCOVER_X86_UNITS)
#include <immintrin.h>
#if defined(__GNUC__) || defined(__clang__)
#define LATCOVER_FOR(instructions) __attribute__((target(instructions)))
#else
#define LATCOVER_FOR(instructions)  // MSVC compiles any instructions anywhere
#endif
#endif

namespace latcover {
namespace {

using Word = std::uint64_t;

unsigned fitting_portable(const Word* masks, const Word* full, int words) {
    Word hit[fitting_lanes] = {};
    for (int w = 0; w < words; ++w)
        for (int k = 0; k < fitting_lanes; ++k) hit[k] |= masks[w * fitting_lanes + k] & full[w];
    unsigned fits = 0;
    for (int k = 0; k < fitting_lanes; ++k) fits |= static_cast<unsigned>(hit[k] == 0) << k;
    return fits;
}

#if defined(LATCOVER_X86_UNITS)
LATCOVER_FOR("avx2") unsigned fitting_avx2(const Word* masks, const Word* full, int words) {
    __m256i low = _mm256_setzero_si256(), high = _mm256_setzero_si256();
    const auto* const m = reinterpret_cast<const __m256i*>(masks);
    for (int w = 0; w < words; ++w) {
        const __m256i f = _mm256_set1_epi64x(static_cast<long long>(full[w]));
        low = _mm256_or_si256(low, _mm256_and_si256(_mm256_loadu_si256(m + 2 * w), f));
        high = _mm256_or_si256(high, _mm256_and_si256(_mm256_loadu_si256(m + 2 * w + 1), f));
    }
    const __m256i zero = _mm256_setzero_si256();
    low = _mm256_cmpeq_epi64(low, zero), high = _mm256_cmpeq_epi64(high, zero);
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(low)) |
                                 _mm256_movemask_pd(_mm256_castsi256_pd(high)) << 4);
}

LATCOVER_FOR("avx512f") unsigned fitting_avx512(const Word* masks, const Word* full, int words) {
    __mmask8 hit = 0;
    for (int w = 0; w < words; ++w)
        hit |= _mm512_test_epi64_mask(_mm512_loadu_si512(masks + fitting_lanes * w),
                                      _mm512_set1_epi64(static_cast<long long>(full[w])));
    return static_cast<unsigned>(static_cast<unsigned char>(~hit));
}
#endif

}  // namespace

Fitting fitting_of([[maybe_unused]] const std::string& kernel) {
#if defined(LATCOVER_X86_UNITS)
    if (kernel == "avx512" && runs_avx512()) return fitting_avx512;
    if (kernel == "avx2" && runs_avx2()) return fitting_avx2;
#endif
    return fitting_portable;
}

}  // namespace latcover
