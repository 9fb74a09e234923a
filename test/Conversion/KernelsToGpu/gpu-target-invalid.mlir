// RUN: not nnet3-opt --nnet3-nvvm-to-ptx=chip=sm_99 %s 2>&1 | FileCheck %s
// RUN: nnet3-opt --nnet3-nvvm-to-ptx=chip=sm_90 %s | FileCheck %s --check-prefix=KNOWN

// CHECK: unknown GPU 'sm_99'
// KNOWN: gpu.binary @kernels [#gpu.object<#nvvm.target<O = 3, chip = "sm_90">
gpu.module @kernels {
  llvm.func @nothing() attributes {gpu.kernel, nvvm.kernel} {
    llvm.return
  }
}
