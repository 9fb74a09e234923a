//===- AcousticModel.cpp - Writing of acoustic models ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Common/AcousticModel.h"
#include "nnet3/Compile/Context.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"

using namespace mlir::nnet3;
using mlir::failure;

namespace mlir::nnet3 {

llvm::LogicalResult writeMdl(NetworkOp network, llvm::raw_ostream &os,
                             bool binary, unsigned digits) {
  auto nodes = NodeTable::get(network);
  if (failed(nodes))
    return failure();
  auto context = computeContext(network, *nodes);
  if (failed(context))
    return failure();
  return writeAcousticModel(network, context->left, context->right, os, binary,
                            digits);
}

} // namespace mlir::nnet3
