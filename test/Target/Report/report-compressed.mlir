// A compressed matrix counts with the bytes that it has; one that is moved counts
// once, as the pass statistics have it.
// RUN: nnet3-opt %s --nnet3-report=%t.html -o %t.mlir
// RUN: %python %S/Inputs/read_report.py %t.html | FileCheck %s
// CHECK: after: 10 commands, 3 matrices, peak 80
// CHECK-NEXT: 0: accept_input "input" -> %0 [1 x 4], 16 live
// CHECK-NEXT: 1: compress_matrix %0 -> %1 [1 x 4], 4 live
// CHECK-NEXT: 2: alloc_matrix_zeroed -> %2 [1 x 16], 68 live
// CHECK-NEXT: 3: dealloc_matrix %2, 4 live
// CHECK-NEXT: 4: decompress_matrix %1 -> %3 [1 x 4], 16 live
// CHECK-NEXT: 5: move_matrix %3 -> %4 [1 x 4], 16 live
// CHECK-NEXT: 6: alloc_matrix_undefined -> %5 [1 x 16], 80 live
// CHECK-NEXT: 7: dealloc_matrix %5, 16 live
// CHECK-NEXT: 8: provide_output "output" %4, 16 live
nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}

nnet3.computation @a for @net {
  %in = nnet3.accept_input "input" : memref<1x4xf32>
  %c = nnet3.compress_matrix %in range 1.000000e+00 truncate : memref<1x4xf32> -> !nnet3.compressed<1x4xui8>
  %m = nnet3.alloc_matrix_zeroed : memref<1x16xf32>
  nnet3.dealloc_matrix %m : memref<1x16xf32>
  %d = nnet3.decompress_matrix %c : !nnet3.compressed<1x4xui8> -> memref<1x4xf32>
  %e = nnet3.move_matrix %d : memref<1x4xf32>
  %n = nnet3.alloc_matrix_undefined : memref<1x16xf32>
  nnet3.dealloc_matrix %n : memref<1x16xf32>
  nnet3.provide_output "output", %e : memref<1x4xf32>
}
