//===- GemmEmitter.h - The loops of a matmul --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_GEMM_GEMMEMITTER_H
#define NNET3_CONVERSION_KERNELTOVECTOR_GEMM_GEMMEMITTER_H

#include "GemmOperands.h"

#include <functional>
#include <memory>

namespace mlir::nnet3::kernel {

/// Emits the loops of one `kernel.gemm`. The virtual methods implement f32;
/// subclasses override them for other precisions.
class GemmEmitter {
public:
  GemmEmitter(const GemmOperands &operands, TargetAttr target,
              const ImplicitLocOpBuilder &builder)
      : operands(operands), shape(operands.shape), target(target), b(builder),
        rowLength(target.getVectorLength()),
        length(shape.getRegistersPerVector() * rowLength),
        vectorType(target.getVectorType(b.getF32Type(),
                                        shape.getRegistersPerVector())),
        rowType(VectorType::get({rowLength}, b.getF32Type())),
        arena(operands.arena), weights(operands.weights),
        tables(operands.table), factors(shape.inputs),
        factorPlaces(operands.inputs) {}
  virtual ~GemmEmitter() = default;

  /// Emits code for all rows.
  void emit();
  /// Emits the whole tiles from `beginTile` to `endTile` - 1, and with the last
  /// whole tile the rows that remain after it.
  void emitPart(Value beginTile, Value endTile);
  /// Emits code for all rows; the threads of the target share the tiles or the
  /// panels.
  void emitShared();

protected:
  /// An element of an input row: broadcast to all lanes, or, with `lane`, in
  /// that lane of each group of `row_lanes` lanes.
  struct Element {
    Value numbers;
    std::optional<int64_t> lane = {};
  };
  /// A panel, or with scalable vectors a strip of one: its first output column,
  /// the offset of its weights, and the number of its columns that the output
  /// has.
  struct Panel {
    Value column, weights;
    /// For a strip, `length` per vector.
    int64_t columns;
    /// For each vector, the mask of the columns that the output has; empty if
    /// the strip is known to be full.
    SmallVector<Value> masks = {};
  };

  /// Called before the multiply-adds of rows `first` to `last` - 1. Scratch
  /// rows from `base` on belong to these rows, and no other thread uses them
  /// meanwhile.
  virtual void prepareRows(Value base, Value first, Value last) {}
  /// Initial value of the accumulator of row `row` + `i`, vector `v`.
  virtual Value beginSum(const Panel &panel, Value row, int64_t i, int64_t v) {
    return getStart(panel, row, i, v);
  }
  /// Returns the offset of the weights of column `k` of `part` in a panel.
  virtual Value getPanelRow(const Panel &panel, const GemmInput &part, Value k);
  /// Loads vector `v` of the panel row at offset `place`, as operands of
  /// addProduct().
  virtual Value loadFactors(const Panel &panel, Value place, int64_t v) {
    return loadWeights(panel, place, v);
  }
  /// Returns `sum` plus the product of the operands, which were loaded as f32
  /// vectors.
  virtual Value addProduct(Element element, Value column, Value sum);
  /// Converts an accumulator to the output value before the epilogue.
  virtual Value finishSum(const Panel &panel, Value row, int64_t i, int64_t v,
                          Value sum) {
    return sum;
  }

  /// Initial value of the f32 accumulator of row `row` + `i`, vector `v`: the
  /// bias plus `init`.
  Value getStart(const Panel &panel, Value row, int64_t i, int64_t v);
  Value createZero(VectorType type) {
    return arith::ConstantOp::create(b, b.getZeroAttr(type));
  }
  /// A lane number as an operand of an intrinsic.
  Value createLane(int64_t lane) {
    return arith::ConstantIntOp::create(b, b.getI32Type(), lane);
  }
  /// Loads vector `v` of the panel row whose weights are at offset `place`.
  Value loadWeights(const Panel &panel, Value place, int64_t v) {
    return loadWhole(panel, weights, place, v);
  }
  /// Loads vector `v` of a panel-wide row at offset `place` of `memory`.
  Value loadWhole(const Panel &panel, Value memory, Value place, int64_t v);
  /// Number of planes in a row of words whose halves are stored separately.
  static constexpr int64_t kPlanes = 2;
  /// Loads vector `v` of the plane of weights at offset `place`, as 16-bit
  /// integers.
  Value loadPlane(const Panel &panel, Value place, int64_t v);
  /// Loads the panel's vector `v` of the per-column constants at offset
  /// `place`.
  Value loadColumns(const Panel &panel, const GemmOperands::Columns &columns,
                    int64_t v);
  /// Loads `columns` elements into a vector of `type`; the other lanes are
  /// zero.
  Value loadPart(VectorType type, Value memory, Value place, int64_t columns);
  /// Returns the offset of row `row` + `i` of `input`, whose offset is `base`.
  Value getRow(const GemmInput &input, Value base, Value row, int64_t i);

  const GemmOperands &operands;
  const GemmShape &shape;
  TargetAttr target;
  ImplicitLocOpBuilder b;
  int64_t rowLength; ///< lanes of a register, or their minimum if scalable
  int64_t length;    ///< lanes of an accumulator, or their minimum if scalable
  VectorType vectorType; ///< of f32, for accumulators and columns
  VectorType rowType;    ///< of f32, for rows that are converted
  Value arena, weights, tables;
  /// The inputs as they are multiplied, and their offsets; `first` counts panel
  /// rows.
  SmallVector<GemmInput> factors;
  SmallVector<Value> factorPlaces;

  using Panels = ArrayRef<Panel>;
  /// The vectors of each panel row to prefetch, and their distance from that
  /// row's offset.
  struct Ahead {
    Value distance;
    int64_t vectors = 0;
    /// Whether they come to the L1 cache, or else to the L2 cache.
    bool isNear = false;
  };
  /// Multiplies column `k` of the rows at offsets `places` with the panels and
  /// adds the results to `sums`, which has one entry per row, panel and vector.
  virtual void addColumn(Panels panels, const GemmInput &part, Value k,
                         ArrayRef<Value> places, SmallVectorImpl<Value> &sums,
                         const Ahead &ahead);
  /// As addColumn(), for the columns from `k` on that fill one register.
  virtual void addLanes(Panels panels, const GemmInput &part, Value k,
                        ArrayRef<Value> places, SmallVectorImpl<Value> &sums,
                        const Ahead &ahead);
  int64_t getVectors(const Panel &panel) const {
    return llvm::divideCeil(panel.columns, length);
  }

  Value vectorColumns; ///< columns per vector of a strip

private:
  /// Calls `body` for all panels, `together` at a time, the last of which may
  /// be narrower. `panelThreads` threads share the panels.
  void emitPanels(int64_t together, function_ref<void(Panels)> body);
  Panel getPanel(Value number);
  int64_t panelThreads = 1;
  /// emitPanels() for strips of scalable vectors.
  void emitStrips(int64_t together, function_ref<void(Panels)> body);
  Panel getStrip(Value column);
  /// The masks of the strip that begins at `column`.
  SmallVector<Value> createMasks(Value column);
  /// Returns the offset of vector `v` of a panel, `columns` columns after
  /// `place`.
  Value addVectors(Value place, int64_t v, int64_t columns = 0);
  /// Loads vector `v` of the panel columns of a row at offset `place` of
  /// `memory`; columns past the panel's end are zero.
  Value loadPanelPart(const Panel &panel, Value memory, Value place, int64_t v);
  void storePanelPart(const Panel &panel, Value sum, Value place, int64_t v);
  /// Number of panels that a tile of all rows needs to keep the FMA units busy.
  int64_t getPanelsAtOnce() const;
  void emitTile(Panels panels, Value row, int64_t rows);
  void prefetch(const Panel &panel, Value row, int64_t rows);
  int64_t getColumnsPerRow(const Panel &panel, int64_t rows) const;
  void prefetchInit(const Panel &panel, Value row, int64_t rows, Value k);
  void prefetchPlace(Value place, bool isWrite);
  void prefetchRow(const Panel &panel, Value place, bool isWrite);
  Ahead getAhead(const Panel &panel, Value row, int64_t rows);
  /// Distance from a row of `panel` to vector `v` of the same row of the next
  /// panel.
  Value getDistance(const Panel &panel, Value v);
  void addProducts(Panels panels, const GemmInput &part, Value k,
                   ArrayRef<std::function<Element()>> elements,
                   SmallVectorImpl<Value> &sums, const Ahead &ahead);
  /// Broadcasts the row element at offset `place`.
  Value loadElement(Value place);
  /// Loads as many columns of the row at offset `place` as a register has
  /// lanes, starting at column `k`.
  Value loadLanes(Value place, Value k);
  /// Selects one of the columns that loadLanes() returned.
  Element getLane(Value elements, int64_t lane);
  SmallVector<Value> multiply(Panels panels, size_t factor, Value row,
                              int64_t rows, ValueRange sums);
  void end(const Panel &panel, Value row, int64_t i, int64_t v, Value sum);
  /// Offset of vector `v` of row `row` + `i` of `init`.
  Value getInitPlace(const Panel &panel, Value row, int64_t i, int64_t v);
  bool beginsWithRows() const;
  /// Whether `init` is a single row that all output rows share.
  bool beginsWithOneRow() const { return shape.initStride == int64_t(0); }
  /// Number of columns of vector `v` of a panel that the output has.
  int64_t getColumns(const Panel &panel, int64_t v) const {
    return std::min(length, panel.columns - v * length);
  }
  Value getPlace(Value base, Value row, int64_t i, int64_t stride, Value column,
                 int64_t v);
};

/// Creates the emitter for f32 inputs and fp16 weights.
std::unique_ptr<GemmEmitter>
createFp16GemmEmitter(const GemmOperands &operands, TargetAttr target,
                      const ImplicitLocOpBuilder &b);

/// Creates the emitter for the operation's precision.
std::unique_ptr<GemmEmitter> createGemmEmitter(const GemmOperands &operands,
                                               TargetAttr target,
                                               const ImplicitLocOpBuilder &b);

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_GEMM_GEMMEMITTER_H
