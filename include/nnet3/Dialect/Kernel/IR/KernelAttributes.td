//===- KernelAttributes.td - Attributes of the kernel dialect -*- tablegen -*-//

#ifndef NNET3_DIALECT_KERNEL_IR_KERNELATTRIBUTES_TD
#define NNET3_DIALECT_KERNEL_IR_KERNELATTRIBUTES_TD

include "nnet3/Dialect/Kernel/IR/KernelDialect.td"

def Kernel_TargetAttr : AttrDef<Kernel_Dialect, "Target"> {
  let mnemonic = "target";
  let summary = "what code generation knows of a CPU";
  let description = [{
    The module's attribute `kernel.target`. `vector_length` is the number of
    f32 in a vector register, `vector_registers` the number of these registers.

    Example: `#kernel.target<vector_length = 16, vector_registers = 32>`.
  }];
  let parameters = (ins "int64_t":$vector_length, "int64_t":$vector_registers);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // NNET3_DIALECT_KERNEL_IR_KERNELATTRIBUTES_TD
