//===- RequestRunner.h - What computes requests -----------------*- C++ -*-===//
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

/// `matrix` as backends take it.
inline ::nnet3::rt::ConstMatrixView
getView(const ::nnet3::kaldi::Matrix &matrix) {
  return ::nnet3::rt::ConstMatrixView(matrix.data.data(), int32_t(matrix.rows),
                                      int32_t(matrix.cols), matrix.cols);
}

/// A request that is ready to be computed: its code, and the memory for one run
/// at a time.
class RequestInstance {
public:
  virtual ~RequestInstance() = default;

  /// Supplies the value of input `name` for the next run. `value` is borrowed
  /// until that run has returned. Fails if there is no such input, or if it has
  /// other dims.
  virtual ::nnet3::rt::Status setInput(llvm::StringRef name,
                                       ::nnet3::rt::ConstMatrixView value) = 0;

  /// Computes the outputs. Fails if an input is missing.
  virtual ::nnet3::rt::Status run() = 0;

  /// The value of output `name` after a run; valid until the next one.
  virtual ::nnet3::rt::Result<::nnet3::rt::ConstMatrixView>
  output(llvm::StringRef name) const = 0;

  /// What a device begins its next run with, which adds to it: the statistics
  /// of the network itself, and of its gradient, which may be null. Zeros if
  /// nobody says.
  virtual ::nnet3::rt::Status setStatistics(const ::nnet3::rt::Model &,
                                            const ::nnet3::rt::Model *) {
    return ::nnet3::rt::Status();
  }
  /// What they are behind the latest run.
  virtual ::nnet3::rt::Status getStatistics(::nnet3::rt::Model &,
                                            ::nnet3::rt::Model *) const {
    return ::nnet3::rt::Status();
  }

  /// Adds the gradient of the parameters, as the latest run has found it, where
  /// an instance finds it in the same run.
  virtual ::nnet3::rt::Status addGradient(::nnet3::rt::Model &) const {
    return ::nnet3::rt::Status();
  }
};

/// Computes the requests for one network, which must not change while the
/// runner lives.
class RequestRunner {
public:
  virtual ~RequestRunner() = default;

  NetworkOp getNetwork() const { return network; }
  const NodeTable &getNodes() const { return nodes; }

  /// Columns of the input, component or output node `name`; 0 if there is none.
  int64_t getDim(llvm::StringRef name) const;

  /// What computes `request`, made now or before. It stays with the runner,
  /// until that gives it up for others, the one unused for longest first: use
  /// it before the next call. `request` need not live on. Fails with an error
  /// at the request.
  FailureOr<RequestInstance *> prepare(RequestOp request);

  /// What computes `request`, made now and for the caller alone.
  virtual FailureOr<std::unique_ptr<RequestInstance>>
  makeInstance(RequestOp request) = 0;

  /// How many requests have been compiled so far, rather than found.
  virtual size_t getNumCompiled() const { return numCompiled; }

  /// What goes on beside the requests, for a line about progress; empty if
  /// nothing does.
  virtual std::string getActivity() const { return {}; }

protected:
  RequestRunner(NetworkOp network, NodeTable nodes, size_t capacity)
      : network(network), nodes(std::move(nodes)), capacity(capacity) {}

  NetworkOp network;
  NodeTable nodes;
  size_t numCompiled = 0;

private:
  /// What a request says, as uniqued attributes.
  using Key = std::vector<const void *>;
  struct Entry {
    Key key;
    std::unique_ptr<RequestInstance> instance;
  };

  static Key getKey(RequestOp request);

  /// How many instances are kept.
  size_t capacity;
  /// Most recently used first.
  std::list<Entry> entries;
  /// Only looked up, never iterated.
  std::map<Key, std::list<Entry>::iterator> byKey;
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_REQUESTRUNNER_H
