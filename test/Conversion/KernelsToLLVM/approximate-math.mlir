// RUN: nnet3-opt --nnet3-approximate-math %s | FileCheck %s
// RUN: nnet3-opt --nnet3-kernels-to-llvm %s | FileCheck %s --check-prefix=LLVM

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
