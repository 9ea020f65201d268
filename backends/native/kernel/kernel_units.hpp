// The list of kernels, the fastest last. CMake decides which are compiled; the processor decides which of them run.

#pragma once

#include <stdexcept>
#include <string>

#include "ground/processor.hpp"
#include "kernel/kernel.hpp"

namespace latcover {

#define LATCOVER_DECLARE_UNIT(unit)                      \
    namespace unit {                                     \
    void walk(const KernelProblem& problem, Walk& host); \
    }
LATCOVER_DECLARE_UNIT(portable)
#if defined(LATCOVER_X86_UNITS)
LATCOVER_DECLARE_UNIT(avx2)
LATCOVER_DECLARE_UNIT(avx512)
#elif defined(LATCOVER_ARM_UNITS)
LATCOVER_DECLARE_UNIT(neon)
#endif
#undef LATCOVER_DECLARE_UNIT

struct KernelUnit {
    const char* name;
    void (*walk)(const KernelProblem& problem, Walk& host);
    bool (*runs_here)();
};

inline const KernelUnit kernel_units[] = {
    {"portable", portable::walk, [] { return true; }},
#if defined(LATCOVER_X86_UNITS)
    {"avx2", avx2::walk, runs_avx2},
    {"avx512", avx512::walk, runs_avx512},
#elif defined(LATCOVER_ARM_UNITS)
    {"neon", neon::walk, [] { return true; }},
#endif
};

// throws: std::invalid_argument, if there is no such unit or it does not run here.
inline const KernelUnit& unit_named(const std::string& name) {
    for (const KernelUnit& unit : kernel_units)
        if (unit.name == name && unit.runs_here()) return unit;
    throw std::invalid_argument("no kernel " + name + " runs here");
}

}  // namespace latcover
