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
      I32EnumAttrCase<"FP16", 4, "fp16">]> {
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

def Kernel_TargetAttr : AttrDef<Kernel_Dialect, "Target"> {
  let mnemonic = "target";
  let summary = "what code generation knows of a CPU";
  let description = [{
    The module's attribute `kernel.target`. `vector_length` is the number of
    f32 in a vector register, `vector_registers` the number of these registers.
    With `dot_products` there is an instruction for the sums of products of
    pairs of bf16, or of four numbers of 8 bits, whichever the module has.

    Example: `#kernel.target<vector_length = 16, vector_registers = 32>`.
  }];
  let parameters = (ins "int64_t":$vector_length, "int64_t":$vector_registers,
                        DefaultValuedParameter<"bool", "false">:$dot_products);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // NNET3_DIALECT_KERNEL_IR_KERNELATTRIBUTES_TD
