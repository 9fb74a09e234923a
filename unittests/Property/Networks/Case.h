//===- Case.h - A random network and request --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_NETWORKS_CASE_H
#define NNET3_UNITTESTS_PROPERTY_NETWORKS_CASE_H

#include "RequestGenerator.h"

#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::nnet3::property {

/// Returns a context with the dialects of the tests.
std::unique_ptr<MLIRContext> makeContext();

/// A module with a network and a request, and the values of the inputs.
class Case {
public:
  /// Generates the case of `seed`, equal on all platforms. With `training`, the
  /// network is as described in `Layers`, and the request has derivatives.
  static std::unique_ptr<Case> generate(MLIRContext &context, uint64_t seed,
                                        bool training = false);
  /// Makes a case of a network and a request.
  static std::unique_ptr<Case> create(MLIRContext &context,
                                      const RandomNetwork &network,
                                      const RandomRequest &request);
  /// Returns a case with the same network and another request.
  std::unique_ptr<Case> withRequest(const RandomRequest &request) const;
  /// Draws the values of inputs and derivatives.
  void redraw(Random &random) { drawValues(random, request, getNetworkOp()); }

  /// Empty if the text of the generators can be parsed.
  const std::string &getError() const { return error; }
  uint64_t getSeed() const { return seed; }
  /// Returns everything that is needed to repeat the case manually.
  std::string reproducer() const;
  NetworkOp getNetworkOp() const;
  RequestOp getRequestOp() const;

  const RandomNetwork &getNetwork() const { return network; }
  const RandomRequest &getRequest() const { return request; }
  ModuleOp getModule() const { return *module; }

  /// Returns an evaluator with the inputs of the request.
  ReferenceEvaluator makeEvaluator() const;
  /// Returns the rows of all outputs.
  std::vector<Row> getWanted(const ReferenceEvaluator &evaluator) const;

private:
  Case(MLIRContext &context, uint64_t seed) : context(context), seed(seed) {}
  void parse();

  MLIRContext &context;
  uint64_t seed;
  RandomNetwork network;
  RandomRequest request;
  OwningOpRef<ModuleOp> module;
  std::string error;
};

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_NETWORKS_CASE_H
