//===- Loader.h - From bytes to a verified program --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CORE_LOADER_H
#define NNET3_RUNTIME_CORE_LOADER_H

#include "MappedFile.h"
#include "ProgramData.h"
#include "nnet3/runtime/Container.h"

#include <memory>
#include <string>

namespace nnet3 {
namespace rt {

/// The parts of a program file; borrowed.
struct ProgramParts {
  const unsigned char *program = nullptr;
  uint64_t programSize = 0;
  const unsigned char *weights = nullptr;
  uint64_t weightsSize = 0;
};

/// Finds the parts of a program file and verifies the checksums. Data without
/// the magic of a program file is treated as a bare FlatBuffer.
Result<ProgramParts> splitProgramFile(const void *data, uint64_t size);

/// Verifies the parts and creates the program. Copies the FlatBuffer, borrows
/// the weights.
Result<std::unique_ptr<ProgramData>> loadProgram(const ProgramParts &parts,
                                                 uint64_t maxArenaBytes);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CORE_LOADER_H
