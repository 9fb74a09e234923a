//===- RequestGenerator.h - Random requests for a network -------*- C++ -*-===//

#ifndef NNET3_UNITTESTS_PROPERTY_REQUESTGENERATOR_H
#define NNET3_UNITTESTS_PROPERTY_REQUESTGENERATOR_H

#include "NetworkGenerator.h"
#include "ReferenceEvaluator.h"

namespace nnet3::property {

/// One input or output of a request.
struct RandomIo {
  std::string node;
  std::vector<Index> rows;
  /// `<n = 0:3, t = -2:5>`; lists the same rows.
  std::string text;
  /// Of an input: the values, row by row.
  std::vector<float> values;
};

struct RandomRequest {
  std::vector<RandomIo> inputs, outputs;

  /// `nnet3.request @request for @net {...}`.
  std::string str() const;
};

/// A request for `network`, whose op is `op`. Most can be computed; some lack
/// an input row.
RandomRequest generateRequest(Random &random, const RandomNetwork &network,
                              NetworkOp op);

/// The text of a list of rows: as ranges if they are a product in one of the
/// row orders and `ranges` is set, else row by row.
std::string printRows(const std::vector<Index> &rows, bool ranges);

} // namespace nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_REQUESTGENERATOR_H
