// RUN: nnet3-opt %s | nnet3-opt | FileCheck %s
// RUN: nnet3-opt %s --verify-roundtrip -o /dev/null

nnet3.network @net {}

// CHECK-LABEL: nnet3.computation @matrices
nnet3.computation @matrices for @net {
  // CHECK-NEXT: %[[A:.*]] = nnet3.alloc_matrix_zeroed : memref<6x4xf32>
  %a = nnet3.alloc_matrix_zeroed : memref<6x4xf32>
  // CHECK-NEXT: %[[B:.*]] = nnet3.alloc_matrix_undefined : memref<6x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<6x4xf32>
  // CHECK-NEXT: nnet3.set_const %[[B]], -1.000000e+00 : memref<6x4xf32>
  nnet3.set_const %b, -1.0 : memref<6x4xf32>
  // CHECK-NEXT: %[[V:.*]] = nnet3.sub_matrix %[[A]][1, 2] : memref<6x4xf32> to memref<3x2xf32, strided<[4, 1], offset: 6>>
  %v = nnet3.sub_matrix %a[1, 2] : memref<6x4xf32> to memref<3x2xf32, strided<[4, 1], offset: 6>>
  // A view of a view.
  // CHECK-NEXT: nnet3.sub_matrix %[[V]][2, 1] : memref<3x2xf32, strided<[4, 1], offset: 6>> to memref<1x1xf32, strided<[4, 1], offset: 15>>
  %w = nnet3.sub_matrix %v[2, 1] : memref<3x2xf32, strided<[4, 1], offset: 6>> to memref<1x1xf32, strided<[4, 1], offset: 15>>
  // CHECK-NEXT: nnet3.set_const
  nnet3.set_const %w, 0.0 : memref<1x1xf32, strided<[4, 1], offset: 15>>
  // CHECK-NEXT: %[[C:.*]] = nnet3.move_matrix %[[B]] : memref<6x4xf32>
  %c = nnet3.move_matrix %b : memref<6x4xf32>
  // CHECK-NEXT: %[[D:.*]] = nnet3.compress_matrix %[[C]] range 0.000000e+00 : memref<6x4xf32> -> !nnet3.compressed<6x4xsi16>
  %d = nnet3.compress_matrix %c range 0.0 : memref<6x4xf32> -> !nnet3.compressed<6x4xsi16>
  // CHECK-NEXT: %[[E:.*]] = nnet3.decompress_matrix %[[D]] : !nnet3.compressed<6x4xsi16> -> memref<6x4xf32>
  %e = nnet3.decompress_matrix %d : !nnet3.compressed<6x4xsi16> -> memref<6x4xf32>
  // CHECK-NEXT: nnet3.compress_matrix %[[E]] range 2.000000e+00 truncate
  %f = nnet3.compress_matrix %e range 2.0 truncate : memref<6x4xf32> -> !nnet3.compressed<6x4xui8>
  // CHECK-NEXT: nnet3.dealloc_matrix %[[A]] : memref<6x4xf32>
  nnet3.dealloc_matrix %a : memref<6x4xf32>
}
