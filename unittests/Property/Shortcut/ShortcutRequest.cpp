//===- ShortcutRequest.cpp - Requests with equal sequences ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Networks/RequestGenerator.h"

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;

/// Draws the number of neighbouring rows of a sequence: one, all, or a number
/// between.
static size_t drawStride(Random &random, size_t size) {
  switch (random.between(0, 2)) {
  case 0:
    return 1;
  case 1:
    return size;
  default:
    break;
  }
  std::vector<size_t> divisors;
  for (size_t i = 1; i <= size; ++i)
    if (size % i == 0)
      divisors.push_back(i);
  return random.pick(divisors);
}

/// Arranges the rows in blocks of `stride` rows of each sequence.
static std::vector<Index> layOut(const std::vector<Index> &rows, size_t stride,
                                 int numSequences) {
  std::vector<Index> result;
  for (size_t block = 0; block < rows.size(); block += stride)
    for (int n = 0; n < numSequences; ++n)
      for (size_t i = block; i < block + stride; ++i)
        result.push_back({n, rows[i].t, rows[i].x});
  return result;
}

RandomRequest
mlir::nnet3::property::drawShortcutRequest(Random &random,
                                           RandomRequest request) {
  int numSequences = random.between(3, 8);
  for (auto *list : {&request.inputs, &request.outputs})
    for (RandomIo &io : *list) {
      int first = io.rows.front().n;
      llvm::erase_if(io.rows, [&](Index row) { return row.n != first; });
      io.rows =
          layOut(io.rows, drawStride(random, io.rows.size()), numSequences);
      io.text = printRows(io.rows, random.chance(0.7));
      io.values.clear();
    }
  return request;
}
