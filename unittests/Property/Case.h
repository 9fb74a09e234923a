//===- Case.h - A random network, a request, and what comes out -*- C++ -*-===//

#ifndef NNET3_UNITTESTS_PROPERTY_CASE_H
#define NNET3_UNITTESTS_PROPERTY_CASE_H

#include "RequestGenerator.h"

#include "nnet3/Compile/Compile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <map>

namespace nnet3::property {

/// A context with the dialects of the tests.
std::unique_ptr<mlir::MLIRContext> makeContext();

/// A module of one network and one request, and the values of the inputs.
class Case {
public:
  /// The case of `seed`: the same one everywhere.
  static std::unique_ptr<Case> generate(mlir::MLIRContext &context,
                                        uint64_t seed);
  /// The same network with another request.
  std::unique_ptr<Case> withRequest(const RandomRequest &request) const;

  /// Empty unless the text of the generators cannot be parsed.
  const std::string &getError() const { return error; }
  /// All that is needed to run the case again by hand.
  std::string reproducer() const;
  NetworkOp getNetworkOp() const;
  RequestOp getRequestOp() const;

  const RandomNetwork &getNetwork() const { return network; }
  const RandomRequest &getRequest() const { return request; }
  mlir::ModuleOp getModule() const { return *module; }

  /// An evaluator that knows the inputs of the request.
  ReferenceEvaluator makeEvaluator() const;
  /// The rows of all outputs.
  std::vector<Row> getWanted(const ReferenceEvaluator &evaluator) const;

private:
  Case(mlir::MLIRContext &context, uint64_t seed)
      : context(context), seed(seed) {}
  void parse();

  mlir::MLIRContext &context;
  uint64_t seed;
  RandomNetwork network;
  RandomRequest request;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string error;
};

/// A compiled request.
struct Compiled {
  ComputationOp op; ///< null if it cannot be compiled
  std::string diagnostics;
};

/// Compiles the request of a case, at the end of its module.
Compiled compile(const Case &test, bool foldSequences = true,
                 bool debugInfo = false);

/// The text of an op.
std::string print(mlir::Operation *op);

/// The outputs by node, row by row; `error` if something went wrong.
struct Outputs {
  std::map<std::string, std::vector<float>> values;
  std::string error;
};

/// Runs a computation of the case on its inputs; with `poison`, memory whose
/// contents are undefined is full of NaN.
Outputs run(const Case &test, ComputationOp computation, bool poison = false);

/// The bytes of the program of a computation.
std::string emit(const Case &test, ComputationOp computation);

} // namespace nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_CASE_H
