//===- ExampleTables.h - Tables of examples, read and written ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_EXAMPLES_EXAMPLETABLES_H
#define LIB_TOOLS_EXAMPLES_EXAMPLETABLES_H

#include "nnet3/Kaldi/Examples/ChainExamples.h"
#include "nnet3/Tools/Program.h"

namespace mlir::nnet3 {

/// The command line of a program from one table of examples to one or more
/// others. Examples of both kinds are read, and written as what they are.
class ExampleProgramOptions : public ProgramOptions {
public:
  /// Tables.
  std::string input;
  std::vector<std::string> outputs;

  llvm::Error finish(llvm::ArrayRef<std::string> positional) override;

protected:
  /// The most tables that the program writes.
  size_t mostOutputs = 1;
};

using ExampleWriter = ::nnet3::kaldi::TableWriter<::nnet3::kaldi::AnyExample>;

/// Opens the tables to write.
llvm::Expected<std::vector<std::unique_ptr<ExampleWriter>>>
openOutputs(const ExampleProgramOptions &options);

/// Ends the tables; fails, and leaves no files, if nothing was written.
llvm::Error closeOutputs(llvm::ArrayRef<std::unique_ptr<ExampleWriter>> tables,
                         size_t numWritten);

/// Gives `take` each example of the table, and its key.
llvm::Error forEachExample(
    const ExampleProgramOptions &options,
    llvm::function_ref<llvm::Error(llvm::StringRef key,
                                   ::nnet3::kaldi::AnyExample &example)>
        take);

} // namespace mlir::nnet3

#endif // LIB_TOOLS_EXAMPLES_EXAMPLETABLES_H
