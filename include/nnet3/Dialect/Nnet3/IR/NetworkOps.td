//===- NetworkOps.td - Networks, nodes and descriptors -----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_NETWORKOPS_TD
#define NNET3_DIALECT_NNET3_IR_NETWORKOPS_TD

include "nnet3/Dialect/Nnet3/IR/Nnet3Attributes.td"
include "nnet3/Dialect/Nnet3/IR/Nnet3Types.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpAsmInterface.td"

//===----------------------------------------------------------------------===//
// The network
//===----------------------------------------------------------------------===//

def Nnet3_NetworkOp : Nnet3_Op<"network", [
    Nnet3_NetworkPhase, Symbol, SymbolTable, IsolatedFromAbove, NoTerminator,
    SingleBlock, RegionKindInterface]> {
  let opDocGroup = Nnet3_NodeDocs;
  let summary = "a neural network: components, nodes and their wiring";
  let description = [{
    Contains a symbol table of components and a graph of nodes. Nodes and
    descriptors are values, so the use-def chains are the wiring of the network.
    The region is a graph region, in which a recurrence is a cycle of values.
    The order of the nodes is the order of the config file.

    `priors`, if present, are the prior probabilities of the columns of the
    output node `output` of an acoustic model (`.mdl`). `transition_model` has
    the bytes of a file with the transition model.

    Example:

    ```mlir
    nnet3.network @rnn {
      nnet3.rectified_linear @relu {dim = 4}
      %in = nnet3.input_node "input" : !nnet3.rows<4>
      %prev = nnet3.offset %h, t = -1 : !nnet3.rows<4>
      %opt = nnet3.if_defined %prev : !nnet3.rows<4>
      %sum = nnet3.sum %in, %opt : !nnet3.rows<4>
      %h = nnet3.component_node "h" @relu(%sum) : (!nnet3.rows<4>) -> !nnet3.rows<4>
      nnet3.output_node "output", %h : !nnet3.rows<4>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       OptionalAttr<Nnet3_Tensor>:$priors,
                       OptionalAttr<Nnet3_Bytes>:$transition_model);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name (`priors` $priors^)? (`transition_model` $transition_model^)?
    attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name), [{
    build($_builder, $_state, name, /*priors=*/nullptr,
          /*transition_model=*/nullptr);
  }]>];
  let extraClassDeclaration = [{
    static ::mlir::RegionKind getRegionKind(unsigned) {
      return ::mlir::RegionKind::Graph;
    }
  }];
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

class Nnet3_NodeOp<string mnemonic, list<Trait> traits = []>
    : Nnet3_Op<mnemonic, !listconcat(
        [Nnet3_NetworkPhase, HasParent<"NetworkOp">], traits)> {
  let opDocGroup = Nnet3_NodeDocs;
}

def Nnet3_InputNodeOp : Nnet3_NodeOp<"input_node", [
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "an input of the network";
  let description = [{
    Kaldi: `input-node name=N dim=D`. The caller supplies its rows.

    Example:

    ```mlir
    %in = nnet3.input_node "input" : !nnet3.rows<40>
    ```
  }];
  let arguments = (ins StrAttr:$name);
  let results = (outs Nnet3_RowsType:$result);
  let assemblyFormat = "$name attr-dict `:` qualified(type($result))";
}

def Nnet3_ComponentNodeOp : Nnet3_NodeOp<"component_node", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "the output of a component applied to a descriptor";
  let description = [{
    Kaldi: `component-node name=N component=C input=<descriptor>`. Several
    nodes may share one component.

    Example:

    ```mlir
    %a = nnet3.component_node "a" @affine1(%x) : (!nnet3.rows<48>) -> !nnet3.rows<36>
    ```
  }];
  let arguments = (ins StrAttr:$name, FlatSymbolRefAttr:$component,
                       Nnet3_RowsType:$input);
  let results = (outs Nnet3_RowsType:$result);
  let assemblyFormat = [{
    $name $component `(` $input `)` attr-dict `:`
    functional-type($input, $result)
  }];
}

def Nnet3_DimRangeNodeOp : Nnet3_NodeOp<"dim_range_node", [
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "some columns of an input node or component node";
  let description = [{
    Kaldi: `dim-range-node name=N input-node=M dim-offset=O dim=D`. Columns
    [offset, offset + dim) of the source, which must be an input node or a
    component node.

    Example:

    ```mlir
    %r = nnet3.dim_range_node "r" %w offset 8 : !nnet3.rows<48> -> !nnet3.rows<3>
    ```
  }];
  let arguments = (ins StrAttr:$name, Nnet3_RowsType:$source,
                       I64Attr:$dim_offset);
  let results = (outs Nnet3_RowsType:$result);
  let assemblyFormat = [{
    $name $source `offset` $dim_offset attr-dict `:`
    qualified(type($source)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Nnet3_OutputNodeOp : Nnet3_NodeOp<"output_node"> {
  let summary = "an output of the network";
  let description = [{
    Kaldi: `output-node name=N input=<descriptor> objective=linear|quadratic`.
    Only training uses the objective; it does not change the output.

    Example:

    ```mlir
    nnet3.output_node "output", %h objective quadratic : !nnet3.rows<36>
    ```
  }];
  let arguments = (ins StrAttr:$name, Nnet3_RowsType:$input,
      DefaultValuedAttr<Nnet3_ObjectiveAttr,
          "::mlir::nnet3::Objective::Linear">:$objective);
  let assemblyFormat = [{
    $name `,` $input (`objective` `` $objective^)? attr-dict `:`
    qualified(type($input))
  }];
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

class Nnet3_DescriptorOp<string mnemonic, list<Trait> traits = []>
    : Nnet3_Op<mnemonic, !listconcat(
        [Nnet3_NetworkPhase, HasParent<"NetworkOp">, Pure], traits)> {
  let opDocGroup = Nnet3_DescriptorDocs;
  let results = (outs Nnet3_RowsType:$result);
}

def Nnet3_AppendOp : Nnet3_DescriptorOp<"append"> {
  let summary = "the columns of several descriptors side by side";
  let description = [{
    Kaldi: `Append(a, b, ...)`. A row is computable if all its parts are.

    Example:

    ```mlir
    %x = nnet3.append %in, %opt : (!nnet3.rows<12>, !nnet3.rows<36>) -> !nnet3.rows<48>
    ```
  }];
  let arguments = (ins Variadic<Nnet3_RowsType>:$parts);
  let assemblyFormat = [{
    $parts attr-dict `:` functional-type($parts, $result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Nnet3_SumOp : Nnet3_DescriptorOp<"sum", [SameOperandsAndResultType]> {
  let summary = "the sum of descriptors";
  let description = [{
    Kaldi: `Sum(a, b, ...)`. A row is computable if all its terms are.

    Example:

    ```mlir
    %s = nnet3.sum %a, %b : !nnet3.rows<36>
    ```
  }];
  let arguments = (ins Variadic<Nnet3_RowsType>:$terms);
  let assemblyFormat = "$terms attr-dict `:` qualified(type($result))";
  let hasFolder = 1;
}

def Nnet3_ScaleOp : Nnet3_DescriptorOp<"scale", [SameOperandsAndResultType]> {
  let summary = "a descriptor times a constant";
  let description = [{
    Kaldi: `Scale(alpha, a)`.

    Example:

    ```mlir
    %s = nnet3.scale 5.000000e-01, %a : !nnet3.rows<36>
    ```
  }];
  let arguments = (ins F32Attr:$alpha, Nnet3_RowsType:$input);
  let assemblyFormat = [{
    $alpha `,` $input attr-dict `:` qualified(type($result))
  }];
  let hasFolder = 1;
}

def Nnet3_ConstOp : Nnet3_DescriptorOp<"const"> {
  let summary = "rows filled with one value";
  let description = [{
    Kaldi: `Const(value, dim)`. Every row is computable.

    Example:

    ```mlir
    %one = nnet3.const 1.000000e+00 : !nnet3.rows<16>
    ```
  }];
  let arguments = (ins F32Attr:$value);
  let assemblyFormat = "$value attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def Nnet3_OffsetOp : Nnet3_DescriptorOp<"offset", [SameOperandsAndResultType]> {
  let summary = "a descriptor at another time";
  let description = [{
    Kaldi: `Offset(a, t [, x])`. The row at (n, t, x) is the input's row at
    (n, t + t_offset, x + x_offset).

    Example:

    ```mlir
    %prev = nnet3.offset %h, t = -1 : !nnet3.rows<36>
    %other = nnet3.offset %h, t = 0, x = 1 : !nnet3.rows<36>
    ```
  }];
  let arguments = (ins Nnet3_RowsType:$input, I32Attr:$t,
                       DefaultValuedAttr<I32Attr, "0">:$x);
  let assemblyFormat = [{
    $input `,` `t` `=` $t (`,` `x` `=` $x^)? attr-dict `:`
    qualified(type($result))
  }];
  let hasFolder = 1;
}

def Nnet3_SwitchOp : Nnet3_DescriptorOp<"switch", [SameOperandsAndResultType]> {
  let summary = "one of several descriptors, chosen by t";
  let description = [{
    Kaldi: `Switch(a, b, ...)`. The row at t is the row at t of argument number
    t modulo the number of arguments. The result of the modulo operation is
    never negative, also for negative t.

    Example:

    ```mlir
    %s = nnet3.switch %even, %odd : !nnet3.rows<36>
    ```
  }];
  let arguments = (ins Variadic<Nnet3_RowsType>:$cases);
  let assemblyFormat = "$cases attr-dict `:` qualified(type($result))";
  let hasFolder = 1;
}

def Nnet3_RoundOp : Nnet3_DescriptorOp<"round", [SameOperandsAndResultType]> {
  let summary = "a descriptor at t rounded down to a multiple";
  let description = [{
    Kaldi: `Round(a, modulus)`. The row at t is the input's row at
    t - (t mod modulus), rounded down also for negative t.

    Example:

    ```mlir
    %s = nnet3.round %a, 3 : !nnet3.rows<36>
    ```
  }];
  let arguments = (ins Nnet3_RowsType:$input, I32Attr:$modulus);
  let assemblyFormat = [{
    $input `,` $modulus attr-dict `:` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Nnet3_ReplaceIndexOp
    : Nnet3_DescriptorOp<"replace_index", [SameOperandsAndResultType]> {
  let summary = "a descriptor at a fixed t or x";
  let description = [{
    Kaldi: `ReplaceIndex(a, t|x, value)`. The row at (n, t, x) is the input's
    row with t, or x, replaced by `value`.

    Example:

    ```mlir
    %iv = nnet3.replace_index %ivector, t = 0 : !nnet3.rows<100>
    ```
  }];
  let arguments = (ins Nnet3_RowsType:$input,
                       Nnet3_IndexVariableAttr:$variable, I32Attr:$value);
  let assemblyFormat = [{
    $input `,` `` $variable `=` $value attr-dict `:`
    qualified(type($result))
  }];
  let hasFolder = 1;
}

def Nnet3_FailoverOp
    : Nnet3_DescriptorOp<"failover", [SameOperandsAndResultType]> {
  let summary = "a descriptor, or another one for rows that are not computable";
  let description = [{
    Kaldi: `Failover(a, b)`. A row is the row of `primary` if that is
    computable, else the row of `fallback`.

    Example:

    ```mlir
    %f = nnet3.failover %next, %same : !nnet3.rows<36>
    ```
  }];
  let arguments = (ins Nnet3_RowsType:$primary, Nnet3_RowsType:$fallback);
  let assemblyFormat = [{
    $primary `,` $fallback attr-dict `:` qualified(type($result))
  }];
  let hasFolder = 1;
}

def Nnet3_IfDefinedOp
    : Nnet3_DescriptorOp<"if_defined", [SameOperandsAndResultType]> {
  let summary = "a descriptor, or zeros for rows that are not computable";
  let description = [{
    Kaldi: `IfDefined(a)`. Every row is computable.

    Example:

    ```mlir
    %i = nnet3.if_defined %prev : !nnet3.rows<36>
    ```
  }];
  let arguments = (ins Nnet3_RowsType:$input);
  let assemblyFormat = "$input attr-dict `:` qualified(type($result))";
  let hasFolder = 1;
}

#endif // NNET3_DIALECT_NNET3_IR_NETWORKOPS_TD
