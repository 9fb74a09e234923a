// RUN: nnet3-opt --nnet3-keep-calls %s | FileCheck %s
// RUN: nnet3-opt --nnet3-kernels-to-llvm %s | FileCheck %s

// Functions of kernels, which computations call, are not inlined. Computations
// and declarations stay as they are.

// CHECK: llvm.func @kernel() attributes {no_inline, sym_visibility = "private"}
llvm.func @kernel() attributes {sym_visibility = "private"} {
  llvm.return
}
// CHECK: llvm.func @runtime() attributes {sym_visibility = "private"}
llvm.func @runtime() attributes {sym_visibility = "private"}
// CHECK: llvm.func @computation() {
llvm.func @computation() {
  llvm.call @kernel() : () -> ()
  llvm.call @runtime() : () -> ()
  llvm.return
}
