//===- SelfRepair.h - How often components repair themselves ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CPU_SIMPLE_SELFREPAIR_H
#define NNET3_RUNTIME_CPU_SIMPLE_SELFREPAIR_H

namespace nnet3 {
namespace rt {

/// The share of backprop commands that repair. A repair is stronger by its
/// inverse.
inline constexpr float kRepairProbability = 0.5f;

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_SIMPLE_SELFREPAIR_H
