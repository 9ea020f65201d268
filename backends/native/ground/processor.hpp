// What the processor can do, as far as code that is compiled for several processors must know.

#pragma once

namespace latcover {

// Whether it has the instructions of a form of the code, and the operating system keeps the registers that they need.
// False on any other processor than x86-64.
bool runs_avx2();    // POPCNT, SSE4.2, AVX2, BMI1, BMI2
bool runs_avx512();  // these, AVX-512 F, BW, DQ, VL, VBMI, VBMI2, VPOPCNTDQ, and GFNI

}  // namespace latcover
