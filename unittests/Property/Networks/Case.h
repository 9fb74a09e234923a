//===- Case.h - A random network, a request, and what comes out -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_NETWORKS_CASE_H
#define NNET3_UNITTESTS_PROPERTY_NETWORKS_CASE_H

#include "RequestGenerator.h"

#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::nnet3::property {

/// A context with the dialects of the tests.
std::unique_ptr<MLIRContext> makeContext();

/// A module of one network and one request, and the values of the inputs.
class Case {
public:
  /// The case of `seed`: the same one everywhere. With `training`, a network
  /// as `Layers` says and a request with derivatives.
  static std::unique_ptr<Case> generate(MLIRContext &context, uint64_t seed,
                                        bool training = false);
  /// A case of that network and request.
  static std::unique_ptr<Case> create(MLIRContext &context,
                                      const RandomNetwork &network,
                                      const RandomRequest &request);
  /// The same network with another request.
  std::unique_ptr<Case> withRequest(const RandomRequest &request) const;
  /// Draws the values of inputs and derivatives.
  void redraw(Random &random) { drawValues(random, request, getNetworkOp()); }

  /// Empty unless the text of the generators cannot be parsed.
  const std::string &getError() const { return error; }
  uint64_t getSeed() const { return seed; }
  /// All that is needed to run the case again by hand.
  std::string reproducer() const;
  NetworkOp getNetworkOp() const;
  RequestOp getRequestOp() const;

  const RandomNetwork &getNetwork() const { return network; }
  const RandomRequest &getRequest() const { return request; }
  ModuleOp getModule() const { return *module; }

  /// An evaluator that knows the inputs of the request.
  ReferenceEvaluator makeEvaluator() const;
  /// The rows of all outputs.
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
