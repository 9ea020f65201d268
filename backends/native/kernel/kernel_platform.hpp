// What all parts of the bitmap kernel share: words, the intrinsics of the instruction set, and the namespace of the
// unit.
//
// CMake names the unit: kernel.cpp is compiled once for each instruction set, each time in a namespace of its own. A
// part that is compiled by itself belongs to the portable unit.

#pragma once

#include <bit>

#include "kernel/kernel.hpp"

#if defined(__SSE2__) || defined(_M_X64)  // MSVC tells it by the processor
#include <immintrin.h>
#define LATCOVER_SSE2
#elif defined(LATCOVER_NEON)  // the unit says so: every ARM of 64 bits has it
#include <arm_neon.h>
#endif
#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#define LATCOVER_WASM
#endif

#if !defined(LATCOVER_UNIT)
#define LATCOVER_UNIT portable
#endif

namespace latcover::LATCOVER_UNIT {
namespace {

using u64 = std::uint64_t;
using u32 = std::uint32_t;
using u16 = std::uint16_t;
using i32 = std::int32_t;

}  // namespace
}  // namespace latcover::LATCOVER_UNIT
