//===- OptReport.h - nnet3-opt with a report --------------------*- C++ -*-===//
#ifndef NNET3_PIPELINES_OPTREPORT_H
#define NNET3_PIPELINES_OPTREPORT_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace nnet3 {

/// Runs the passes of the command line, as MlirOptMain does, and writes a page
/// about what they made of the computations in `input` to `reportFile`, which
/// appears whole or not at all. Prints an error if something fails.
llvm::LogicalResult optWithReport(llvm::StringRef input, llvm::StringRef output,
                                  llvm::StringRef reportFile,
                                  mlir::DialectRegistry &registry);

} // namespace nnet3

#endif // NNET3_PIPELINES_OPTREPORT_H
