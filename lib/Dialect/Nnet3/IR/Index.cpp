//===- Index.cpp - Indexes (n, t, x) and lists of them --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/IR/Index.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::nnet3;

llvm::raw_ostream &mlir::nnet3::operator<<(llvm::raw_ostream &os,
                                           const Index &index) {
  os << "(" << index.n << ", ";
  if (index.isBlank())
    os << "_";
  else
    os << index.t;
  if (index.x != 0)
    os << ", " << index.x;
  return os << ")";
}

Index IndexRows::at(int64_t row) const {
  if (!isFolded())
    return rows[row];
  int64_t group = row / block;
  int64_t k = group % numSequences();
  Index index = rows[group / numSequences() * block + row % block];
  index.n = sequences[k];
  return index;
}

llvm::SmallVector<Index> IndexRows::expand() const {
  llvm::SmallVector<Index> all;
  all.reserve(size());
  for (int64_t row = 0, end = size(); row < end; ++row)
    all.push_back(at(row));
  return all;
}
