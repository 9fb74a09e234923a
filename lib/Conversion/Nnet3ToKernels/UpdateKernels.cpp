//===- UpdateKernels.cpp - The kernels of training steps ------------------===//
//
// Floats have two bases, those of the arguments that other kernels have for the
// arena and for the weights, here `to` and `from`. What follows are places,
// sizes, and numbers as their bits, in the order of
// runtime/cuda/UpdateKernels.h.
//
//===----------------------------------------------------------------------===//

#include "DeviceLoops.h"
#include "DoubleMemory.h"
#include "GemmKernel.h"

#include "nnet3/Conversion/Nnet3ToKernels/Passes.h"
#include "nnet3/Conversion/Nnet3ToKernels/UpdateKernels.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3MAKEUPDATEKERNELS
#include "nnet3/Conversion/Nnet3ToKernels/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

/// Of the memory that kernels see, which no index reaches.
static constexpr int64_t kMemorySize = int64_t(1) << 40;

namespace {
struct MakeUpdateKernels
    : public nnet3::impl::Nnet3MakeUpdateKernelsBase<MakeUpdateKernels> {
  void runOnOperation() override;
};

/// The body of one kernel.
class Body {
public:
  Body(OpBuilder &builder, func::FuncOp function)
      : builder(builder), loc(function.getLoc()),
        e(builder, loc, /*scalars=*/true), function(function) {}

  /// Calls `body` for the number of each block of threads.
  void forEachBlock(function_ref<void()> body) {
    e.parallel(e.index(0), e.index(kUpdateBlocks), [&](ValueRange at) {
      block = at[0];
      body();
    });
  }

  Value getPlace(unsigned number) {
    return function.getArgument(getFirstPlace() + number);
  }
  /// The number whose bits are place `number`.
  Value getNumber(unsigned number) {
    Value bits = arith::IndexCastOp::create(builder, loc, builder.getI32Type(),
                                            getPlace(number));
    return arith::BitcastOp::create(builder, loc, builder.getF32Type(), bits);
  }

  /// The same of a number in double precision.
  Value getReal(unsigned number) {
    Value bits = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                            getPlace(number));
    return arith::BitcastOp::create(builder, loc, builder.getF64Type(), bits);
  }
  Value loadReal(bool from, Value place) {
    return loadDouble(e, function.getArgument(from), place);
  }
  void storeReal(Value element, Value place) {
    storeDouble(e, element, function.getArgument(0), place);
  }

  Value load(bool from, Value place) {
    return e.loadScalar(function.getArgument(from), place);
  }
  void store(Value element, Value place) {
    e.store(element, function.getArgument(0), place);
  }

  /// Calls `body` for the elements among `count` that are the block's.
  void forEach(Value count, function_ref<void(Value)> body) {
    auto [begin, end] = getRange(count);
    e.parallel(begin, end, [&](ValueRange at) { body(at[0]); });
  }
  /// Stores the sum of `body` of the block's elements as its part of the sums
  /// that begin at `place`.
  void sum(Value count, Value place, function_ref<Value(Value)> body) {
    auto [begin, end] = getRange(count);
    Value total = reduce(begin, end, body);
    e.parallel(e.index(0), e.index(1),
               [&](ValueRange) { store(total, e.add(place, block)); });
  }
  /// The sum whose parts begin at `place`.
  Value addParts(bool from, Value place) {
    return reduce(e.index(0), e.index(kUpdateBlocks),
                  [&](Value i) { return load(from, e.add(place, i)); });
  }

  /// The place of element `i` of a matrix, row by row.
  Value locate(Value i, Value begin, Value columns, Value stride) {
    Value row = arith::DivUIOp::create(builder, loc, i, columns);
    Value column = arith::RemUIOp::create(builder, loc, i, columns);
    return e.add(begin, e.add(multiplyIndex(row, stride), column));
  }
  Value multiplyIndex(Value a, Value b) {
    return arith::MulIOp::create(builder, loc, a, b,
                                 arith::IntegerOverflowFlags::nsw);
  }
  Value multiply(Value a, Value b) {
    return arith::MulFOp::create(builder, loc, a, b);
  }
  Value add(Value a, Value b) {
    return arith::AddFOp::create(builder, loc, a, b);
  }
  Value fma(Value a, Value b, Value c) {
    return math::FmaOp::create(builder, loc, a, b, c);
  }
  Value compare(arith::CmpFPredicate predicate, Value a, float b) {
    return arith::CmpFOp::create(builder, loc, predicate, a, e.splat(1, b));
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(builder, loc, condition, yes, no);
  }

  OpBuilder &builder;
  Location loc;
  VectorEmitter e;

private:
  std::pair<Value, Value> getRange(Value count) {
    Value share = e.divide(e.add(count, kUpdateBlocks - 1), kUpdateBlocks);
    Value begin = multiplyIndex(block, share);
    return {begin, e.min(e.add(begin, share), count)};
  }
  Value reduce(Value begin, Value end, function_ref<Value(Value)> body);

  func::FuncOp function;
  Value block;
};
} // namespace

Value Body::reduce(Value begin, Value end, function_ref<Value(Value)> body) {
  auto loop = scf::ParallelOp::create(
      builder, loc, begin, end, e.index(1), e.splat(1, 0),
      [&](OpBuilder &, Location, ValueRange at, ValueRange) {
        auto last = scf::ReduceOp::create(builder, loc, body(at[0]));
        OpBuilder::InsertionGuard guard(builder);
        Block &combination = last.getReductions().front().front();
        builder.setInsertionPointToStart(&combination);
        Value both =
            add(combination.getArgument(0), combination.getArgument(1));
        scf::ReduceReturnOp::create(builder, loc, both);
      });
  return loop.getResult(0);
}

//===----------------------------------------------------------------------===//
// The kernels
//===----------------------------------------------------------------------===//

/// y += a x; y, x, count, a.
static void emitAdd(Body &b) {
  Value a = b.getNumber(3);
  b.forEach(b.getPlace(2), [&](Value i) {
    Value to = b.e.add(b.getPlace(0), i);
    Value x = b.load(/*from=*/true, b.e.add(b.getPlace(1), i));
    b.store(b.fma(a, x, b.load(/*from=*/false, to)), to);
  });
}

/// y *= a, zero for a = 0 whatever was there; y, count, a.
static void emitScale(Body &b) {
  Value a = b.getNumber(2);
  Value zero = b.e.splat(1, 0);
  Value isZero = b.compare(arith::CmpFPredicate::OEQ, a, 0);
  b.forEach(b.getPlace(1), [&](Value i) {
    Value to = b.e.add(b.getPlace(0), i);
    Value y = b.multiply(a, b.load(/*from=*/false, to));
    b.store(b.select(isZero, zero, y), to);
  });
}

/// The sum of x y; sum, x, y, count.
static void emitDot(Body &b) {
  b.sum(b.getPlace(3), b.getPlace(0), [&](Value i) {
    return b.multiply(b.load(/*from=*/true, b.e.add(b.getPlace(1), i)),
                      b.load(/*from=*/true, b.e.add(b.getPlace(2), i)));
  });
}

/// The sum of the squares of a matrix; sum, x, rows, columns, stride.
static void emitSquares(Body &b) {
  Value count = b.multiplyIndex(b.getPlace(2), b.getPlace(3));
  b.sum(count, b.getPlace(0), [&](Value i) {
    Value x = b.load(/*from=*/true,
                     b.locate(i, b.getPlace(1), b.getPlace(3), b.getPlace(4)));
    return b.multiply(x, x);
  });
}

/// Multiplies a matrix such that its sum of squares is again what it was, where
/// that is above 0 and finite; x, before, after, rows, columns, stride.
static void emitRescale(Body &b) {
  Value before = b.addParts(/*from=*/true, b.getPlace(1));
  Value after = b.addParts(/*from=*/true, b.getPlace(2));
  Value ratio = math::SqrtOp::create(
      b.builder, b.loc, arith::DivFOp::create(b.builder, b.loc, before, after));
  Value isFinite = b.compare(arith::CmpFPredicate::OLE, before,
                             std::numeric_limits<float>::max());
  Value one = b.e.splat(1, 1);
  Value scale =
      b.select(b.compare(arith::CmpFPredicate::OGT, before, 0), ratio, one);
  scale = b.select(isFinite, scale, one);
  Value count = b.multiplyIndex(b.getPlace(3), b.getPlace(4));
  b.forEach(count, [&](Value i) {
    Value at = b.locate(i, b.getPlace(0), b.getPlace(4), b.getPlace(5));
    b.store(b.multiply(scale, b.load(/*from=*/false, at)), at);
  });
}

/// Adds to each row of a matrix that of another one times a number of a list;
/// y, x, list, rows, columns.
static void emitAddRows(Body &b) {
  Value count = b.multiplyIndex(b.getPlace(3), b.getPlace(4));
  b.forEach(count, [&](Value i) {
    Value row = arith::DivUIOp::create(b.builder, b.loc, i, b.getPlace(4));
    Value scale = b.load(/*from=*/true, b.e.add(b.getPlace(2), row));
    Value to = b.e.add(b.getPlace(0), i);
    Value x = b.load(/*from=*/true, b.e.add(b.getPlace(1), i));
    b.store(b.fma(scale, x, b.load(/*from=*/false, to)), to);
  });
}

/// X X^T in double precision, each element as the float next to it and the rest
/// behind that; y, x, rows, columns.
static void emitGram(Body &b) {
  Value rows = b.getPlace(2), columns = b.getPlace(3);
  Type f32 = b.builder.getF32Type(), f64 = b.builder.getF64Type();
  auto widen = [&](Value x) -> Value {
    return arith::ExtFOp::create(b.builder, b.loc, f64, x);
  };
  auto narrow = [&](Value x) -> Value {
    return arith::TruncFOp::create(b.builder, b.loc, f32, x);
  };
  Value zero =
      arith::ConstantOp::create(b.builder, b.loc, b.builder.getF64FloatAttr(0));
  b.forEach(b.multiplyIndex(rows, rows), [&](Value i) {
    Value row = arith::DivUIOp::create(b.builder, b.loc, i, rows);
    Value column = arith::RemUIOp::create(b.builder, b.loc, i, rows);
    Value left = b.e.add(b.getPlace(1), b.multiplyIndex(row, columns));
    Value right = b.e.add(b.getPlace(1), b.multiplyIndex(column, columns));
    Value sum =
        b.e.loop(b.e.index(0), columns, 1, zero,
                 [&](Value k, ValueRange carried) -> SmallVector<Value> {
                   Value x = widen(b.load(/*from=*/true, b.e.add(left, k)));
                   Value y = widen(b.load(/*from=*/true, b.e.add(right, k)));
                   return {b.add(carried[0], b.multiply(x, y))};
                 })[0];
    Value to = b.e.add(b.getPlace(0), b.e.mul(i, 2));
    Value nearest = narrow(sum);
    b.store(nearest, to);
    Value rest = arith::SubFOp::create(b.builder, b.loc, sum, widen(nearest));
    b.store(narrow(rest), b.e.add(to, 1));
  });
}

/// Adds a number to elements at equal distances; y, count, distance, number.
static void emitAddNumber(Body &b) {
  Value number = b.getNumber(3);
  b.forEach(b.getPlace(1), [&](Value i) {
    Value at = b.e.add(b.getPlace(0), b.multiplyIndex(i, b.getPlace(2)));
    b.store(b.add(b.load(/*from=*/false, at), number), at);
  });
}

/// The sum of elements at equal distances; sum, x, count, distance.
static void emitSum(Body &b) {
  b.sum(b.getPlace(2), b.getPlace(0), [&](Value i) {
    return b.load(/*from=*/true,
                  b.e.add(b.getPlace(1), b.multiplyIndex(i, b.getPlace(3))));
  });
}

/// y := a y + b x in double precision; y, x, count, a, b. What is multiplied
/// with zero is zero, whatever it was.
static void emitAddDoubles(Body &b) {
  Value zero =
      arith::ConstantOp::create(b.builder, b.loc, b.builder.getF64FloatAttr(0));
  auto scaled = [&](Value factor, Value x) {
    Value isZero = arith::CmpFOp::create(
        b.builder, b.loc, arith::CmpFPredicate::OEQ, factor, zero);
    return b.select(isZero, zero, b.multiply(factor, x));
  };
  Value ofY = b.getReal(3), ofX = b.getReal(4);
  b.forEach(b.getPlace(2), [&](Value i) {
    Value at = b.e.mul(i, 2);
    Value to = b.e.add(b.getPlace(0), at);
    Value y = scaled(ofY, b.loadReal(/*from=*/false, to));
    Value x =
        scaled(ofX, b.loadReal(/*from=*/true, b.e.add(b.getPlace(1), at)));
    b.storeReal(b.add(y, x), to);
  });
}

/// Elements of a parameter as kernels read them: from where a table says, and
/// at least so large; y, x, table, count, least magnitude.
static void emitGather(Body &b, Value tables) {
  Value least = b.getNumber(4);
  Value negated = arith::NegFOp::create(b.builder, b.loc, least);
  b.forEach(b.getPlace(3), [&](Value i) {
    Value from = arith::IndexCastOp::create(
        b.builder, b.loc, b.builder.getIndexType(),
        b.e.loadScalar(tables, b.e.add(b.getPlace(2), i)));
    Value x = b.load(/*from=*/true, b.e.add(b.getPlace(1), from));
    Value size = math::AbsFOp::create(b.builder, b.loc, x);
    Value isSmall = arith::CmpFOp::create(
        b.builder, b.loc, arith::CmpFPredicate::OLT, size, least);
    Value isNegative = b.compare(arith::CmpFPredicate::OLT, x, 0);
    Value raised = b.select(isNegative, negated, least);
    b.store(b.select(isSmall, raised, x), b.e.add(b.getPlace(0), i));
  });
}

void MakeUpdateKernels::runOnOperation() {
  ModuleOp module = getOperation();
  OpBuilder builder(&getContext());
  auto floats = MemRefType::get({kMemorySize}, builder.getF32Type());
  auto ints = MemRefType::get({kMemorySize}, builder.getI32Type());
  Type pointer = LLVM::LLVMPointerType::get(&getContext());
  auto make = [&](StringRef name, unsigned numPlaces,
                  function_ref<void(Body &, func::FuncOp)> emit) {
    builder.setInsertionPointToEnd(module.getBody());
    SmallVector<Type> types = {floats, floats, ints, pointer};
    types.append(numPlaces, builder.getIndexType());
    auto function = func::FuncOp::create(builder, module.getLoc(), name,
                                         builder.getFunctionType(types, {}));
    function.setPrivate();
    builder.setInsertionPointToStart(function.addEntryBlock());
    Body body(builder, function);
    body.forEachBlock([&] { emit(body, function); });
    func::ReturnOp::create(builder, module.getLoc());
    setThreads(function, /*columns=*/256);
  };
  auto makeSimple = [&](StringRef name, unsigned numPlaces,
                        void (*emit)(Body &)) {
    make(name, numPlaces, [&](Body &body, func::FuncOp) { emit(body); });
  };
  makeSimple("update_add", 4, emitAdd);
  makeSimple("update_scale", 3, emitScale);
  makeSimple("update_dot", 4, emitDot);
  makeSimple("update_squares", 5, emitSquares);
  makeSimple("update_rescale", 6, emitRescale);
  makeSimple("update_add_rows", 5, emitAddRows);
  makeSimple("update_gram", 4, emitGram);
  makeSimple("update_add_number", 4, emitAddNumber);
  makeSimple("update_sum", 4, emitSum);
  makeSimple("update_add_doubles", 5, emitAddDoubles);
  make("update_gather", 5, [](Body &body, func::FuncOp function) {
    emitGather(body, function.getArgument(2));
  });
}
