//===- SelfRepair.h - Probability of self-repair ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CPU_SIMPLE_SELFREPAIR_H
#define NNET3_RUNTIME_CPU_SIMPLE_SELFREPAIR_H

namespace nnet3 {
namespace rt {

/// Probability that a backprop command self-repairs. Repairs are scaled by its
/// inverse.
inline constexpr float kRepairProbability = 0.5f;

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_SIMPLE_SELFREPAIR_H
