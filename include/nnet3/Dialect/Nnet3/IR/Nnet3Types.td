//===- Nnet3Types.td - Types of the nnet3 dialect ----------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_NNET3TYPES_TD
#define NNET3_DIALECT_NNET3_IR_NNET3TYPES_TD

include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.td"
include "mlir/IR/CommonTypeConstraints.td"

class Nnet3_Type<string name, string typeMnemonic> :
    TypeDef<Nnet3_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Nnet3_RowsType : Nnet3_Type<"Rows", "rows"> {
  let summary = "rows of a node or descriptor, of known dimension";
  let description = [{
    The values of a network node or a descriptor: one row for every Index
    (n, t, x) at which it is computable. The type has the number of columns
    only; the rows depend on the request.

    Example: `!nnet3.rows<48>`.
  }];
  let parameters = (ins "int64_t":$dim);
  let assemblyFormat = "`<` $dim `>`";
  let genVerifyDecl = 1;
}

def Nnet3_MemoType : Nnet3_Type<"Memo", "memo"> {
  let summary = "what a component's forward pass keeps for its backward pass";
  let description = [{
    An opaque value that the `nnet3.propagate` of a component with the property
    `uses_memo` returns and the matching `nnet3.backprop` consumes.

    Example: `!nnet3.memo`.
  }];
}

def Nnet3_CompressedType : Nnet3_Type<"Compressed", "compressed"> {
  let summary = "a matrix kept in compressed storage";
  let description = [{
    The handle that `nnet3.compress_matrix` yields and
    `nnet3.decompress_matrix` consumes.

    Example: `!nnet3.compressed<150x1536xui8>`.
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$cols, "Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

/// A matrix, or a view of some rows and columns of a matrix.
def Nnet3_Matrix : Type<
    CPred<"::mlir::nnet3::isMatrixType($_self)">,
    "two-dimensional f32 memref of static shape with a stride from row to row",
    "::mlir::MemRefType">;

#endif // NNET3_DIALECT_NNET3_IR_NNET3TYPES_TD
