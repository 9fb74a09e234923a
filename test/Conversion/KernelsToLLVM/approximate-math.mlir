// RUN: nnet3-opt --nnet3-approximate-math %s | FileCheck %s
// RUN: nnet3-opt --nnet3-kernels-to-llvm %s | FileCheck %s --check-prefix=LLVM

// RUN: sed 's/^func/module attributes {kernel.target = #kernel.target<vector_bits = 128, vector_registers = 16, fma = false>} {\nfunc/; s/^}/}\n}/' %s | nnet3-opt --nnet3-approximate-math | FileCheck %s --check-prefix=SPLIT

// Without an instruction for products and sums, there are none of them.
// SPLIT-LABEL: func.func @functions
// SPLIT-NOT: math.fma
// SPLIT: return

// No calls for single elements are left.
// CHECK-LABEL: func.func @functions
// CHECK-NOT: math.exp
// CHECK-NOT: math.tanh
// CHECK: return
// LLVM-LABEL: llvm.func @functions
// LLVM-NOT: @expf
// LLVM-NOT: @tanhf
// LLVM: llvm.return
func.func @functions(%x: vector<3xf32>) -> vector<3xf32> {
  %0 = math.exp %x : vector<3xf32>
  %1 = math.tanh %0 : vector<3xf32>
  return %1 : vector<3xf32>
}
