//===- UpdateKernels.cpp - Training-step kernels --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The leading arguments are the same as those of other kernels; the two float
// buffers (arena and weights) are called `to` and `from` here. They are
// followed by offsets, sizes, and numbers as bits, in the order of
// runtime/cuda/UpdateKernels.h.
//
//===----------------------------------------------------------------------===//

#include "UpdateBody.h"
#include "nnet3/Conversion/KernelToThreads/DeviceLoops.h"

#include "nnet3/Conversion/Nnet3ToKernels/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3MAKEUPDATEKERNELS
#include "nnet3/Conversion/Nnet3ToKernels/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

/// Size of the memory arguments: larger than any index.
static constexpr int64_t kMemorySize = int64_t(1) << 40;

namespace {
struct MakeUpdateKernels
    : public nnet3::impl::Nnet3MakeUpdateKernelsBase<MakeUpdateKernels> {
  void runOnOperation() override;
};
} // namespace

//===----------------------------------------------------------------------===//
// The kernels
//===----------------------------------------------------------------------===//

/// y += a x. Arguments: y, x, count, a.
static void emitAdd(UpdateBody &b) {
  Value a = b.getNumber(3);
  b.forEach(b.getPlace(2), [&](Value i) {
    Value to = addIndex(b.builder, b.getPlace(0), i);
    Value x = b.load(/*from=*/true, addIndex(b.builder, b.getPlace(1), i));
    b.store(b.fma(a, x, b.load(/*from=*/false, to)), to);
  });
}

/// y *= a; zero for a = 0, even if y is not finite. Arguments: y, count, a.
static void emitScale(UpdateBody &b) {
  Value a = b.getNumber(2);
  Value zero = b.number(0);
  Value isZero = b.compare(arith::CmpFPredicate::OEQ, a, 0);
  b.forEach(b.getPlace(1), [&](Value i) {
    Value to = addIndex(b.builder, b.getPlace(0), i);
    Value y = b.multiply(a, b.load(/*from=*/false, to));
    b.store(b.select(isZero, zero, y), to);
  });
}

/// The dot product of x and y. Arguments: sum, x, y, count.
static void emitDot(UpdateBody &b) {
  b.sum(b.getPlace(3), b.getPlace(0), [&](Value i) {
    return b.multiply(
        b.load(/*from=*/true, addIndex(b.builder, b.getPlace(1), i)),
        b.load(/*from=*/true, addIndex(b.builder, b.getPlace(2), i)));
  });
}

/// The sum of squares of a matrix. Arguments: sum, x, rows, columns, stride.
static void emitSquares(UpdateBody &b) {
  b.sum(b.getPlace(2), b.getPlace(3), b.getPlace(0),
        [&](Value row, Value column) {
          Value x = b.load(
              /*from=*/true,
              b.getPlace(b.getPlace(1), row, b.getPlace(4), column));
          return b.multiply(x, x);
        });
}

/// Scales a matrix by sqrt(before / after) if `before`, its earlier sum of
/// squares, is positive and finite. Arguments: x, before, after, rows, columns,
/// stride.
static void emitRescale(UpdateBody &b) {
  Value before = b.addParts(/*from=*/true, b.getPlace(1));
  Value after = b.addParts(/*from=*/true, b.getPlace(2));
  Value ratio = math::SqrtOp::create(
      b.builder, arith::DivFOp::create(b.builder, before, after));
  Value isFinite = b.compare(arith::CmpFPredicate::OLE, before,
                             std::numeric_limits<float>::max());
  Value one = b.number(1);
  Value scale =
      b.select(b.compare(arith::CmpFPredicate::OGT, before, 0), ratio, one);
  scale = b.select(isFinite, scale, one);
  b.forEach(b.getPlace(3), b.getPlace(4), [&](Value row, Value column) {
    Value at = b.getPlace(b.getPlace(0), row, b.getPlace(5), column);
    b.store(b.multiply(scale, b.load(/*from=*/false, at)), at);
  });
}

/// Adds x to y, each row of x scaled by its number in `list`. Arguments: y, x,
/// list, rows, columns.
static void emitAddRows(UpdateBody &b) {
  b.forEach(b.getPlace(3), b.getPlace(4), [&](Value row, Value column) {
    Value scale =
        b.load(/*from=*/true, addIndex(b.builder, b.getPlace(2), row));
    Value to = b.getPlace(b.getPlace(0), row, b.getPlace(4), column);
    Value from = b.getPlace(b.getPlace(1), row, b.getPlace(4), column);
    Value x = b.load(/*from=*/true, from);
    b.store(b.fma(scale, x, b.load(/*from=*/false, to)), to);
  });
}

/// Adds a number to equally spaced elements. Arguments: y, count, distance,
/// number.
static void emitAddNumber(UpdateBody &b) {
  Value number = b.getNumber(3);
  b.forEach(b.getPlace(1), [&](Value i) {
    Value at = addIndex(b.builder, b.getPlace(0),
                        mulIndex(b.builder, i, b.getPlace(2)));
    b.store(b.add(b.load(/*from=*/false, at), number), at);
  });
}

/// The sum of equally spaced elements. Arguments: sum, x, count, distance.
static void emitSum(UpdateBody &b) {
  b.sum(b.getPlace(2), b.getPlace(0), [&](Value i) {
    return b.load(/*from=*/true,
                  addIndex(b.builder, b.getPlace(1),
                           mulIndex(b.builder, i, b.getPlace(3))));
  });
}

/// y := a y + b x in double precision; a zero factor gives zero, even for
/// values that are not finite. Arguments: y, x, count, a, b.
static void emitAddDoubles(UpdateBody &b) {
  Value zero =
      arith::ConstantOp::create(b.builder, b.builder.getF64FloatAttr(0));
  auto scaled = [&](Value factor, Value x) {
    Value isZero = arith::CmpFOp::create(b.builder, arith::CmpFPredicate::OEQ,
                                         factor, zero);
    return b.select(isZero, zero, b.multiply(factor, x));
  };
  Value ofY = b.getReal(3), ofX = b.getReal(4);
  b.forEach(b.getPlace(2), [&](Value i) {
    Value at = mulIndex(b.builder, i, 2);
    Value to = addIndex(b.builder, b.getPlace(0), at);
    Value y = scaled(ofY, b.loadReal(/*from=*/false, to));
    Value x = scaled(
        ofX, b.loadReal(/*from=*/true, addIndex(b.builder, b.getPlace(1), at)));
    b.storeReal(b.add(y, x), to);
  });
}

/// Gathers the elements of a parameter as kernels read them, with magnitudes of
/// at least `least`. Arguments: y, x, table, count, least.
static void emitGather(UpdateBody &b, Value tables) {
  Value least = b.getNumber(4);
  Value negated = arith::NegFOp::create(b.builder, least);
  b.forEach(b.getPlace(3), [&](Value i) {
    Value from = arith::IndexCastOp::create(
        b.builder, b.builder.getIndexType(),
        memref::LoadOp::create(b.builder, tables,
                               addIndex(b.builder, b.getPlace(2), i)));
    Value x = b.load(/*from=*/true, addIndex(b.builder, b.getPlace(1), from));
    Value size = math::AbsFOp::create(b.builder, x);
    Value isSmall = arith::CmpFOp::create(b.builder, arith::CmpFPredicate::OLT,
                                          size, least);
    Value isNegative = b.compare(arith::CmpFPredicate::OLT, x, 0);
    Value raised = b.select(isNegative, negated, least);
    b.store(b.select(isSmall, raised, x),
            addIndex(b.builder, b.getPlace(0), i));
  });
}

void MakeUpdateKernels::runOnOperation() {
  ModuleOp module = getOperation();
  OpBuilder builder(&getContext());
  auto floats = MemRefType::get({kMemorySize}, builder.getF32Type());
  auto ints = MemRefType::get({kMemorySize}, builder.getI32Type());
  Type pointer = LLVM::LLVMPointerType::get(&getContext());
  auto make = [&](StringRef name, unsigned numPlaces,
                  function_ref<void(UpdateBody &, func::FuncOp)> emit,
                  int64_t numBlocks = kUpdateBlocks) {
    builder.setInsertionPointToEnd(module.getBody());
    SmallVector<Type> types = {floats, floats, ints, pointer};
    types.append(numPlaces, builder.getIndexType());
    auto function = func::FuncOp::create(builder, module.getLoc(), name,
                                         builder.getFunctionType(types, {}));
    function.setPrivate();
    builder.setInsertionPointToStart(function.addEntryBlock());
    UpdateBody body(builder, function, numBlocks);
    body.forEachBlock([&] { emit(body, function); });
    func::ReturnOp::create(builder, module.getLoc());
    setThreads(function, kUpdateThreads);
  };
  auto makeSimple = [&](StringRef name, unsigned numPlaces,
                        void (*emit)(UpdateBody &),
                        int64_t numBlocks = kUpdateBlocks) {
    make(
        name, numPlaces, [&](UpdateBody &body, func::FuncOp) { emit(body); },
        numBlocks);
  };
  makeSimple("update_add", 4, emitAdd);
  makeSimple("update_scale", 3, emitScale);
  makeSimple("update_dot", 4, emitDot);
  makeSimple("update_squares", 5, emitSquares);
  makeSimple("update_rescale", 6, emitRescale);
  makeSimple("update_add_rows", 5, emitAddRows);
  makeSimple("update_gram", 4, emitGram, kGramBlocks);
  makeSimple("update_add_number", 4, emitAddNumber);
  makeSimple("update_sum", 4, emitSum);
  makeSimple("update_add_doubles", 5, emitAddDoubles);
  make("update_gather", 5, [](UpdateBody &body, func::FuncOp function) {
    emitGather(body, function.getArgument(2));
  });
}
