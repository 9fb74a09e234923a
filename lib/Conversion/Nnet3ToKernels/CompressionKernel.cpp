//===- CompressionKernel.cpp - Matrices as small integers -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: optimize.md 4.11. The numbers are those of
// runtime/cpu/math/Compression.cpp, to the bit.
//
//===----------------------------------------------------------------------===//

#include "CompressionKernel.h"
#include "KernelArguments.h"
#include "nnet3/Conversion/KernelToThreads/DeviceLoops.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Elements of a thread.
static constexpr int64_t kGroup = 4;
/// Groups of a block, at most.
static constexpr int64_t kThreads = 256;

static unsigned getBits(CompressedType type) {
  return type.getElementType().getIntOrFloatBitWidth();
}

/// Floats of the arena that the integers of a group take.
static int64_t getNumWords(CompressedType type) {
  return kGroup * getBits(type) / 32;
}

/// Of arith ops, which want integers without a sign.
static VectorType getIntegers(CompressedType type) {
  return VectorType::get({kGroup},
                         IntegerType::get(type.getContext(), getBits(type)));
}

static bool isSigned(CompressedType type) {
  return type.getElementType().isSignedInteger();
}

static float getLeast(CompressedType type) {
  return isSigned(type) ? -float(1 << (getBits(type) - 1)) : 0;
}

static float getLargest(CompressedType type) {
  return float((1 << (getBits(type) - isSigned(type))) - 1);
}

int64_t CompressionKernel::getNumGroups() const {
  return llvm::divideCeil(type.getRows() * type.getCols(), kGroup);
}

int64_t CompressionKernel::getNumBlocks() const {
  return llvm::divideCeil(getNumGroups(), kThreads);
}

/// What is not a number becomes the least one.
Value CompressionKernel::compress(VectorEmitter &e, Value values) const {
  OpBuilder &builder = e.getBuilder();
  Location loc = e.getLoc();
  auto isAbove = [&](Value a, Value b) -> Value {
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, a, b);
  };
  auto words = VectorType::get({getNumWords(type)}, builder.getF32Type());
  auto pack = [&](Value integers) -> Value {
    return vector::BitCastOp::create(builder, loc, words, integers);
  };
  if (range == 0)
    return pack(arith::ExtUIOp::create(builder, loc, getIntegers(type),
                                       isAbove(values, e.splat(kGroup, 0))));
  Value least = e.splat(kGroup, getLeast(type)),
        largest = e.splat(kGroup, getLargest(type));
  Value scaled = arith::MulFOp::create(
      builder, loc, values, e.splat(kGroup, getLargest(type) / range));
  Value clipped = arith::SelectOp::create(builder, loc, isAbove(scaled, least),
                                          scaled, least);
  clipped = arith::SelectOp::create(builder, loc, isAbove(clipped, largest),
                                    largest, clipped);
  Value rounded = math::RoundEvenOp::create(builder, loc, clipped);
  if (isSigned(type))
    return pack(
        arith::FPToSIOp::create(builder, loc, getIntegers(type), rounded));
  return pack(
      arith::FPToUIOp::create(builder, loc, getIntegers(type), rounded));
}

Value CompressionKernel::decompress(VectorEmitter &e, Value words) const {
  OpBuilder &builder = e.getBuilder();
  Location loc = e.getLoc();
  auto floats = VectorType::get({kGroup}, builder.getF32Type());
  Value integers =
      vector::BitCastOp::create(builder, loc, getIntegers(type), words);
  Value values =
      isSigned(type)
          ? Value(arith::SIToFPOp::create(builder, loc, floats, integers))
          : Value(arith::UIToFPOp::create(builder, loc, floats, integers));
  if (range == 0)
    return values;
  return arith::MulFOp::create(builder, loc, values,
                               e.splat(kGroup, range / getLargest(type)));
}

/// Blocks are in x, of which there may be many; how many there are is not part
/// of the code.
void CompressionKernel::emit(kernel::LaunchOp launch) const {
  OpBuilder builder = OpBuilder::atBlockEnd(&launch.getBody().front());
  VectorEmitter e(builder, launch.getLoc(), /*scalars=*/false,
                  /*aligned=*/true);
  Value arena = launch.getArgument(0);
  Value groups = launch.getArgument(getFirstPlace());
  Value to = launch.getArgument(getFirstPlace() + 1);
  Value from = launch.getArgument(getFirstPlace() + 2);
  auto place = [&](Value base, Value group, int64_t floats) {
    return e.add(base, e.mul(group, floats));
  };
  auto convert = [&](Value group) {
    const int64_t words = getNumWords(type);
    if (decompresses)
      e.store(decompress(e, e.load(words, arena, place(from, group, words))),
              arena, place(to, group, kGroup));
    else
      e.store(compress(e, e.load(kGroup, arena, place(from, group, kGroup))),
              arena, place(to, group, words));
  };
  e.parallel(e.index(0), e.index(getNumBlocks()), [&](ValueRange block) {
    Value begin = e.mul(block[0], kThreads);
    e.parallel(begin, e.min(e.add(begin, kThreads), groups),
               [&](ValueRange group) { convert(group[0]); });
  });
  setThreads(launch, kThreads);
}
