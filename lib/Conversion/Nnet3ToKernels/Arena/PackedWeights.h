//===- PackedWeights.h - Layout of the packed weights -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_ARENA_PACKEDWEIGHTS_H
#define NNET3_CONVERSION_NNET3TOKERNELS_ARENA_PACKEDWEIGHTS_H

#include "WeightFormat.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Conversion/KernelToVector/GemmShape.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

namespace mlir::nnet3 {

/// The symbol path of a component of a network, or of a part of one.
SymbolRefAttr getComponentPath(Operation *component);

/// Details of a packed part that only some kinds of parts have.
struct PackedDetail {
  Precision precision = Precision::F32;
  DenseI64ArrayAttr columns = {};
  StringAttr parameter = {};
  bool planes = false;
  FloatAttr error = {};
};

/// Assigns an offset to each part of the components' parameters. Each part is
/// packed once, however many commands use it.
class PackedWeights {
public:
  explicit PackedWeights(kernel::TargetAttr target) : target(target) {}

  /// Records that a command multiplies `rows` rows with the weights of
  /// `component`. All such commands must be recorded before the first
  /// getPanels().
  void addRows(ComponentOpInterface component, int64_t rows);
  /// Returns the tile whose width is the width of the weights' panels.
  GemmTile getTile(ComponentOpInterface component,
                   const WeightFormat &format) const;
  /// Returns the offset of the weight panels of an affine component; with
  /// `folded`, the name of a component, of the weights that include its
  /// computation.
  int64_t getPanels(ComponentOpInterface component, SymbolRefAttr folded,
                    const WeightFormat &format);
  /// Returns the offset of the scales, one per output column, of the weights
  /// quantised to integers of `precision`.
  int64_t getScales(ComponentOpInterface component, SymbolRefAttr folded,
                    Precision precision);
  /// Returns the offset of the column sums of these integers over the columns
  /// `used`, as integers.
  int64_t getSums(ComponentOpInterface component, SymbolRefAttr folded,
                  Precision precision, ArrayRef<ColumnRange> used);
  /// Returns the offset of the unpacked weights, one row per output.
  int64_t getMatrix(ComponentOpInterface component, SymbolRefAttr folded);
  /// As above, with elements of `precision`; each row starts at a 32-bit word.
  int64_t getMatrix(ComponentOpInterface component, SymbolRefAttr folded,
                    Precision precision);
  /// Returns the offset of the bias.
  int64_t getBias(ComponentOpInterface component, SymbolRefAttr folded);
  /// Returns the offset of the unpacked parameter `name`, of `size` elements.
  int64_t getParameter(ComponentOpInterface component, StringRef name,
                       int64_t size);
  /// Returns the offset of a vector of per-column constants of an elementwise
  /// or block component.
  int64_t getVector(ComponentOpInterface component, unsigned number);

  /// Size of all parts in floats.
  int64_t getSize() const { return size; }
  /// Rounds an offset up to where a part can begin.
  static int64_t align(int64_t place) { return llvm::alignTo(place, 16); }
  /// Returns one #kernel.packed per part.
  ArrayAttr getLayout(MLIRContext *context) const;

private:
  int64_t getPlace(ComponentOpInterface component, kernel::PackedPart part,
                   int64_t number, int64_t floats, SymbolRefAttr folded = {},
                   const PackedDetail &detail = PackedDetail());

  /// Number of columns, padded since vector loads may exceed the last column.
  int64_t getPadded(int64_t columns) const {
    return llvm::alignTo(columns, target.getVectorLength());
  }

  kernel::TargetAttr target;
  /// The smallest number of rows that are multiplied with the weights of a
  /// component; only looked up.
  DenseMap<Operation *, int64_t> fewestRows;
  /// Offsets by the part's attribute with offset 0; only looked up.
  DenseMap<Attribute, int64_t> places;
  SmallVector<Attribute> layout;
  int64_t size = 0;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_ARENA_PACKEDWEIGHTS_H
