//===- CompiledLibrary.h - Libraries of nnet3-compile -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library, either a shared library or code that was compiled in this process,
// is used through its public functions (docs/user/Libraries.md).
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

/// An open library. Its instances share ownership of it.
class CompiledLibrary : public std::enable_shared_from_this<CompiledLibrary> {
public:
  /// Finds a function by its name in the library; null if there is none.
  using Lookup = llvm::function_ref<void *(llvm::StringRef name)>;

  /// An input or output of a request.
  struct Matrix {
    std::string name;
    int32_t rows, cols;
    /// The index of each row; empty if the library does not contain it.
    std::vector<Index> indexes;
  };
  struct Request {
    std::string name;
    /// The smallest number of outputs that are exact with padded input; 0 if
    /// unknown.
    int32_t minOutputs;
    std::vector<Matrix> inputs, outputs;
  };

  /// Opens the library whose functions begin with `prefix` and `_`. A library
  /// without weights reads them from the file `weights`. `code` is kept alive
  /// as long as the library.
  static llvm::Expected<std::shared_ptr<CompiledLibrary>>
  open(llvm::StringRef prefix, Lookup lookup, std::shared_ptr<void> code,
       const std::string &weights = "");
  ~CompiledLibrary();

  /// The requests that the library was compiled for.
  const std::vector<Request> &getRequests() const { return requests; }

  /// Whether the library needs a GPU.
  bool runsOnGpu() const;

  /// Describes the requests in one line: names, and the dims of inputs and
  /// outputs.
  std::string describeRequests() const;

  /// Creates an instance of request `number`. With `numThreads` above 1, it has
  /// its own threads, which share the rows of large matmuls.
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
