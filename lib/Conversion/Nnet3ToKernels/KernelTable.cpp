//===- KernelTable.cpp - The kernels of a module --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelTable.h"
#include "PackedWeights.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::nnet3;

static void print(raw_ostream &os, std::optional<int64_t> value) {
  if (value)
    os << *value;
  os << ' ';
}

/// All bits of a number.
static void print(raw_ostream &os, float value) {
  os << llvm::bit_cast<uint32_t>(value) << ' ';
}

/// Elementwise components of one kind have the same code.
static void print(raw_ostream &os, ElementwiseKernelInterface step) {
  os << step->getName().getStringRef() << ' ';
}

static void print(raw_ostream &os, BlockKernelInterface blocks) {
  os << blocks->getName().getStringRef() << ' ' << blocks.getNumInputBlocks()
     << ' ' << blocks.getNumScalars() << ' ';
}

static void print(raw_ostream &os, const RowKernel &kernel) {
  os << "rows " << int(kernel.operation) << ' ' << kernel.rows << ' '
     << kernel.columns << ' ' << kernel.rangeStride << ' ' << kernel.width
     << ' ';
  print(os, kernel.alpha);
  print(os, kernel.sourceStride);
  print(os, kernel.destStride);
  if (kernel.component)
    print(os, kernel.component);
  if (kernel.blocks)
    print(os, kernel.blocks);
}

static void print(raw_ostream &os, const ProductKernel &kernel) {
  os << "product " << int(kernel.factors) << ' ' << int(kernel.precision);
  for (int64_t number :
       {kernel.rows, kernel.columns, kernel.depth, kernel.inputStride,
        kernel.weightsStride, kernel.outputStride, kernel.batches,
        kernel.inputBatch, kernel.outputBatch})
    os << ' ' << number;
  os << ' ' << int(kernel.form) << ' ' << kernel.bias << ' ';
  print(os, kernel.beta);
}

static void print(raw_ostream &os, const EpilogueKernel &kernel) {
  os << "epilogue " << kernel.rows << ' ' << kernel.columns << ' '
     << kernel.inputStride << ' ' << kernel.outputStride << ' ' << kernel.bias
     << ' ' << int(kernel.form) << ' ' << kernel.period << ' ' << kernel.width
     << ' ' << kernel.weightsStride << ' ';
  llvm::interleave(kernel.depths, os, ",");
  os << ' ';
  print(os, kernel.residualScale);
  os << kernel.initRows << ' ';
  print(os, kernel.initStride);
  print(os, kernel.residualStride);
  for (ElementwiseKernelInterface step : kernel.steps)
    print(os, step);
}

static void print(raw_ostream &os, const BackwardKernel &kernel) {
  os << "backward ";
  print(os, kernel.sum);
  os << kernel.adds << ' ' << kernel.rows << ' ' << kernel.columns << ' '
     << kernel.inputStride << ' ' << kernel.outputStride << ' '
     << kernel.derivStride << ' ' << kernel.destStride << ' '
     << getComponentPath(kernel.component);
}

static void print(raw_ostream &os, const SumKernel &kernel) {
  os << "sums " << kernel.stage << ' ' << kernel.adds << ' ' << kernel.rows
     << ' ' << kernel.columns << ' ' << kernel.width << ' '
     << kernel.derivStride << ' ' << kernel.inputStride << ' '
     << kernel.outputStride << ' ';
  llvm::interleave(kernel.sums, os, ",");
  if (kernel.component)
    os << ' ' << getComponentPath(kernel.component);
}

/// What is precomputed is the same if it is the same attribute.
static void print(raw_ostream &os, StageKernel kernel) {
  const OperandShapes &operands = kernel.operands;
  os << "stage " << kernel.stage << ' ' << kernel.command.isBackward << ' '
     << kernel.command.inputRows << ' ' << kernel.command.outputRows << ' '
     << kernel.command.updates << ' ' << kernel.command.hasInputDerivative
     << ' ' << kernel.command.precomputed.getAsOpaquePointer() << ' '
     << operands.adds << ' ';
  print(os, operands.destStride);
  print(os, operands.inputStride);
  print(os, operands.outputStride);
  print(os, operands.derivStride);
  os << int(kernel.command.phase) << ' '
     << getComponentPath(kernel.statistics ? kernel.statistics.getOperation()
                                           : kernel.component.getOperation());
}

static void print(raw_ostream &os, const SpliceKernel &kernel) {
  os << "splice " << int(kernel.precision);
  for (int64_t number :
       {kernel.rows, kernel.columns, kernel.parts, kernel.batchRows,
        kernel.rowDistance, kernel.batchDistance, kernel.width})
    os << ' ' << number;
}

/// How many elements there are is not part of the code.
static void print(raw_ostream &os, const CompressionKernel &kernel) {
  os << "compression " << kernel.decompresses << ' ' << kernel.getNumBlocks()
     << ' ' << kernel.type.getElementType() << ' ';
  print(os, kernel.range);
}

static void print(raw_ostream &os, const StepKernel &kernel) {
  os << "step " << kernel.rows << ' ' << kernel.columns << ' ' << kernel.stride
     << ' ' << kernel.number << ' ' << kernel.isTwoSided << ' ';
  print(os, kernel.part);
  if (kernel.component)
    os << kernel.component;
}

static void print(raw_ostream &os, const RowSequence &sequence) {
  os << "sequence ";
  if (sequence.product)
    print(os, *sequence.product);
  for (const RowKernel &kernel : sequence.kernels)
    print(os, kernel);
  for (const auto &inputs : sequence.known)
    for (std::optional<unsigned> block : inputs)
      os << (block ? int64_t(*block) : -1) << ' ';
}

unsigned KernelTable::get(const Kernel &kernel) {
  std::string key;
  llvm::raw_string_ostream os(key);
  std::visit([&](const auto &k) { print(os, k); }, kernel);
  auto [number, isNew] = numbers.try_emplace(key, kernels.size());
  if (isNew)
    kernels.push_back(kernel);
  return number->second;
}

int64_t RowTables::add(ArrayRef<int64_t> rows) {
  auto &candidates = known[llvm::hash_combine_range(rows)];
  for (auto [begin, size] : candidates)
    if (size == int64_t(rows.size()) &&
        std::equal(rows.begin(), rows.end(), values.begin() + begin))
      return begin;
  int64_t begin = values.size();
  candidates.push_back({begin, rows.size()});
  values.insert(values.end(), rows.begin(), rows.end());
  return begin;
}
