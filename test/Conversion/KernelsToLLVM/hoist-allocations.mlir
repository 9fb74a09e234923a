// RUN: nnet3-opt --pass-pipeline='builtin.module(func.func(nnet3-hoist-allocations))' %s | FileCheck %s

// On CPUs, blocks of threads are rounds of a loop. They use the same memory one
// after the other, so the loop takes no more of the stack the longer it is.

// CHECK-LABEL: func.func @loop
// CHECK:         memref.alloca() : memref<16xf32>
// CHECK:         scf.for
// CHECK-NOT:     memref.alloca
func.func @loop(%count: index, %value: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %count step %c1 {
    %memory = memref.alloca() : memref<16xf32>
    memref.store %value, %memory[%c0] : memref<16xf32>
  }
  return
}

// How much this is, is known in the loop alone.
// CHECK-LABEL: func.func @unknown
// CHECK:         scf.for
// CHECK:           memref.alloca(%{{.*}}) : memref<?xf32>
func.func @unknown(%count: index, %value: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %count step %c1 {
    %memory = memref.alloca(%i) : memref<?xf32>
    memref.store %value, %memory[%c0] : memref<?xf32>
  }
  return
}
