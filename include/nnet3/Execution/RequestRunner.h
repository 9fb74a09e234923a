//===- RequestRunner.h - Interface of runners of requests -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_REQUESTRUNNER_H
#define NNET3_EXECUTION_REQUESTRUNNER_H

#include "nnet3/Compile/NodeTable.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Kaldi/Matrix/Matrix.h"
#include "nnet3/runtime/MatrixView.h"
#include "nnet3/runtime/Model.h"
#include "nnet3/runtime/Status.h"

#include <list>
#include <map>
#include <memory>

namespace mlir::nnet3 {

/// Returns a view of `matrix` for the runtime.
inline ::nnet3::rt::ConstMatrixView
getView(const ::nnet3::kaldi::Matrix &matrix) {
  return ::nnet3::rt::ConstMatrixView(matrix.data.data(), int32_t(matrix.rows),
                                      int32_t(matrix.cols), matrix.cols);
}

/// A compiled request: its code, and the memory for one run at a time.
class RequestInstance {
public:
  virtual ~RequestInstance() = default;

  /// Sets the value of input `name` for the next run; `value` must stay valid
  /// until that run returns. Fails if there is no such input, or if its dims
  /// are different.
  virtual ::nnet3::rt::Status setInput(llvm::StringRef name,
                                       ::nnet3::rt::ConstMatrixView value) = 0;

  /// Computes the outputs. Fails if an input is missing.
  virtual ::nnet3::rt::Status run() = 0;

  /// The value of output `name` after a run; valid until the next one.
  virtual ::nnet3::rt::Result<::nnet3::rt::ConstMatrixView>
  output(llvm::StringRef name) const = 0;

  /// Sets the statistics that the next run of a device updates: those of the
  /// network, and those of its gradient, which may be null. They are zero by
  /// default.
  virtual ::nnet3::rt::Status setStatistics(const ::nnet3::rt::Model &,
                                            const ::nnet3::rt::Model *) {
    return ::nnet3::rt::Status();
  }
  /// Gets these statistics after the latest run.
  virtual ::nnet3::rt::Status getStatistics(::nnet3::rt::Model &,
                                            ::nnet3::rt::Model *) const {
    return ::nnet3::rt::Status();
  }

  /// Adds the gradient of the parameters from the latest run to the model, if
  /// the instance computes it in the same run.
  virtual ::nnet3::rt::Status addGradient(::nnet3::rt::Model &) const {
    return ::nnet3::rt::Status();
  }
};

/// Computes requests for one network, which must not change during the lifetime
/// of the runner.
class RequestRunner {
public:
  virtual ~RequestRunner() = default;

  NetworkOp getNetwork() const { return network; }
  const NodeTable &getNodes() const { return nodes; }

  /// Columns of the input, component or output node `name`; 0 if there is none.
  int64_t getDim(llvm::StringRef name) const;

  /// Returns an instance for `request`, new or cached. The runner owns it and
  /// may destroy the least recently used instance in the next call. `request`
  /// may be destroyed afterwards. On failure, emits an error at the request.
  FailureOr<RequestInstance *> prepare(RequestOp request);

  /// Creates a new instance for `request`, which the caller owns.
  virtual FailureOr<std::unique_ptr<RequestInstance>>
  makeInstance(RequestOp request) = 0;

  /// Number of requests that were compiled so far, not found in a cache.
  virtual size_t getNumCompiled() const { return numCompiled; }

  /// Describes the background activity for a progress line; empty if there is
  /// none.
  virtual std::string getActivity() const { return {}; }

protected:
  RequestRunner(NetworkOp network, NodeTable nodes, size_t capacity)
      : network(network), nodes(std::move(nodes)), capacity(capacity) {}

  NetworkOp network;
  NodeTable nodes;
  size_t numCompiled = 0;

private:
  /// The contents of a request, as uniqued attributes.
  using Key = std::vector<const void *>;
  struct Entry {
    Key key;
    std::unique_ptr<RequestInstance> instance;
  };

  static Key getKey(RequestOp request);

  /// Maximum number of cached instances.
  size_t capacity;
  /// Most recently used first.
  std::list<Entry> entries;
  /// Only looked up, never iterated.
  std::map<Key, std::list<Entry>::iterator> byKey;
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_REQUESTRUNNER_H
