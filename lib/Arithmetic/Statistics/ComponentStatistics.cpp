//===- ComponentStatistics.cpp - Statistics that components keep ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ComponentStatistics.h"

using namespace mlir;
using namespace mlir::nnet3;

void mlir::nnet3::storeFlag(StageEmission &stage, int64_t place, Value flag) {
  stage.storeScratch(stage.select(flag, stage.number(1), stage.number(0)),
                     stage.index(place));
}

Value mlir::nnet3::loadFlag(StageEmission &stage, int64_t place) {
  return stage.isBelow(stage.number(0), stage.loadScratch(stage.index(place)));
}

Value mlir::nnet3::countIf(StageEmission &stage, Value condition,
                           int64_t count) {
  return stage.select(condition, stage.real(count), stage.real(0));
}

Value mlir::nnet3::addRows(StageEmission &stage, int64_t rows, int64_t place) {
  return stage.widen(stage.sum(rows, [&](Value row) {
    return stage.loadScratch(stage.shift(row, place));
  }));
}

void mlir::nnet3::storeIfGreater(StageEmission &stage, Value a, float b,
                                 Value place) {
  stage.storeScratch(
      stage.selectGreater(a, stage.number(b), stage.number(1), stage.number(0)),
      place);
}
