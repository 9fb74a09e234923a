//===- LongRequest.cpp - Requests for many frames -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Networks/RequestGenerator.h"

#include "nnet3/Compile/NodeTable.h"

#include <numeric>
#include <set>

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;

/// Returns evenly spaced times from the first time to `extra` frames after the
/// last; the spacing is the greatest common divisor of their distances.
static std::vector<int> stretch(const std::set<int> &times, int extra) {
  if (times.size() < 2)
    return {times.begin(), times.end()};
  int step = 0;
  for (int t : times)
    step = std::gcd(step, t - *times.begin());
  std::vector<int> result;
  for (int t = *times.begin(); t <= *times.rbegin() + extra; t += step)
    result.push_back(t);
  return result;
}

RandomRequest mlir::nnet3::property::stretchRequest(Random &random,
                                                    RandomRequest request) {
  const int extra = 120 * random.between(1, 2);
  for (auto *list : {&request.inputs, &request.outputs})
    for (RandomIo &io : *list) {
      std::set<int> n, t, x;
      for (const Index &row : io.rows) {
        n.insert(row.n);
        t.insert(row.t);
        x.insert(row.x);
      }
      io.rows.clear();
      for (int a : n)
        for (int b : stretch(t, extra))
          for (int c : x)
            io.rows.push_back({a, b, c});
      io.text = printRows(io.rows, /*ranges=*/true);
      io.values.clear();
    }
  return request;
}

bool mlir::nnet3::property::hasRecurrence(NetworkOp network) {
  auto nodes = NodeTable::get(network);
  return succeeded(nodes) &&
         llvm::any_of(computeEpochs(*nodes).nodes,
                      [](const auto &members) { return members.size() > 1; });
}
