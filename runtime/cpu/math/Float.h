//===- Float.h - Elementary functions that vectorise ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branch-free single-precision exp, sigmoid and tanh for use inside of loops
// that the compiler vectorises; libm's would stay scalar calls. Errors are
// measured in test/cpu/VectorMathTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CPU_MATH_FLOAT_H
#define NNET3_RUNTIME_CPU_MATH_FLOAT_H

#include <cstdint>
#include <cstring>

// Inlined into functions that are compiled for several instruction sets, so
// that each copy is compiled for its own.
#define NNET3_INLINE inline __attribute__((always_inline))

// Element i of the output depends on element i of the inputs only, so a loop
// may be vectorised although output and input may be the same memory.
#if defined(__clang__)
#define NNET3_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define NNET3_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace nnet3 {
namespace rt {

NNET3_INLINE float floatOfBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

NNET3_INLINE uint32_t bitsOfFloat(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/// max(x, least), or NaN if x is NaN.
template <typename T> NNET3_INLINE T atLeast(T least, T x) {
  return x < least ? least : x;
}

/// exp(x), relative error below 2e-7; 0 below -87.33 (results that would be
/// denormal), infinity above 88.72; NaN gives NaN.
///
/// x = n ln 2 + r with |r| <= ln 2 / 2; exp(r) by its Taylor polynomial of
/// degree 7, whose remainder is below 6e-9; 2^n by two exponents, for n may
/// reach 128.
NNET3_INLINE float fastExp(float x) {
  const float kRound = 12582912.0f; // 1.5 * 2^23: adding it rounds
  const float kLog2e = 1.44269504088896341f;
  const float kLn2High = 0.693359375f;
  const float kLn2Low = -2.12194440e-4f;
  float clamped = x > 88.8f ? 88.8f : x;
  clamped = clamped < -87.34f ? -87.34f : clamped;
  const float shifted = clamped * kLog2e + kRound;
  const float n = shifted - kRound;
  const float r = (clamped - n * kLn2High) - n * kLn2Low;
  float p = 1.0f / 5040;
  p = p * r + 1.0f / 720;
  p = p * r + 1.0f / 120;
  p = p * r + 1.0f / 24;
  p = p * r + 1.0f / 6;
  p = p * r + 0.5f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  const uint32_t power = bitsOfFloat(shifted) - bitsOfFloat(kRound);
  const uint32_t half = static_cast<uint32_t>(static_cast<int32_t>(power) >> 1);
  const float scale1 = floatOfBits((half + 127u) << 23);
  const float scale2 = floatOfBits((power - half + 127u) << 23);
  float y = p * scale1 * scale2;
  y = x < -87.33f ? 0.0f : y;
  return x > 88.7228f ? floatOfBits(0x7F800000u) : y;
}

/// 1 / (1 + exp(-x)); exact limits for large |x|.
NNET3_INLINE float fastSigmoid(float x) {
  const float e = fastExp(x < 0 ? x : -x); // in (0, 1]
  const float small = e / (1.0f + e);
  const float large = 1.0f / (1.0f + e);
  return x < 0 ? small : large;
}

/// tanh(x), relative error below 1e-6 everywhere. Near 0 the quotient
/// (1 - e) / (1 + e) cancels, so an odd polynomial takes over below 0.5.
NNET3_INLINE float fastTanh(float x) {
  const float magnitude = floatOfBits(bitsOfFloat(x) & 0x7FFFFFFFu);
  const float e = fastExp(-2.0f * magnitude);
  const float quotient = (1.0f - e) / (1.0f + e);
  const float x2 = magnitude * magnitude;
  float p = -1.4558344e-3f; // the Taylor series, to the 15th power
  p = p * x2 + 3.5921280e-3f;
  p = p * x2 - 8.8632355e-3f;
  p = p * x2 + 2.1869488e-2f;
  p = p * x2 - 5.3968254e-2f;
  p = p * x2 + 1.3333333e-1f;
  p = p * x2 - 3.3333333e-1f;
  const float series = magnitude + magnitude * x2 * p;
  const float result = magnitude < 0.5f ? series : quotient;
  return floatOfBits(bitsOfFloat(result) | (bitsOfFloat(x) & 0x80000000u));
}

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_MATH_FLOAT_H
