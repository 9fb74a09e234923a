//===- RandomDraws.h - Whether random numbers are random --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_RANDOMDRAWS_H
#define NNET3_RUNTIME_RANDOMDRAWS_H

#include <cstdint>

namespace nnet3 {
namespace rt {

/// What random numbers are. Results of programs whose generators differ can be
/// compared where all of them are stuck.
enum class RandomDraws : uint8_t {
  Normal,
  /// Always the least: what happens with some probability happens.
  Zero,
  /// Always the largest: it does not happen.
  High
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_RANDOMDRAWS_H
