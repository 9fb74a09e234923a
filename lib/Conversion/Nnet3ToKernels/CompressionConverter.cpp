//===- CompressionConverter.cpp - What waits for the backward pass --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TrainingConverter.h"

using namespace mlir;
using namespace mlir::nnet3;

void TrainingConverter::compress(CompressMatrixOp op) {
  CompressionKernel kernel = {op.getType(), op.getRange().convertToFloat()};
  launch("compress", kernel,
         {kernel.getNumGroups(), arena.getOffset(op.getResult()),
          arena.getOffset(op.getMatrix())});
}

void TrainingConverter::decompress(DecompressMatrixOp op) {
  auto source = op.getCompressed().getDefiningOp<CompressMatrixOp>();
  CompressionKernel kernel = {source.getType(),
                              source.getRange().convertToFloat(),
                              /*decompresses=*/true};
  launch("decompress", kernel,
         {kernel.getNumGroups(), arena.getOffset(op.getResult()),
          arena.getOffset(op.getCompressed())});
}
