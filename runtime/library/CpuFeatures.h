//===- CpuFeatures.h - Instruction sets of this machine ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_LIBRARY_CPUFEATURES_H
#define NNET3_RUNTIME_LIBRARY_CPUFEATURES_H

#include <string_view>

namespace nnet3 {
namespace rt {

/// Whether this machine has the instruction set \p name of the compiler's table
/// (lib/Target/Cpu/InstructionSets.cpp); false for unknown names.
bool isCpuFeature(std::string_view name);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_LIBRARY_CPUFEATURES_H
