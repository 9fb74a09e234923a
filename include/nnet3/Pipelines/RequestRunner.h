//===- RequestRunner.h - What computes requests -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_PIPELINES_REQUESTRUNNER_H
#define NNET3_PIPELINES_REQUESTRUNNER_H

#include "nnet3/Compile/NodeTable.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Target/Kaldi/Matrix.h"
#include "nnet3/runtime/MatrixView.h"
#include "nnet3/runtime/Model.h"
#include "nnet3/runtime/Status.h"

#include <list>
#include <map>
#include <memory>

namespace nnet3 {

/// `matrix` as backends take it.
inline runtime::ConstMatrixView getView(const Matrix &matrix) {
  return runtime::ConstMatrixView(matrix.data.data(), int32_t(matrix.rows),
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
  virtual runtime::Status setInput(llvm::StringRef name,
                                   runtime::ConstMatrixView value) = 0;

  /// Computes the outputs. Fails if an input is missing.
  virtual runtime::Status run() = 0;

  /// The value of output `name` after a run; valid until the next one.
  virtual runtime::Result<runtime::ConstMatrixView>
  output(llvm::StringRef name) const = 0;

  /// What a device begins its next run with, which adds to it: the statistics
  /// of the network itself, and of its gradient, which may be null. Zeros if
  /// nobody says.
  virtual runtime::Status setStatistics(const runtime::Model &,
                                        const runtime::Model *) {
    return runtime::Status();
  }
  /// What they are behind the latest run.
  virtual runtime::Status getStatistics(runtime::Model &,
                                        runtime::Model *) const {
    return runtime::Status();
  }

  /// Adds the gradient of the parameters, as the latest run has found it, where
  /// an instance finds it in the same run.
  virtual runtime::Status addGradient(runtime::Model &) const {
    return runtime::Status();
  }
};

/// Computes the requests for one network, which must not change while the
/// runner lives.
class RequestRunner {
public:
  virtual ~RequestRunner() = default;

  mlir::nnet3::NetworkOp getNetwork() const { return network; }
  const mlir::nnet3::NodeTable &getNodes() const { return nodes; }

  /// Columns of the input, component or output node `name`; 0 if there is none.
  int64_t getDim(llvm::StringRef name) const;

  /// What computes `request`, made now or before. It stays with the runner,
  /// until that gives it up for others, the one unused for longest first: use
  /// it before the next call. `request` need not live on. Fails with an error
  /// at the request.
  mlir::FailureOr<RequestInstance *> prepare(mlir::nnet3::RequestOp request);

  /// What computes `request`, made now and for the caller alone.
  virtual mlir::FailureOr<std::unique_ptr<RequestInstance>>
  makeInstance(mlir::nnet3::RequestOp request) = 0;

  /// How many requests have been compiled so far, rather than found.
  virtual size_t getNumCompiled() const { return numCompiled; }

  /// What goes on beside the requests, for a line about progress; empty if
  /// nothing does.
  virtual std::string getActivity() const { return {}; }

protected:
  RequestRunner(mlir::nnet3::NetworkOp network, mlir::nnet3::NodeTable nodes,
                size_t capacity)
      : network(network), nodes(std::move(nodes)), capacity(capacity) {}

  mlir::nnet3::NetworkOp network;
  mlir::nnet3::NodeTable nodes;
  size_t numCompiled = 0;

private:
  /// What a request says, as uniqued attributes.
  using Key = std::vector<const void *>;
  struct Entry {
    Key key;
    std::unique_ptr<RequestInstance> instance;
  };

  static Key getKey(mlir::nnet3::RequestOp request);

  /// How many instances are kept.
  size_t capacity;
  /// Most recently used first.
  std::list<Entry> entries;
  /// Only looked up, never iterated.
  std::map<Key, std::list<Entry>::iterator> byKey;
};

} // namespace nnet3

#endif // NNET3_PIPELINES_REQUESTRUNNER_H
