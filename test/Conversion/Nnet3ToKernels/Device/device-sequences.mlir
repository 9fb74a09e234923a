// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads %s | FileCheck %s
// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads --convert-nnet3-kernels-to-gpu %s | FileCheck --check-prefix=GPU %s

// What small kernels do to the same rows and columns, one launch does.

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<20>
  nnet3.output_node "y", %x : !nnet3.rows<20>
  %c = nnet3.input_node "c" : !nnet3.rows<4>
  %z = nnet3.input_node "z" : !nnet3.rows<8>
  nnet3.output_node "v", %z : !nnet3.rows<8>
  nnet3.lstm_nonlinearity @lstm {cell_dim = 4}
}

// The state is copied to the other gates, where the nonlinearity reads it: a
// thread that has copied its part has it.
// CHECK-LABEL: func.func @step
// CHECK: call @map_0
// CHECK-NEXT: return
nnet3.computation @step for @net {
  %x = nnet3.accept_input "x" : memref<3x20xf32>
  %c = nnet3.accept_input "c" : memref<3x4xf32>
  %y = nnet3.alloc_matrix_undefined : memref<3x8xf32>
  %state = nnet3.sub_matrix %x[0, 16] : memref<3x20xf32> to memref<3x4xf32, strided<[20, 1], offset: 16>>
  nnet3.matrix_copy %c into %state : memref<3x4xf32> into memref<3x4xf32, strided<[20, 1], offset: 16>>
  nnet3.propagate @net::@lstm ins(%x : memref<3x20xf32>) outs(%y : memref<3x8xf32>)
  nnet3.dealloc_matrix %x : memref<3x20xf32>
  nnet3.dealloc_matrix %c : memref<3x4xf32>
  nnet3.provide_output "v", %y : memref<3x8xf32>
}

// Rows that move are another matter: a block would read what another one has
// not written yet.
// CHECK-LABEL: func.func @moved
// CHECK: call @map_{{[0-9]+}}
// CHECK-NEXT: arith.constant
// CHECK: call @map_{{[0-9]+}}
// CHECK-NEXT: return
nnet3.computation @moved for @net {
  %x = nnet3.accept_input "x" : memref<4x20xf32>
  %y = nnet3.alloc_matrix_undefined : memref<4x20xf32>
  %first = nnet3.sub_matrix %x[0, 0] : memref<4x20xf32> to memref<2x20xf32, strided<[20, 1]>>
  %second = nnet3.sub_matrix %y[0, 0] : memref<4x20xf32> to memref<2x20xf32, strided<[20, 1]>>
  %middle = nnet3.sub_matrix %y[1, 0] : memref<4x20xf32> to memref<2x20xf32, strided<[20, 1], offset: 20>>
  %last = nnet3.sub_matrix %y[2, 0] : memref<4x20xf32> to memref<2x20xf32, strided<[20, 1], offset: 40>>
  nnet3.matrix_copy %first into %second : memref<2x20xf32, strided<[20, 1]>> into memref<2x20xf32, strided<[20, 1]>>
  nnet3.matrix_copy %middle into %last : memref<2x20xf32, strided<[20, 1], offset: 20>> into memref<2x20xf32, strided<[20, 1], offset: 40>>
  nnet3.dealloc_matrix %x : memref<4x20xf32>
  nnet3.provide_output "y", %y : memref<4x20xf32>
}

// Rows in descending order are read where another block writes them.
// CHECK-LABEL: func.func @descending
// CHECK: call @map_{{[0-9]+}}
// CHECK: call @map_{{[0-9]+}}
// CHECK: return
nnet3.computation @descending for @net {
  %x = nnet3.accept_input "x" : memref<4x20xf32>
  %m = nnet3.alloc_matrix_zeroed : memref<6x20xf32>
  %y = nnet3.alloc_matrix_undefined : memref<4x20xf32>
  %first = nnet3.sub_matrix %m[0, 0] : memref<6x20xf32> to memref<4x20xf32, strided<[20, 1]>>
  nnet3.matrix_copy %x into %first : memref<4x20xf32> into memref<4x20xf32, strided<[20, 1]>>
  nnet3.copy_rows %m <5, 4, 3, 2> into %y : memref<6x20xf32> into memref<4x20xf32>
  nnet3.dealloc_matrix %x : memref<4x20xf32>
  nnet3.dealloc_matrix %m : memref<6x20xf32>
  nnet3.provide_output "y", %y : memref<4x20xf32>
}

// CHECK: func.func private @map_0
// CHECK: scf.parallel
// CHECK: scf.parallel
// CHECK: %[[STATE:.*]] = memref.load
// CHECK: math.fma {{.*}}, %[[STATE]]
// CHECK: memref.store %[[STATE]]
// CHECK-NOT: scf.parallel
// CHECK: return

// Nobody waits.
// GPU: gpu.func @map_0
// GPU-NOT: gpu.barrier
// GPU: gpu.return
