//===- Run.h - The actions of nnet3-rt-run ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_RUNNER_RUN_H
#define NNET3_RUNTIME_RUNNER_RUN_H

#include "RunnerOptions.h"

#include <cstdint>

namespace nnet3 {
namespace rt {

/// Runs the checks of a pack; \p isGood receives whether all have passed.
Status runPack(const void *data, uint64_t size, const RunnerOptions &options,
               bool &isGood);

/// Runs a program file in memory, both parts if it has two.
Status runProgram(const void *data, uint64_t size,
                  const RunnerOptions &options);

/// Runs a request of the library options.file.
Status runLibrary(const RunnerOptions &options);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_RUNNER_RUN_H
