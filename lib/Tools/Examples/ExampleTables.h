//===- ExampleTables.h - Reading and writing example tables -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_EXAMPLES_EXAMPLETABLES_H
#define LIB_TOOLS_EXAMPLES_EXAMPLETABLES_H

#include "nnet3/Kaldi/Examples/ChainExamples.h"
#include "nnet3/Tools/Common/Program.h"

namespace mlir::nnet3 {

/// The command line of a program that reads one table of examples and writes
/// one or more. Plain and chain examples keep their type.
class ExampleProgramOptions : public ProgramOptions {
public:
  /// Table names.
  std::string input;
  std::vector<std::string> outputs;

  llvm::Error finish(llvm::ArrayRef<std::string> positional) override;

protected:
  /// The maximum number of output tables.
  size_t mostOutputs = 1;
};

using ExampleWriter = ::nnet3::kaldi::TableWriter<::nnet3::kaldi::AnyExample>;

/// Opens the output tables.
llvm::Expected<std::vector<std::unique_ptr<ExampleWriter>>>
openOutputs(const ExampleProgramOptions &options);

/// Closes the tables. If nothing was read or written, returns an error and
/// leaves no files.
llvm::Error closeOutputs(const ExampleProgramOptions &options,
                         llvm::ArrayRef<std::unique_ptr<ExampleWriter>> tables,
                         size_t numRead, size_t numWritten);

/// Calls `take` with the key and the example of each entry of the table.
llvm::Error forEachExample(
    const ExampleProgramOptions &options,
    llvm::function_ref<llvm::Error(llvm::StringRef key,
                                   ::nnet3::kaldi::AnyExample &example)>
        take);

} // namespace mlir::nnet3

#endif // LIB_TOOLS_EXAMPLES_EXAMPLETABLES_H
