// RUN: nnet3-opt --kernel-set-target=instruction-sets=avx2 --convert-nnet3-to-kernels --kernel-outline --convert-kernel-to-vector %s | FileCheck %s
// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads %s | FileCheck %s --check-prefix=DEVICE

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<84>
  %z = nnet3.input_node "z" : !nnet3.rows<32>
  nnet3.output_node "y", %z : !nnet3.rows<32>
  nnet3.restricted_attention @attention {key_dim = 13, num_heads = 2, num_left_inputs = 1, num_right_inputs = 2, time_stride = 1, value_dim = 12}
}

// CHECK: calls []
// CHECK-LABEL: func.func @attend
// CHECK: call @[[ROW:map_rows_[0-9]+]]
nnet3.computation @attend for @net {
  %a = nnet3.accept_input "x" : memref<8x84xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<5x32xf32>
  nnet3.propagate @net::@attention ins(%a : memref<8x84xf32>) outs(%b : memref<5x32xf32>) precomputed {row_shift = 1 : i64}
  nnet3.dealloc_matrix %a : memref<8x84xf32>
  nnet3.provide_output "y", %b : memref<5x32xf32>
}

// Rows, then heads. The products of the query and the keys of four frames, one
// vector and what is left of 13 columns each, the softmax as one vector, then
// the sums of values.
// CHECK: func.func private @[[ROW]]
// CHECK: scf.for
// CHECK: scf.for
// CHECK-COUNT-4: math.fma {{.*}} : vector<8xf32>
// CHECK-COUNT-4: math.fma {{.*}} : vector<5xf32>
// CHECK: arith.addf {{.*}} : vector<4xf32>
// CHECK: vector.from_elements {{.*}} : vector<4xf32>
// CHECK: math.exp {{.*}} : vector<4xf32>
// CHECK-COUNT-4: math.fma {{.*}} : vector<8xf32>
// CHECK-COUNT-4: math.fma {{.*}} : vector<4xf32>
// CHECK: return

// A block of threads for each head of each row.
// DEVICE: func.func private @map_rows_{{.*}}kernel.block = #kernel.block<threads = 32
// DEVICE: scf.parallel (%{{.*}}, %{{.*}}) = {{.*}} to (%c5, %c2)
// DEVICE-COUNT-4: scf.parallel {{.*}} init
// DEVICE-COUNT-4: math.exp
// DEVICE: scf.parallel
// DEVICE-COUNT-4: math.fma
// DEVICE: memref.store
