//===- CountAllocations.h - Counts allocations ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// malloc and its relatives are replaced for the whole process and counted.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_TEST_SUPPORT_COUNTALLOCATIONS_H
#define NNET3_RUNTIME_TEST_SUPPORT_COUNTALLOCATIONS_H

namespace nnet3 {
namespace rt {
namespace test {

void startCounting();
/// Returns the number of allocations since startCounting().
int stopCounting();

/// Returns the number of allocations of \p f.
template <typename Function> int countAllocations(Function f) {
  startCounting();
  f();
  return stopCounting();
}

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_SUPPORT_COUNTALLOCATIONS_H
