//===- DamagedProgram.h - Running of damaged programs -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TEST_SUPPORT_DAMAGEDPROGRAM_H
#define NNET3_RUNTIME_TEST_SUPPORT_DAMAGEDPROGRAM_H

#include <cstdint>
#include <vector>

namespace nnet3 {
namespace rt {
namespace test {

/// Loads an exact copy of these bytes and, if that succeeds, runs all parts,
/// with models if possible. Returns whether it loaded.
bool loadAndRun(const std::vector<uint8_t> &file);

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_SUPPORT_DAMAGEDPROGRAM_H
