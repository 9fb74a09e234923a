// RUN: nnet3-opt --nnet3-number-draws --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads %s | FileCheck %s

// What is first added to zeros is written, and there are no zeros then: neither
// for derivatives of matrices nor for gradients of parameters.

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  %y = nnet3.input_node "y" : !nnet3.rows<4>
  %z = nnet3.input_node "z" : !nnet3.rows<4>
  nnet3.output_node "out", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
  nnet3.fixed_scale @scale {dim = 4, scales = dense<2.0> : tensor<4xf32>}
  nnet3.tdnn @tdnn {input_dim = 4, output_dim = 4, time_offsets = array<i64: 0, 1>, use_bias = false}
}

// The same component twice, and the same derivative: the second command adds.
// CHECK-LABEL: func.func @twice
// CHECK-NOT: call @map
// CHECK: call @[[WRITE_WEIGHTS:matmul_[0-9]+]]
// CHECK: call @[[WRITE_INPUT:matmul_[0-9]+]]
// CHECK: call @[[WRITE_BIAS:reduce_rows_[0-9]+]]
// CHECK: call @[[ADD_WEIGHTS:matmul_[0-9]+]]
// CHECK: call @[[ADD_INPUT:matmul_[0-9]+]]
// CHECK: call @[[ADD_BIAS:reduce_rows_[0-9]+]]
// CHECK-NEXT: return
nnet3.computation @twice for @net {
  %x = nnet3.accept_input "x" : memref<3x4xf32>
  %dy = nnet3.accept_input "y" : memref<3x4xf32>
  %dz = nnet3.accept_input "z" : memref<3x4xf32>
  %dx = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  nnet3.backprop @net::@affine in_value(%x : memref<3x4xf32>) out_deriv(%dy : memref<3x4xf32>) in_deriv(%dx : memref<3x4xf32>) update
  nnet3.backprop @net::@affine in_value(%x : memref<3x4xf32>) out_deriv(%dz : memref<3x4xf32>) in_deriv(%dx : memref<3x4xf32>) update
  nnet3.provide_output "x", %dx : memref<3x4xf32>
}

// Of four rows the first product writes three; the second one, which adds,
// finds zeros in the fourth. Each writes its columns of the gradient.
// CHECK-LABEL: func.func @offsets
// CHECK: call @[[LAST_ROW:map_[0-9]+]]
// CHECK-NOT: call @map
// CHECK: call @[[WRITE_COLUMNS:matmul_[0-9]+]]
// CHECK: call @[[WRITE_COLUMNS]]
// CHECK: call @[[WRITE_ROWS:matmul_[0-9]+]]
// CHECK: call @[[ADD_ROWS:matmul_[0-9]+]]
// CHECK-NEXT: return
nnet3.computation @offsets for @net {
  %x = nnet3.accept_input "x" : memref<4x4xf32>
  %dy = nnet3.accept_input "y" : memref<3x4xf32>
  %dx = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  nnet3.backprop @net::@tdnn in_value(%x : memref<4x4xf32>) out_deriv(%dy : memref<3x4xf32>) in_deriv(%dx : memref<4x4xf32>) precomputed {row_offsets = array<i64: 0, 1>, row_stride = 1 : i64} update
  nnet3.provide_output "x", %dx : memref<4x4xf32>
}

// Rows that nobody writes, the first and the last one, stay zero; of others,
// something else is added first.
// CHECK-LABEL: func.func @needed
// CHECK: call @[[TWO_ROWS:map_[0-9]+]]({{.*}}, %c16{{[_0-9]*}}, %c32{{[_0-9]*}})
// CHECK: call @{{map_[0-9]+}}
// CHECK: call @[[WRITE_INPUT]]
// CHECK: call @{{map_[0-9]+}}
// CHECK: call @[[ADD_INPUT]]
// CHECK-NEXT: return
nnet3.computation @needed for @net {
  %dy = nnet3.accept_input "y" : memref<3x4xf32>
  %dx = nnet3.alloc_matrix_zeroed : memref<5x4xf32>
  %part = nnet3.sub_matrix %dx[1, 0] : memref<5x4xf32> to memref<3x4xf32, strided<[4, 1], offset: 4>>
  %dz = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  nnet3.backprop @net::@affine in_value(%dy : memref<3x4xf32>) out_deriv(%dy : memref<3x4xf32>) in_deriv(%part : memref<3x4xf32, strided<[4, 1], offset: 4>>)
  nnet3.matrix_add %dy into %dz : memref<3x4xf32> into memref<3x4xf32>
  nnet3.backprop @net::@affine in_value(%dy : memref<3x4xf32>) out_deriv(%dy : memref<3x4xf32>) in_deriv(%dz : memref<3x4xf32>)
  nnet3.provide_output "x", %dx : memref<5x4xf32>
  nnet3.provide_output "z", %dz : memref<3x4xf32>
}

// What a command reads that writes another matrix.
// CHECK-LABEL: func.func @read
// CHECK: call @{{map_[0-9]+}}
// CHECK-NOT: call @map
// CHECK: call @[[WRITE_INPUT]]
// CHECK-NEXT: return
nnet3.computation @read for @net {
  %x = nnet3.accept_input "x" : memref<3x4xf32>
  %dy = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  %dx = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  nnet3.backprop @net::@affine in_value(%x : memref<3x4xf32>) out_deriv(%dy : memref<3x4xf32>) in_deriv(%dx : memref<3x4xf32>)
  nnet3.provide_output "x", %dx : memref<3x4xf32>
}

// What a command in place reads, too: the derivative of an output that the
// request gives none for.
// CHECK-LABEL: func.func @in_place
// CHECK: call @{{map_[0-9]+}}(
// CHECK: call @{{map_rows_[0-9]+}}(
// CHECK-NEXT: return
nnet3.computation @in_place for @net {
  %d = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  nnet3.backprop @net::@scale out_deriv(%d : memref<3x4xf32>) in_deriv(%d : memref<3x4xf32>)
  nnet3.provide_output "x", %d : memref<3x4xf32>
}

// CHECK: func.func private @[[WRITE_WEIGHTS]](
// CHECK: kernel.matmul tn {{.*}}>){{$}}
// CHECK: func.func private @[[WRITE_INPUT]](
// CHECK: kernel.matmul nn {{.*}}>){{$}}
// CHECK: func.func private @[[WRITE_BIAS]](
// CHECK: func.func private @[[ADD_WEIGHTS]](
// CHECK: kernel.matmul tn {{.*}}>) beta 1.0
// CHECK: func.func private @[[ADD_INPUT]](
// CHECK: kernel.matmul nn {{.*}}>) beta 1.0
// CHECK: func.func private @[[ADD_BIAS]](
// CHECK: func.func private @[[LAST_ROW]](
// CHECK: func.func private @[[WRITE_COLUMNS]](
// CHECK: kernel.matmul {{.*}}>){{$}}
// CHECK: func.func private @[[WRITE_ROWS]](
// CHECK: kernel.matmul {{.*}}>){{$}}
// CHECK: func.func private @[[ADD_ROWS]](
// CHECK: kernel.matmul {{.*}}>) beta 1.0
// CHECK: func.func private @[[TWO_ROWS]](
// CHECK-SAME: %[[FIRST:[^:]*]]: index, %[[LAST:[^:]*]]: index)
// CHECK: %[[FIRST_ROW:[^ ]*]] = arith.addi %[[FIRST]],
// CHECK: %[[LAST_ROW:[^ ]*]] = arith.addi %[[LAST]],
// CHECK: %[[PLACE:[^ ]*]] = arith.addi %[[FIRST_ROW]],
// CHECK: memref.store %{{.*}}, %arg0[%[[PLACE]]]
// CHECK: %[[PLACE:[^ ]*]] = arith.addi %[[LAST_ROW]],
// CHECK: memref.store %{{.*}}, %arg0[%[[PLACE]]]
// CHECK-NOT: memref.store
// CHECK: return
