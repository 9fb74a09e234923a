//===- LibraryCalls.h - Calls of a library, right and wrong -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TEST_LIBRARY_LIBRARYCALLS_H
#define NNET3_RUNTIME_TEST_LIBRARY_LIBRARYCALLS_H

#include "nnet3/runtime/nnet3lib.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace nnet3 {
namespace rt {
namespace test {

/// Number of calls that returned each status.
using StatusCounts = std::array<int64_t, NNET3LIB_WRONG_STATE + 1>;

/// Files for calls that open a library, in a folder of their own.
struct WeightsFiles {
  /// Writes them into \p folder: what the demo library has, all of it, too
  /// short, with a wrong byte.
  explicit WeightsFiles(const std::string &folder);
  ~WeightsFiles();
  std::string whole, shortened, damaged;
};

/// Calls the functions of the demo library with arguments selected by \p data:
/// valid or null models and instances, right and wrong versions, sizes,
/// numbers, dims and memory. Makes only errors that the interface promises to
/// detect; claimed memory exists. Aborts if a status is unknown or an error
/// comes with a result; sanitizers detect other errors.
void makeCalls(const uint8_t *data, size_t size, const WeightsFiles &files,
               StatusCounts &counts);

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_LIBRARY_LIBRARYCALLS_H
