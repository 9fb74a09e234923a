//===- RandomDraws.h - Whether random numbers are random --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_RANDOMDRAWS_H
#define NNET3_RUNTIME_RANDOMDRAWS_H

#include <cstdint>

namespace nnet3 {
namespace rt {

/// Source of random numbers. The constant ones make programs with different
/// generators comparable.
enum class RandomDraws : uint8_t {
  Normal,
  /// Always the smallest number: events of probability > 0 happen.
  Zero,
  /// Always the largest number: events of probability < 1 do not happen.
  High
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_RANDOMDRAWS_H
