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

/// The name of a component of a network, or of a part of one.
SymbolRefAttr getComponentPath(Operation *component);

/// What only some parts of the packed weights have.
struct PackedDetail {
  Precision precision = Precision::F32;
  DenseI64ArrayAttr columns = {};
  StringAttr parameter = {};
  bool planes = false;
  FloatAttr error = {};
};

/// Decides where each part of the components' parameters goes. Each part is
/// there once, whatever number of commands use it.
class PackedWeights {
public:
  explicit PackedWeights(kernel::TargetAttr target) : target(target) {}

  /// Says that a command multiplies so many rows with the weights of
  /// `component`. All have to be known before the first panels.
  void addRows(ComponentOpInterface component, int64_t rows);
  /// The tile whose width panels of these weights have.
  GemmTile getTile(ComponentOpInterface component,
                   const WeightFormat &format) const;
  /// Place of the panels of the weights of `component`, an affine one; with
  /// `folded`, the name of a component, of those that compute it too.
  int64_t getPanels(ComponentOpInterface component, SymbolRefAttr folded,
                    const WeightFormat &format);
  /// Place of the scales that its weights have as integers of `precision`, one
  /// per column of output.
  int64_t getScales(ComponentOpInterface component, SymbolRefAttr folded,
                    Precision precision);
  /// Place of the sums of these integers in the columns `used`, integers.
  int64_t getSums(ComponentOpInterface component, SymbolRefAttr folded,
                  Precision precision, ArrayRef<ColumnRange> used);
  /// Place of the weights as they are, a row for each output.
  int64_t getMatrix(ComponentOpInterface component, SymbolRefAttr folded);
  /// The same with numbers of `precision`, the first ones of each row at a
  /// word.
  int64_t getMatrix(ComponentOpInterface component, SymbolRefAttr folded,
                    Precision precision);
  /// Place of its bias.
  int64_t getBias(ComponentOpInterface component, SymbolRefAttr folded);
  /// Place of the parameter `name` as it is, of `size` elements.
  int64_t getParameter(ComponentOpInterface component, StringRef name,
                       int64_t size);
  /// Place of a vector of an elementwise component or one of blocks.
  int64_t getVector(ComponentOpInterface component, unsigned number);

  /// Floats in all.
  int64_t getSize() const { return size; }
  /// One #kernel.packed per part.
  ArrayAttr getLayout(MLIRContext *context) const;

private:
  int64_t getPlace(ComponentOpInterface component, kernel::PackedPart part,
                   int64_t number, int64_t floats, SymbolRefAttr folded = {},
                   const PackedDetail &detail = PackedDetail());

  /// Vector loads may reach beyond the last column.
  int64_t getPadded(int64_t columns) const {
    return llvm::alignTo(columns, target.getVectorLength());
  }

  kernel::TargetAttr target;
  /// The fewest rows that are multiplied with the weights of a component; only
  /// looked up.
  DenseMap<Operation *, int64_t> fewestRows;
  /// By the part at place 0; only looked up.
  DenseMap<Attribute, int64_t> places;
  SmallVector<Attribute> layout;
  int64_t size = 0;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_ARENA_PACKEDWEIGHTS_H
