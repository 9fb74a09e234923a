//===- TimeFrontier.cpp - Sets of times with an upper bound ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TimeFrontier.h"

#include <algorithm>
#include <cassert>

using namespace mlir::nnet3;

bool TimeFrontier::extend(int64_t t) {
  int64_t &latest = last[getResidue(t)];
  if (t <= latest)
    return false;
  latest = t;
  return true;
}

void TimeFrontier::refine(int64_t modulus) {
  const int64_t old = getModulus();
  assert(modulus % old == 0 && "expects a multiple");
  for (int64_t residue = old; residue < modulus; ++residue)
    last.push_back(last[residue - old]);
  for (int64_t residue = 0; residue < modulus; ++residue) {
    int64_t &latest = last[residue];
    if (latest == kNever || latest == kAlways)
      continue;
    const int64_t rest = (latest - residue) % modulus;
    latest -= rest < 0 ? rest + modulus : rest;
  }
}

void TimeFrontier::simplify() {
  const int64_t modulus = getModulus();
  const int64_t end = *std::max_element(last.begin(), last.end());
  for (int64_t residue = 0; residue < modulus; ++residue) {
    const bool isLatest = end == kNever || end == kAlways
                              ? last[residue] == end
                              : last[residue] > end - modulus;
    if (!isLatest)
      return;
  }
  last.assign(1, end);
}
