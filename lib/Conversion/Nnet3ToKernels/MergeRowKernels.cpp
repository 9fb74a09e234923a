//===- MergeRowKernels.cpp - Fewer launches of small kernels --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MergeRowKernels.h"
#include "SequenceBuilder.h"

using namespace mlir;
using namespace mlir::nnet3;

std::vector<KernelCall> mlir::nnet3::mergeRowKernels(ArrayRef<KernelCall> calls,
                                                     KernelTable &kernels) {
  std::vector<KernelCall> result;
  SequenceBuilder builder;
  auto finish = [&] {
    if (!builder.hasSeveral())
      return;
    result.back().kernel = kernels.get(builder.getSequence());
    result.back().places = llvm::to_vector(builder.getPlaces());
  };
  for (const KernelCall &call : calls) {
    if (call.operation) {
      finish();
      result.push_back(call);
      builder = SequenceBuilder();
      continue;
    }
    // A copy: the table grows.
    const Kernel kernel = kernels.getKernels()[call.kernel];
    if (builder.append(kernel, call.places))
      continue;
    finish();
    result.push_back(call);
    builder = SequenceBuilder(kernel, call.places);
  }
  finish();
  return result;
}
