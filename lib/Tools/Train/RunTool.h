//===- RunTool.h - The frame of a program over examples ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_TRAIN_RUNTOOL_H
#define LIB_TOOLS_TRAIN_RUNTOOL_H

#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"
#include "nnet3/Pipelines/StageDialects.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Tools/CommandLine.h"
#include "nnet3/Tools/OptionParser.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::nnet3 {

/// Parses the command line with Options and calls `run` with them. Returns the
/// exit status.
template <typename Options>
int runTool(const char *usage, int argc, char **argv,
            LogicalResult (*run)(MLIRContext *, const Options &)) {
  Options options;
  OptionParser parser(usage);
  options.registerOptions(parser);
  auto positional = parser.parse(llvm::ArrayRef(argv + 1, argc - 1));
  if (!positional) {
    llvm::errs() << llvm::toString(positional.takeError()) << "\n";
    return 1;
  }
  if (parser.wantsText())
    return parser.printText();
  if (options.printArgs)
    printArguments(llvm::ArrayRef(argv, argc));
  if (positional->empty()) {
    parser.printHelp(llvm::errs());
    return 1;
  }
  if (llvm::Error error = options.finish(*positional)) {
    llvm::errs() << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  DialectRegistry registry;
  registerStageDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadDialect<Nnet3Dialect, memref::MemRefDialect>();
  context.printOpOnDiagnostic(false);
  LineDiagnosticHandler handler(&context, llvm::errs());
  return succeeded(run(&context, options)) ? 0 : 1;
}

} // namespace mlir::nnet3

#endif // LIB_TOOLS_TRAIN_RUNTOOL_H
