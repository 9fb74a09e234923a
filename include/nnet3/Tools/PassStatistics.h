//===- PassStatistics.h - Statistics of passes ------------------*- C++ -*-===//
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

/// The effects of each pass on each computation: the numbers of commands,
/// matrices and bytes before and after it, and its own counts (PassCount).
/// Collects them over several runs of pass managers.
class PassStatistics {
public:
  PassStatistics();
  ~PassStatistics();

  /// Measures every computation before and after every pass of `manager` that
  /// may change it. The statistics must outlive the manager.
  void watch(PassManager &manager);

  /// Prints a table for each computation, in the order of the module, with a
  /// line for each pass, in the order of their runs. Omits passes that change
  /// nothing by design, such as checks.
  void print(llvm::raw_ostream &os) const;

private:
  class Watcher;
  struct Tables;
  std::unique_ptr<Tables> tables;
};

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_PASSSTATISTICS_H
