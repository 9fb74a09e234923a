//===- LibraryModel.h - A model of a library --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls the functions of runtime/library/library_header.h.in in a loaded
// library, which it looks up by name.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_RUNNER_LIBRARY_LIBRARYMODEL_H
#define NNET3_RUNTIME_RUNNER_LIBRARY_LIBRARYMODEL_H

#include "LibraryFunctions.h"
#include "SharedObject.h"
#include "nnet3/runtime/MatrixView.h"

#include <map>
#include <string>
#include <vector>

namespace nnet3 {
namespace rt {

/// A matrix of a request.
struct LibraryMatrix {
  std::string name;
  int32_t rows, cols;
};

/// A matrix that owns its data.
struct OwnedMatrix {
  int32_t rows = 0, cols = 0;
  std::vector<float> values;

  ConstMatrixView view() const {
    return ConstMatrixView(values.data(), rows, cols, cols);
  }
};

/// An open model.
class LibraryModel {
public:
  ~LibraryModel();
  LibraryModel(const LibraryModel &) = delete;
  LibraryModel &operator=(const LibraryModel &) = delete;

  /// Opens the model whose functions have the prefix \p prefix. \p weightsPath
  /// may be empty. \p status receives the library's status.
  static Result<std::unique_ptr<LibraryModel>>
  open(std::shared_ptr<SharedObject> code, const std::string &prefix,
       const std::string &weightsPath, nnet3lib_status &status);

  const LibraryFunctions &getFunctions() const { return functions; }
  const nnet3lib_model *get() const { return model; }

  int32_t numRequests() const { return requestCount; }
  Result<std::string> requestName(int32_t request) const;
  Result<int32_t> findRequest(const std::string &name) const;
  Result<std::vector<LibraryMatrix>> inputs(int32_t request) const;
  Result<std::vector<LibraryMatrix>> outputs(int32_t request) const;

  /// Runs of an instance on the same inputs.
  struct Runs {
    int times = 1;
    uint64_t seed = 0; ///< of random components in training mode
  };

  /// Creates an instance and runs it on the inputs. Inputs, and the outputs of
  /// the last run, are by name. \p status receives the library's status.
  Result<std::map<std::string, OwnedMatrix>>
  run(int32_t request, const std::map<std::string, ConstMatrixView> &inputs,
      const Runs &runs, nnet3lib_status &status) const;

  /// Returns the location of the tuning data.
  Result<nnet3lib_tuning_info> tuningInfo() const;
  /// Measures and returns the tuning data.
  Result<std::vector<unsigned char>> tune() const;

private:
  LibraryModel(std::shared_ptr<SharedObject> code, LibraryFunctions functions)
      : code(std::move(code)), functions(functions) {}
  Status check(const char *function, nnet3lib_status status) const;
  Status checkInput(int32_t request, const LibraryMatrix &expected,
                    const ConstMatrixView &given) const;
  Status runInstance(int32_t request, const std::vector<nnet3lib_input> &from,
                     const std::vector<nnet3lib_output> &to, const Runs &runs,
                     nnet3lib_status &status) const;
  Result<nnet3lib_request_info> requestInfo(int32_t request) const;
  Result<std::vector<LibraryMatrix>> matrices(int32_t request, int32_t count,
                                              bool areInputs) const;

  std::shared_ptr<SharedObject> code;
  LibraryFunctions functions;
  nnet3lib_model *model = nullptr;
  int32_t requestCount = 0;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_RUNNER_LIBRARY_LIBRARYMODEL_H
