//===- Nnet3Attributes.td - Attributes of the dialect ------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_NNET3ATTRIBUTES_TD
#define NNET3_DIALECT_NNET3_IR_NNET3ATTRIBUTES_TD

include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.td"

class Nnet3_Attr<string name, string attrMnemonic> :
    AttrDef<Nnet3_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Nnet3_Objective : I32EnumAttr<"Objective",
    "objective function of an output node", [
      I32EnumAttrCase<"Linear", 0, "linear">,
      I32EnumAttrCase<"Quadratic", 1, "quadratic">]> {
  let cppNamespace = "::mlir::nnet3";
  let genSpecializedAttr = 0;
}
def Nnet3_ObjectiveAttr : EnumAttr<Nnet3_Dialect, Nnet3_Objective, "objective">;

def Nnet3_IndexVariable : I32EnumAttr<"IndexVariable",
    "variable of an Index that replace_index sets", [
      I32EnumAttrCase<"T", 0, "t">, I32EnumAttrCase<"X", 1, "x">]> {
  let cppNamespace = "::mlir::nnet3";
  let genSpecializedAttr = 0;
}
def Nnet3_IndexVariableAttr
    : EnumAttr<Nnet3_Dialect, Nnet3_IndexVariable, "index_variable">;

def Nnet3_IndexesAttr : Nnet3_Attr<"Indexes", "indexes"> {
  let summary = "an ordered list of Indexes (n, t, x)";
  let description = [{
    Either all combinations of ranges of n, t and x in one of three row orders,
    or an explicit list.

    Example: `#nnet3.indexes<n = 0:7, t = [-3:12, 15], order = tn>`.

    * `#nnet3.indexes<n = 0:7, t = -3:12>`: n from 0 to 7, t from -3 to 12, both
      ends included; a range is `a`, `a:b` or `a:b:step`, several are joined by
      `,` inside brackets: `t = [0:7, 12]`. n, t and x default to 0.
    * `order = nt` (default): n outermost, then t, then x. `order = tn`: t
      outermost, then n, then x. `order = txn`: t, then x, then n innermost.
    * `#nnet3.indexes<[(0, 5), (0, 7, 1)]>`: every row as (n, t) or (n, t, x);
      `(n, _)` is a blank row, which components insert for padding.

    No Index may occur twice, except for blank ones.
  }];
  let parameters = (ins
    ArrayRefParameter<"int32_t">:$n, ArrayRefParameter<"int32_t">:$t,
    ArrayRefParameter<"int32_t">:$x,
    "::mlir::nnet3::RowOrder":$order,
    ArrayRefParameter<"int32_t", "flattened (n, t, x) triples">:$list);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// True if the rows are listed one by one instead of by ranges.
    bool isExplicit() const { return !getList().empty(); }
    /// Number of rows.
    int64_t size() const;
    /// Returns all rows in their order.
    ::llvm::SmallVector<::mlir::nnet3::Index> expand() const;
    /// Returns the attribute for `rows`: as ranges if `rows` are all
    /// combinations of ranges in one of the row orders, else as a list.
    static IndexesAttr get(::mlir::MLIRContext *context,
                           ::llvm::ArrayRef<::mlir::nnet3::Index> rows);
  }];
}

def Nnet3_RowTableAttr : Nnet3_Attr<"RowTable", "row_table"> {
  let summary = "the source row of each destination row";
  let description = [{
    A list of source rows in the order of the destination rows. Regular parts
    are written as loops, so that the size of the attribute does not depend on
    the number of sequences or frames. Items are separated by `,`:

    * `7`: row 7. `_`: no row.
    * `0:9`, `0:27:3`: consecutive rows, rows with a step (ends included; the
      step may be negative).
    * `4 x 7`, `3 x _`: one row several times.
    * `[8 x +16](0:3, 9)`: the list in parentheses 8 times, with 16 added to
      every row each time.
    * `7 of 2`, `0:9 of 1`: rows of sources 2 and 1, for commands with several
      sources; the default is source 0.

    Example: `#nnet3.row_table<[64 x +1](0:1216:64)>`.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t", "items in prefix form, see RowTable.h">:$code);
  let genVerifyDecl = 1;
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// Number of destination rows.
    int64_t size() const;
    /// Returns one entry for each destination row.
    ::llvm::SmallVector<::mlir::nnet3::RowRef> expand() const;
    /// Whether an entry names no row.
    bool hasNone() const;
    /// Returns the largest row of each source; -1 for a source without rows.
    ::llvm::SmallVector<int64_t> getMaxRows(unsigned numSources) const;
    /// Returns the attribute for a list of rows, with loops for regular parts.
    static RowTableAttr get(::mlir::MLIRContext *context,
                            ::llvm::ArrayRef<::mlir::nnet3::RowRef> rows);
  }];
}

class Nnet3_Elements<string predicate, string type>
    : Attr<And<[CPred<"::llvm::isa<::mlir::ElementsAttr>($_self)">,
        CPred<"::llvm::cast<::mlir::ElementsAttr>($_self).getElementType()." #
              predicate>]>, type # " elements attribute"> {
  let storageType = "::mlir::ElementsAttr";
  let returnType = "::mlir::ElementsAttr";
  let convertFromStorage = "$_self";
}
/// Parameters and statistics of components: dense or dense_resource, float32.
def Nnet3_Tensor : Nnet3_Elements<"isF32()", "float32">;
/// The bytes of a file.
def Nnet3_Bytes : Nnet3_Elements<"isInteger(8)", "i8">;

#endif // NNET3_DIALECT_NNET3_IR_NNET3ATTRIBUTES_TD
