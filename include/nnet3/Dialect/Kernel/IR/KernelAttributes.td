//===- KernelAttributes.td - Attributes of the kernel dialect -*- tablegen -*-//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_KERNEL_IR_KERNELATTRIBUTES_TD
#define NNET3_DIALECT_KERNEL_IR_KERNELATTRIBUTES_TD

include "nnet3/Dialect/Kernel/IR/KernelDialect.td"
include "mlir/IR/EnumAttr.td"

def Kernel_Precision : I32EnumAttr<"Precision",
    "the numbers that a matmul multiplies", [
      I32EnumAttrCase<"F32", 0, "f32">, I32EnumAttrCase<"BF16", 1, "bf16">,
      I32EnumAttrCase<"Int8", 2, "int8">, I32EnumAttrCase<"TF32", 3, "tf32">,
      I32EnumAttrCase<"FP16", 4, "fp16">,
      I32EnumAttrCase<"Int16", 5, "int16">]> {
  let cppNamespace = "::mlir::nnet3::kernel";
  let genSpecializedAttr = 0;
}
def Kernel_PrecisionAttr
    : EnumAttr<Kernel_Dialect, Kernel_Precision, "precision"> {
  let assemblyFormat = "$value";
}

def Kernel_Reduction : I32EnumAttr<"Reduction", "how numbers are combined", [
      I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Max", 1, "max">]> {
  let cppNamespace = "::mlir::nnet3::kernel";
  let genSpecializedAttr = 0;
}
def Kernel_ReductionAttr
    : EnumAttr<Kernel_Dialect, Kernel_Reduction, "reduction"> {
  let assemblyFormat = "$value";
}

def Kernel_Form : I32EnumAttr<"Form",
    "where a kernel runs: with a library that adds the bias of a matmul, or "
    "without", [
      I32EnumAttrCase<"Fused", 0, "fused">,
      I32EnumAttrCase<"Apart", 1, "apart">]> {
  let cppNamespace = "::mlir::nnet3::kernel";
  let genSpecializedAttr = 0;
}
def Kernel_FormAttr : EnumAttr<Kernel_Dialect, Kernel_Form, "form"> {
  let assemblyFormat = "$value";
}

def Kernel_MatmulFactors : I32EnumAttr<"MatmulFactors",
    "which factors of a matmul are transposed", [
      I32EnumAttrCase<"NT", 0, "nt">, I32EnumAttrCase<"NN", 1, "nn">,
      I32EnumAttrCase<"TN", 2, "tn">]> {
  let cppNamespace = "::mlir::nnet3::kernel";
  let genSpecializedAttr = 0;
}
def Kernel_MatmulFactorsAttr
    : EnumAttr<Kernel_Dialect, Kernel_MatmulFactors, "matmul_factors"> {
  let assemblyFormat = "$value";
}

def Kernel_DotProductAttr : AttrDef<Kernel_Dialect, "DotProduct"> {
  let mnemonic = "dot_product";
  let summary = "an instruction for dot products";
  let description = [{
    LLVM's `intrinsic` takes a vector of 32-bit accumulators and two vectors of
    `elements`. It adds to each accumulator the dot product of `group` elements
    of both vectors. Integers of the first vector are unsigned with
    `first_unsigned`; all others are signed. With `takes_lane`, the order of the
    two vectors is reversed, and a fourth operand selects one group in each 128
    bits of the last vector, which is multiplied by all groups of the other
    vector in the same 128 bits. `feature` is the name of the instruction set
    that has the instruction.

    Example: `#kernel.dot_product<elements = bf16, group = 2, intrinsic = "llvm.example.bfdot", feature = "bf16">`.
  }];
  let parameters = (ins EnumParameter<Kernel_Precision>:$elements,
                        "int64_t":$group,
                        DefaultValuedParameter<"bool", "false">:$first_unsigned,
                        DefaultValuedParameter<"bool", "false">:$takes_lane,
                        StringRefParameter<>:$intrinsic,
                        StringRefParameter<>:$feature);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Kernel_LaneIntrinsicsAttr : AttrDef<Kernel_Dialect, "LaneIntrinsics"> {
  let mnemonic = "lane_intrinsics";
  let summary = "instructions for lanes of scalable vectors";
  let description = [{
    LLVM's intrinsic `copy` broadcasts one 128-bit segment of a vector of f32 to
    all segments; its second operand is the number of the segment. In each
    128-bit segment, `fma` adds to its first operand the products of the second
    operand and one lane of the third operand; the fourth operand is the number
    of the lane.

    Example: `#kernel.lane_intrinsics<copy = "llvm.example.dupq", fma = "llvm.example.fmla.lane">`.
  }];
  let parameters = (ins StringRefParameter<>:$copy, StringRefParameter<>:$fma);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Kernel_TargetAttr : AttrDef<Kernel_Dialect, "Target"> {
  let mnemonic = "target";
  let summary = "the properties of a CPU for code generation";
  let description = [{
    The module's attribute `kernel.target`, which `kernel-set-target` sets.

    * `vector_bits`: size of a vector register.
    * `vector_registers`: number of these registers.
    * `fma`: whether there is a fused multiply-add.
    * `l2_bytes`: size of the second-level cache of a core.
    * `dot_products`: a list of `#kernel.dot_product`.
    * `row_lanes`: elements of a row that matmuls load into one register, if
      multiply-adds can take an operand from a lane; 1 if they cannot.
    * `panel_columns`: columns of every panel of packed weights, for targets
      that share weights; 0 if the tile decides.
    * `scalable_bits`: for scalable vectors, the bits of a register for each
      unit of LLVM's `vscale`; `vector_bits` is then the minimum size of a
      register. 0 for vectors of fixed size.
    * `lane_intrinsics`: instructions for the `row_lanes` of scalable vectors.
    * `wide_products`: whether an instruction multiplies 16-bit integers and
      adds the results to 32-bit accumulators. Matmuls of int8 use it if there
      is no instruction for dot products of int8.
    * `pair_products`: LLVM's intrinsic that multiplies 16-bit integers and adds
      neighbouring results to 32-bit integers. Matmuls of int8 use it if there
      are neither dot products of int8 nor `wide_products`, matmuls of int16 if
      there are no dot products of int16.
    * `converts_halves`: whether an instruction converts fp16 to f32.
    * `threads`: number of threads that run the functions of a training step
      together (`kernel-share-loops`). Kernels are divided into as many parts.

    Example: `#kernel.target<vector_bits = 512, vector_registers = 32>`.
  }];
  let parameters = (ins "int64_t":$vector_bits, "int64_t":$vector_registers,
                        DefaultValuedParameter<"bool", "true">:$fma,
                        DefaultValuedParameter<"int64_t", "1048576">:$l2_bytes,
                        OptionalParameter<"::mlir::ArrayAttr">:$dot_products,
                        DefaultValuedParameter<"int64_t", "1">:$row_lanes,
                        DefaultValuedParameter<"int64_t", "0">:$panel_columns,
                        DefaultValuedParameter<"int64_t", "0">:$scalable_bits,
                        OptionalParameter<"::mlir::nnet3::kernel::LaneIntrinsicsAttr">:$lane_intrinsics,
                        DefaultValuedParameter<"bool", "false">:$wide_products,
                        OptionalParameter<"::mlir::StringAttr">:$pair_products,
                        DefaultValuedParameter<"bool", "false">:$converts_halves,
                        DefaultValuedParameter<"int64_t", "1">:$threads);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Number of f32 in a vector register, or their minimum if it is scalable.
    int64_t getVectorLength() const { return getVectorBits() / 32; }
    bool isScalable() const { return getScalableBits() != 0; }
    /// Columns of a panel of packed weights for each vector of a tile. Scalable
    /// vectors of several sizes share the layout of the largest usual one.
    int64_t getPanelVectorLength() const;
    /// This target with `threads` threads.
    TargetAttr withThreads(int64_t threads) const;
    /// Returns a vector type with `element` in place of each f32 of `registers`
    /// registers.
    VectorType getVectorType(Type element, int64_t registers = 1) const;
    /// Whether matmuls of `precision` use `wide_products`.
    bool widens(Precision precision) const {
      return precision == Precision::Int8 && getWideProducts() &&
             !getDotProduct(precision);
    }
    /// Whether matmuls of `precision` use `pair_products`.
    bool multipliesPairs(Precision precision) const {
      return precision == Precision::Int16 && getPairProducts() &&
             !getDotProduct(precision);
    }
    /// Whether an instruction multiplies and adds 16-bit integers. Without one,
    /// a matmul of int16 is no faster than a matmul of f32.
    bool multipliesInt16() const {
      return getDotProduct(Precision::Int16) || getPairProducts();
    }
    /// Whether matmuls unpack values of `precision` from 32-bit words before
    /// they multiply.
    bool unpacks(Precision precision) const {
      return convertsRows(precision) && !getDotProduct(precision) &&
             !widens(precision) && !multipliesPairs(precision);
    }
    /// Whether a row of a panel stores the first halves of all words before the
    /// second halves, so that an instruction that widens neighbouring values
    /// yields neighbouring columns.
    bool hasPlanes(Precision precision) const {
      return precision == Precision::FP16 || widens(precision);
    }
    /// The instruction for matmuls of `precision`, the first one of the list;
    /// null if there is none.
    DotProductAttr getDotProduct(Precision precision) const;
  }];
}

#endif // NNET3_DIALECT_KERNEL_IR_KERNELATTRIBUTES_TD
