//===- CompiledLibrary.h - The code that nnet3-compile makes ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library is used through its public functions (docs/user/Libraries.md),
// whether it is a shared library or was compiled in this process.
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_EXECUTION_COMPILEDLIBRARY_H
#define NNET3_EXECUTION_COMPILEDLIBRARY_H

#include "nnet3/Execution/RequestRunner.h"
#include "nnet3/runtime/GeneratedCode.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace mlir::nnet3 {

/// The public functions of a library, without their prefix.
struct LibraryFunctions {
#define NNET3LIB_WRAPPER(name, signature) decltype(&nnet3lib_##name) name;
#include "nnet3/runtime/LibraryWrappers.def"
};

/// An opened library. Instances keep it.
class CompiledLibrary : public std::enable_shared_from_this<CompiledLibrary> {
public:
  /// Finds a function by its name in the library; null if there is none.
  using Lookup = llvm::function_ref<void *(llvm::StringRef name)>;

  /// An input or output of a request.
  struct Matrix {
    std::string name;
    int32_t rows, cols;
    /// The index of each row; empty where the library does not know it.
    std::vector<Index> indexes;
  };
  struct Request {
    std::string name;
    /// How few outputs are exact on padded input; 0 if that is not known.
    int32_t minOutputs;
    std::vector<Matrix> inputs, outputs;
  };

  /// Opens the library whose functions begin with `prefix` and a `_`. Where it
  /// has no weights itself they are those in the file `weights`. `code` is kept
  /// as long as the library is used.
  static llvm::Expected<std::shared_ptr<CompiledLibrary>>
  open(llvm::StringRef prefix, Lookup lookup, std::shared_ptr<void> code,
       const std::string &weights = "");
  ~CompiledLibrary();

  /// What the library was compiled for.
  const std::vector<Request> &getRequests() const { return requests; }

  /// Whether it needs a GPU.
  bool runsOnGpu() const;

  /// What it was compiled for in a line: names, and the dims of inputs and
  /// outputs.
  std::string describeRequests() const;

  /// Memory for a request, by its number, with threads of its own that share
  /// the rows of large products if there are to be more than one.
  llvm::Expected<std::unique_ptr<RequestInstance>>
  makeInstance(int32_t number, int32_t numThreads = 1);

  const LibraryFunctions &getFunctions() const { return functions; }
  nnet3lib_model *getModel() const { return model; }

private:
  CompiledLibrary() = default;

  llvm::Error find(llvm::StringRef prefix, Lookup lookup);
  llvm::Error openModel(const std::string &weights);
  llvm::Error describe();
  llvm::Error describe(int32_t number, Request &request) const;

  LibraryFunctions functions = {};
  std::shared_ptr<void> code;
  nnet3lib_model *model = nullptr;
  std::vector<Request> requests;
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_COMPILEDLIBRARY_H
