//===- RequestGenerator.h - Random requests for a network -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_NETWORKS_REQUESTGENERATOR_H
#define NNET3_UNITTESTS_PROPERTY_NETWORKS_REQUESTGENERATOR_H

#include "NetworkGenerator.h"
#include "Reference/ReferenceEvaluator.h"

namespace mlir::nnet3::property {

/// An input or output of a request.
struct RandomIo {
  std::string node;
  std::vector<Index> rows;
  /// `<n = 0:3, t = -2:5>`, an equivalent list of the rows.
  std::string text;
  /// The values of an input, or the derivative of an output, row by row.
  std::vector<float> values;
  bool hasDeriv = false;
};

struct RandomRequest {
  std::vector<RandomIo> inputs, outputs;
  bool modelDerivative = false, storesStats = false;

  /// Returns `nnet3.request @request for @net {...}`.
  std::string str() const;
  /// Returns the values as comments.
  std::string strValues() const;
};

/// Generates a request for `network`, whose op is `op`. Most requests are
/// computable; some lack an input row.
RandomRequest generateRequest(Random &random, const RandomNetwork &network,
                              NetworkOp op);

/// Returns a request for the gradient and the derivative of node "input", given
/// the derivative of "output" at the same rows; without values.
RandomRequest makeGradientRequest(std::vector<Index> rows);

/// Adds derivatives of some outputs, requests derivatives of inputs or
/// parameters, and sometimes statistics.
void requestDerivatives(Random &random, RandomRequest &request, NetworkOp op);

/// Returns a request with the rows of the first sequence of each list of
/// `request` for 3 to 8 sequences, each list in its own layout; without values.
RandomRequest drawShortcutRequest(Random &random, RandomRequest request);

/// Returns a request with the rows of `request` at even distances for 120 or
/// 240 more frames; without values.
RandomRequest stretchRequest(Random &random, RandomRequest request);
/// Returns true if nodes of the network depend on themselves.
bool hasRecurrence(NetworkOp network);

/// Draws the values of inputs, and the derivatives of outputs.
void drawValues(Random &random, RandomRequest &request, NetworkOp op);

/// Changes all values and derivatives by a relative 2^exponent at most; by
/// default a few units in the last place.
void perturbValues(Random &random, RandomRequest &request, int exponent = -21);

/// Returns the text of a list of rows: ranges if `ranges` is set and the rows
/// are a Cartesian product in one of the row orders, else single rows.
std::string printRows(const std::vector<Index> &rows, bool ranges);

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_NETWORKS_REQUESTGENERATOR_H
