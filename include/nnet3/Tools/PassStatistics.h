//===- PassStatistics.h - What passes make of computations ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_PASSSTATISTICS_H
#define NNET3_TOOLS_PASSSTATISTICS_H

#include "mlir/Support/LLVM.h"
#include <memory>

namespace mlir {
class PassManager;
} // namespace mlir

namespace mlir::nnet3 {

/// What each pass makes of each computation: commands, matrices and bytes
/// before and behind it, and what it counts itself (PassCount). Collects over
/// the runs of pass managers.
class PassStatistics {
public:
  PassStatistics();
  ~PassStatistics();

  /// Measures every computation before and behind every pass of `manager` that
  /// may change it. The statistics must outlive the manager.
  void watch(PassManager &manager);

  /// One table for each computation, in the order of the module; a line for
  /// each pass, in the order in which they ran. Passes that only look are left
  /// out.
  void print(llvm::raw_ostream &os) const;

private:
  class Watcher;
  struct Tables;
  std::unique_ptr<Tables> tables;
};

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_PASSSTATISTICS_H
