//===- StepRandom.h - Random choices of the training step -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TRAIN_STEPRANDOM_H
#define NNET3_RUNTIME_TRAIN_STEPRANDOM_H

#include "cpu/math/Random.h"

namespace nnet3 {
namespace rt {

enum class StepPurpose : uint32_t {
  Components, ///< seed of the random numbers of the components
  Constraint, ///< whether a component is constrained
  Objective   ///< random choices of the objectives of outputs
};

/// Returns 128 random bits: Philox (cpu/math/Random.h) with the trainer's seed
/// as key. The words of the counter, lowest first, are \p position, \p purpose
/// and the two halves of \p step, the number of the minibatch.
inline std::array<uint32_t, 4> stepRandom(uint64_t seed, uint64_t step,
                                          StepPurpose purpose,
                                          uint32_t position) {
  return philox(
      {position, static_cast<uint32_t>(purpose), static_cast<uint32_t>(step),
       static_cast<uint32_t>(step >> 32)},
      {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)});
}

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAIN_STEPRANDOM_H
