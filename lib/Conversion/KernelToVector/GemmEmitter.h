//===- GemmEmitter.h - The loops of a matmul --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_GEMMEMITTER_H
#define NNET3_CONVERSION_KERNELTOVECTOR_GEMMEMITTER_H

#include "GemmOperands.h"

#include <functional>
#include <memory>

namespace mlir::nnet3::kernel {

/// Emits the code of one operation. The virtual methods are those of f32.
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
        vectors(operands.vectors), tables(operands.table),
        factors(shape.inputs), factorPlaces(operands.inputs) {}
  virtual ~GemmEmitter() = default;

  /// All rows.
  void emit();
  /// The whole tiles from `beginTile` to `endTile` - 1, and the rows behind the
  /// last tile with it.
  void emitPart(Value beginTile, Value endTile);
  /// All rows; the threads of the target share the tiles or the panels.
  void emitShared();

protected:
  /// An element of a row in all lanes of a vector, or with `lane` in that lane
  /// of each `row_lanes` of them.
  struct Element {
    Value numbers;
    std::optional<int64_t> lane = {};
  };
  /// Where a panel, or with scalable vectors a strip of one, is: its first
  /// column, its weights, and how many columns of it the output has.
  struct Panel {
    Value column, weights;
    /// Of a strip `length` for each vector.
    int64_t columns;
    /// The columns of each vector that the output has, for a strip in which
    /// this is not known to be all.
    SmallVector<Value> masks = {};
  };

  /// Called before the products of the rows from `first` up to, not including,
  /// `last`. Nobody else computes as many rows from `base` on meanwhile.
  virtual void prepareRows(Value base, Value first, Value last) {}
  /// What the sum of row `row` + `i` and vector `v` begins with.
  virtual Value beginSum(const Panel &panel, Value row, int64_t i, int64_t v) {
    return getStart(panel, row, i, v);
  }
  /// Where the weights of column `k` of `part` are in a panel.
  virtual Value getPanelRow(const Panel &panel, const GemmInput &part, Value k);
  /// Vector `v` of a panel whose row of weights is at `place`, as factors.
  virtual Value loadFactors(const Panel &panel, Value place, int64_t v) {
    return loadWeights(panel, place, v);
  }
  /// `sum` plus the product of what was loaded as f32 vectors.
  virtual Value addProduct(Element element, Value column, Value sum);
  /// The output, before the epilogue, from what has been summed up.
  virtual Value finishSum(const Panel &panel, Value row, int64_t i, int64_t v,
                          Value sum) {
    return sum;
  }

  /// What comes before the products of row `row` + `i` and vector `v`: the bias
  /// and the rows that the sums begin with.
  Value getStart(const Panel &panel, Value row, int64_t i, int64_t v);
  Value createZero(VectorType type) {
    return arith::ConstantOp::create(b, b.getZeroAttr(type));
  }
  /// The number of a lane as an operand of an intrinsic.
  Value createLane(int64_t lane) {
    return arith::ConstantIntOp::create(b, b.getI32Type(), lane);
  }
  /// Vector `v` of a panel whose row of weights is at `place`.
  Value loadWeights(const Panel &panel, Value place, int64_t v) {
    return loadWhole(panel, weights, place, v);
  }
  /// Vector `v` of a row at `place` of `memory`, which is as wide as a panel.
  Value loadWhole(const Panel &panel, Value memory, Value place, int64_t v);
  /// Planes of a row of words whose halves stand apart.
  static constexpr int64_t kPlanes = 2;
  /// Vector `v` of a panel whose plane of weights is at `place`, as integers of
  /// 16 bits.
  Value loadPlane(const Panel &panel, Value place, int64_t v);
  /// Vector `v` of a panel of a vector of columns at `place`.
  Value loadColumns(const Panel &panel, Value place, int64_t v);
  /// A whole `type` of which `columns` are read, the others zero.
  Value loadPart(VectorType type, Value memory, Value place, int64_t columns);
  /// Where row `row` + `i` of `input`, whose place is `base`, begins.
  Value getRow(const GemmInput &input, Value base, Value row, int64_t i);

  const GemmOperands &operands;
  const GemmShape &shape;
  TargetAttr target;
  ImplicitLocOpBuilder b;
  int64_t rowLength;     ///< of a register, or the least if it is scalable
  int64_t length;        ///< the same of a vector of sums
  VectorType vectorType; ///< of f32, for sums and columns
  VectorType rowType;    ///< of f32, for rows that are converted
  Value arena, weights, vectors, tables;
  /// What is multiplied, and where it is; `first` counts rows of a panel.
  SmallVector<GemmInput> factors;
  SmallVector<Value> factorPlaces;

  using Panels = ArrayRef<Panel>;
  /// A vector of each row of a panel, as a distance from that row's place.
  struct Ahead {
    Value distance;
    int64_t vectors = 0;
  };
  /// Adds the products of column `k` of some rows, which begin at `places`, to
  /// `sums`, which has one entry per row, panel and vector.
  virtual void addColumn(Panels panels, const GemmInput &part, Value k,
                         ArrayRef<Value> places, SmallVectorImpl<Value> &sums,
                         const Ahead &ahead);
  /// The same for as many columns as are in one register, from `k` on.
  virtual void addLanes(Panels panels, const GemmInput &part, Value k,
                        ArrayRef<Value> places, SmallVectorImpl<Value> &sums,
                        const Ahead &ahead);
  int64_t getVectors(const Panel &panel) const {
    return llvm::divideCeil(panel.columns, length);
  }

  Value vectorColumns; ///< of each vector of a strip

private:
  /// All panels, `together` of them at a time, the last of which may be
  /// narrower. `panelThreads` threads share them.
  void emitPanels(int64_t together, function_ref<void(Panels)> body);
  Panel getPanel(Value number);
  int64_t panelThreads = 1;
  /// emitPanels() for strips of scalable vectors.
  void emitStrips(int64_t together, function_ref<void(Panels)> body);
  Panel getStrip(Value column);
  /// The masks of the strip that begins at `column`.
  SmallVector<Value> createMasks(Value column);
  /// Where vector `v` of a panel is, `columns` behind `place`.
  Value addVectors(Value place, int64_t v, int64_t columns = 0);
  /// Vector `v` of a panel at `place` of a row of `memory`, zero beyond its
  /// columns.
  Value loadPanelPart(const Panel &panel, Value memory, Value place, int64_t v);
  void storePanelPart(const Panel &panel, Value sum, Value place, int64_t v);
  /// How many panels a tile of all rows needs to keep the adders busy.
  int64_t getPanelsAtOnce() const;
  void emitTile(Panels panels, Value row, int64_t rows);
  void prefetch(const Panel &panel, Value row, int64_t rows);
  void prefetchRow(const Panel &panel, Value place, bool isWrite);
  Ahead getAhead(const Panel &panel, Value row, int64_t rows);
  /// How far behind a row of `panel` vector `v` of that of the next panel is.
  Value getDistance(const Panel &panel, Value v);
  void addProducts(Panels panels, const GemmInput &part, Value k,
                   ArrayRef<std::function<Element()>> elements,
                   SmallVectorImpl<Value> &sums, const Ahead &ahead);
  /// A vector of the element of a row at `place`.
  Value loadElement(Value place);
  /// As many columns of the row at `place` as a row has lanes, from `k` on.
  Value loadLanes(Value place, Value k);
  /// One of these columns.
  Element getLane(Value elements, int64_t lane);
  SmallVector<Value> multiply(Panels panels, size_t factor, Value row,
                              int64_t rows, ValueRange sums);
  void end(const Panel &panel, Value row, int64_t i, int64_t v, Value sum);
  /// What vector `v` of row `row` + `i` begins with.
  Value getInitPlace(const Panel &panel, Value row, int64_t i, int64_t v);
  /// Whether the sums begin with the same row everywhere, if with one.
  bool beginsWithOneRow() const { return shape.initStride == int64_t(0); }
  /// Columns of vector `v` of a panel that the output has.
  int64_t getColumns(const Panel &panel, int64_t v) const {
    return std::min(length, panel.columns - v * length);
  }
  Value getPlace(Value base, Value row, int64_t i, int64_t stride, Value column,
                 int64_t v);
};

/// The emitter of f32 with fp16 weights.
std::unique_ptr<GemmEmitter>
createFp16GemmEmitter(const GemmOperands &operands, TargetAttr target,
                      const ImplicitLocOpBuilder &b);

/// The emitter for the precision of the operation.
std::unique_ptr<GemmEmitter> createGemmEmitter(const GemmOperands &operands,
                                               TargetAttr target,
                                               const ImplicitLocOpBuilder &b);

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_GEMMEMITTER_H
