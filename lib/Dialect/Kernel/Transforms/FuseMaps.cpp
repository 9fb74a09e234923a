//===- FuseMaps.cpp - Fuse maps on the same rows and columns --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ViewExtent.h"

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"
#include "nnet3/Dialect/Kernel/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::nnet3::kernel {
#define GEN_PASS_DEF_KERNELFUSEMAPS
#include "nnet3/Dialect/Kernel/Transforms/Passes.h.inc"
} // namespace mlir::nnet3::kernel

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// Maximum number of offsets of a kernel: device functions may have hundreds of
/// parameters, but every thread loads each of them.
static constexpr size_t kMostOffsets = 16;
/// Maximum number of columns that a thread accumulates at once: each takes
/// registers for loaded values.
static constexpr int64_t kMostBlocks = 4;

namespace {

/// Some columns of a view.
struct Columns {
  Value view;
  ViewExtent extent;
  int64_t first; ///< column of the view

  Value create(OpBuilder &builder, Location loc) const;
};

/// The operands of an operation, by blocks of columns: those of the first
/// block, of the second one, and so on.
struct Accesses {
  SmallVector<Columns> inputs, outputs;

  static std::optional<Accesses> get(ValueRange inputs, ValueRange outputs,
                                     int64_t numBlocks);
};

/// A map and the preceding operation that it may be fused into.
class Fusion {
public:
  /// Returns nothing if they cannot be fused.
  static std::optional<Fusion> get(Operation *first, MapOp second);

  Operation *create() const;

private:
  Fusion(Operation *first, MapOp second)
      : gemv(dyn_cast<GemvOp>(first)), first(dyn_cast<MapOp>(first)),
        second(second) {}

  bool haveSameShape();
  bool canBeOne() const;
  void collectOperands();
  bool hasFewOffsets() const;
  SmallVector<Value> compute(OpBuilder &builder, Location loc,
                             ValueRange values) const;

  GemvOp gemv;
  MapOp first, second; ///< either `first` or `gemv` is null
  int64_t numBlocks = 1;
  Accesses before, after;
  /// Operands of the fused operation.
  SmallVector<Columns> inputs, outputs;
};

struct KernelFuseMaps
    : public kernel::impl::KernelFuseMapsBase<KernelFuseMaps> {
  void runOnOperation() override;
};

} // namespace

/// Returns the last of `columns` with the extent of `wanted`; null if there is
/// none.
static const Columns *findSame(ArrayRef<Columns> columns,
                               const Columns &wanted) {
  for (const Columns &each : llvm::reverse(columns))
    if (each.extent == wanted.extent)
      return &each;
  return nullptr;
}

Value Columns::create(OpBuilder &builder, Location loc) const {
  auto type = cast<MemRefType>(view.getType());
  if (type.getShape().back() == extent.columns)
    return view;
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
      sizes = getAsIndexOpFoldResult(builder.getContext(), type.getShape()),
      strides(type.getRank(), builder.getIndexAttr(1));
  offsets.back() = builder.getIndexAttr(first);
  sizes.back() = builder.getIndexAttr(extent.columns);
  return memref::SubViewOp::create(builder, loc, view, offsets, sizes, strides);
}

std::optional<Accesses> Accesses::get(ValueRange inputs, ValueRange outputs,
                                      int64_t numBlocks) {
  Accesses accesses;
  auto collect = [&](ValueRange views, SmallVector<Columns> &columns) {
    for (int64_t block = 0; block < numBlocks; ++block)
      for (Value view : views) {
        auto extent = ViewExtent::get(view);
        if (!extent)
          return false;
        const int64_t width = extent->columns / numBlocks;
        columns.push_back(
            {view, extent->getColumns(block * width, width), block * width});
      }
    return true;
  };
  if (!collect(inputs, accesses.inputs) || !collect(outputs, accesses.outputs))
    return std::nullopt;
  return accesses;
}

/// Returns what a map reads, including outputs that it accumulates.
static SmallVector<Value> getInputs(MapOp op) {
  SmallVector<Value> inputs = llvm::to_vector_of<Value>(op.getInputs());
  if (op.getAccumulate())
    llvm::append_range(inputs, op.getOutputs());
  return inputs;
}

bool Fusion::haveSameShape() {
  if (second.getForm())
    return false;
  if (first)
    return !first.getForm() && first.getNumRows() == second.getNumRows() &&
           first.getNumColumns() == second.getNumColumns() &&
           first.getAlignment() == second.getAlignment();
  if (second.getNumRows() != 1 ||
      gemv.getNumColumns() % second.getNumColumns() != 0)
    return false;
  numBlocks = gemv.getNumColumns() / second.getNumColumns();
  return gemv.getNumBlocks() * numBlocks <= kMostBlocks;
}

/// Whether the second operation neither reads nor writes elements that other
/// threads write in the first one, nor writes elements that other threads read
/// there.
bool Fusion::canBeOne() const {
  auto areAligned = [](ArrayRef<Columns> some, ArrayRef<Columns> others) {
    return llvm::all_of(some, [&](const Columns &a) {
      return llvm::all_of(others, [&](const Columns &b) {
        return a.extent == b.extent || a.extent.isApartFrom(b.extent);
      });
    });
  };
  if (!areAligned(before.outputs, after.inputs) ||
      !areAligned(before.outputs, after.outputs) ||
      !areAligned(before.inputs, after.outputs))
    return false;
  // All threads read the whole input rows of a GEMV.
  GemvOp product = gemv;
  return !product || llvm::all_of(product.getRows(), [&](Value row) {
    auto extent = ViewExtent::get(row);
    return extent && llvm::all_of(after.outputs, [&](const Columns &output) {
             return extent->isApartFrom(output.extent);
           });
  });
}

/// Collects the operands; values that a thread already has are not loaded
/// again, and no element is stored twice.
void Fusion::collectOperands() {
  auto add = [&](const Columns &input) {
    if (!findSame(inputs, input))
      inputs.push_back(input);
  };
  llvm::for_each(before.inputs, add);
  for (const Columns &input : after.inputs)
    if (!findSame(before.outputs, input))
      add(input);
  for (const Columns &output : before.outputs)
    if (!findSame(after.outputs, output))
      outputs.push_back(output);
  llvm::append_range(outputs, after.outputs);
}

/// Whether the fused kernel has few offsets; columns of one view share one.
bool Fusion::hasFewOffsets() const {
  llvm::SmallPtrSet<Operation *, 16> views;
  auto add = [&](Value view) {
    while (auto part = view.getDefiningOp<memref::SubViewOp>())
      view = part.getSource();
    views.insert(view.getDefiningOp());
  };
  for (const auto *all : {&inputs, &outputs})
    for (const Columns &columns : *all)
      add(columns.view);
  if (GemvOp product = gemv) {
    llvm::for_each(product.getRows(), add);
    llvm::for_each(product.getWeights(), add);
  }
  return views.size() <= kMostOffsets;
}

std::optional<Fusion> Fusion::get(Operation *first, MapOp second) {
  Fusion fusion(first, second);
  if (!fusion.haveSameShape())
    return std::nullopt;
  auto before = fusion.gemv
                    ? Accesses::get(fusion.gemv.getInputs(),
                                    fusion.gemv.getOutputs(), fusion.numBlocks)
                    : Accesses::get(getInputs(fusion.first),
                                    fusion.first.getOutputs(), /*numBlocks=*/1);
  auto after = Accesses::get(getInputs(second), second.getOutputs(),
                             /*numBlocks=*/1);
  if (!before || !after)
    return std::nullopt;
  fusion.before = *before;
  fusion.after = *after;
  if (!fusion.canBeOne())
    return std::nullopt;
  fusion.collectOperands();
  if (!fusion.hasFewOffsets())
    return std::nullopt;
  return fusion;
}

/// Inlines a region and returns the values that it yields for `arguments`.
static SmallVector<Value> inlineRegion(OpBuilder &builder, Region &region,
                                       ValueRange arguments) {
  Block &block = region.front();
  IRMapping mapping;
  mapping.map(block.getArguments(), arguments);
  for (Operation &op : block.without_terminator())
    builder.clone(op, mapping);
  return llvm::map_to_vector(
      block.getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookup(value); });
}

/// Returns the results of a map for `values`: its inputs and, if it
/// accumulates, its outputs.
static SmallVector<Value> inlineMap(OpBuilder &builder, MapOp map,
                                    ValueRange values) {
  const unsigned numInputs = map.getInputs().size();
  SmallVector<Value> results =
      inlineRegion(builder, map.getBody(), values.take_front(numInputs));
  for (auto [result, sum] : llvm::zip(results, values.drop_front(numInputs)))
    result = arith::AddFOp::create(builder, map.getLoc(), sum, result);
  return results;
}

/// Computes the outputs from the accumulators and the inputs.
SmallVector<Value> Fusion::compute(OpBuilder &builder, Location loc,
                                   ValueRange values) const {
  // Interfaces and operations are handles, whose methods are not const.
  GemvOp product = gemv;
  const unsigned numSums = values.size() - inputs.size();
  SmallVector<Columns> known = inputs;
  SmallVector<Value> found(values.drop_front(numSums));
  auto lookup = [&](ArrayRef<Columns> wanted) {
    return llvm::map_to_vector(wanted, [&](const Columns &columns) {
      return found[findSame(known, columns) - known.data()];
    });
  };
  auto define = [&](ArrayRef<Columns> columns, ArrayRef<Value> results) {
    llvm::append_range(known, columns);
    llvm::append_range(found, results);
  };
  SmallVector<Value> arguments = lookup(before.inputs), results;
  if (!product)
    results = inlineMap(builder, first, arguments);
  const size_t numInputs = before.inputs.size() / numBlocks;
  for (int64_t block = 0; product && block < numBlocks; ++block) {
    SmallVector<Value> ofBlock;
    for (unsigned sum = block; sum < numSums; sum += numBlocks)
      ofBlock.push_back(values[sum]);
    llvm::append_range(ofBlock,
                       ArrayRef(arguments).slice(block * numInputs, numInputs));
    llvm::append_range(results,
                       inlineRegion(builder, product.getBody(), ofBlock));
  }
  define(before.outputs, results);
  define(after.outputs, inlineMap(builder, second, lookup(after.inputs)));
  return lookup(outputs);
}

Operation *Fusion::create() const {
  MapOp map = second, mapBefore = first;
  GemvOp product = gemv;
  Location loc = map.getLoc();
  OpBuilder builder(map);
  auto createViews = [&](ArrayRef<Columns> columns) {
    return llvm::map_to_vector(columns, [&](const Columns &each) {
      return each.create(builder, loc);
    });
  };
  SmallVector<Value> inputViews = createViews(inputs),
                     outputViews = createViews(outputs);
  auto body = [&](OpBuilder &builder, Location loc, ValueRange values) {
    return compute(builder, loc, values);
  };
  Operation *result;
  if (product) {
    auto fused =
        GemvOp::create(builder, loc, product.getRows(), product.getWeights(),
                       inputViews, outputViews, body);
    fused.setAlignment(product.getAlignment());
    result = fused;
    product.erase();
  } else {
    auto fused = MapOp::create(builder, loc, inputViews, outputViews,
                               /*accumulate=*/false, body);
    fused.setAlignment(map.getAlignment());
    result = fused;
    mapBefore.erase();
  }
  map.erase();
  return result;
}

void KernelFuseMaps::runOnOperation() {
  Operation *last = nullptr;
  for (Block &block : getOperation().getBody()) {
    last = nullptr;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isPure(&op))
        continue;
      auto map = dyn_cast<MapOp>(op);
      auto fusion = map && last ? Fusion::get(last, map) : std::nullopt;
      if (fusion) {
        last = fusion->create();
        ++numFused;
      } else {
        last = isa<MapOp, GemvOp>(op) ? &op : nullptr;
      }
    }
  }
}
