// RUN: nnet3-opt --kernel-set-target=instruction-sets=avx2 --convert-nnet3-to-kernels --kernel-outline --convert-kernel-to-vector %s | FileCheck %s
// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads %s | FileCheck %s --check-prefix=DEVICE

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<11>
  %m = nnet3.input_node "m" : !nnet3.rows<23>
  nnet3.output_node "y", %m : !nnet3.rows<23>
  nnet3.statistics_extraction @extraction {input_dim = 11}
  nnet3.statistics_pooling @pooling {input_dim = 23, left_context = 1, num_log_count_features = 1, output_stddevs = true, right_context = 1}
}

// Nothing is left to the runtime.
// CHECK: calls []

// One frame after the other: no table.
// CHECK-LABEL: func.func @frames
// CHECK: call @[[FRAMES:map_rows_[0-9]+]]({{[^)]*}}) : ({{.*}}!llvm.ptr, index, index) -> ()
nnet3.computation @frames for @net {
  %a = nnet3.accept_input "x" : memref<4x11xf32>
  %b = nnet3.alloc_matrix_undefined : memref<4x23xf32>
  nnet3.propagate @net::@extraction ins(%a : memref<4x11xf32>) outs(%b : memref<4x23xf32>) precomputed {begins = #nnet3.row_table<0:3>, ends = #nnet3.row_table<1:4>}
  nnet3.dealloc_matrix %a : memref<4x11xf32>
  nnet3.provide_output "y", %b : memref<4x23xf32>
}

// At the borders there are fewer frames: tables of first rows and of numbers.
// CHECK-LABEL: func.func @borders
// CHECK: call @[[BORDERS:map_rows_[0-9]+]]({{[^)]*}}) : ({{.*}}!llvm.ptr, index, index, index) -> ()
nnet3.computation @borders for @net {
  %a = nnet3.accept_input "m" : memref<6x23xf32>
  %b = nnet3.alloc_matrix_undefined : memref<6x23xf32>
  nnet3.propagate @net::@pooling ins(%a : memref<6x23xf32>) outs(%b : memref<6x23xf32>) precomputed {begins = #nnet3.row_table<0, 0, 1, 3, 3, 4>, ends = #nnet3.row_table<2, 3, 3, 5, 6, 6>}
  nnet3.dealloc_matrix %a : memref<6x23xf32>
  nnet3.provide_output "y", %b : memref<6x23xf32>
}

// Without a loop over one row. The squares are f64.
// CHECK: func.func private @[[FRAMES]]
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: %[[X:.*]] = vector.load {{.*}} vector<8xf32>
// CHECK: %[[WIDE:.*]] = arith.extf %[[X]] : vector<8xf32> to vector<8xf64>
// CHECK: arith.mulf %[[WIDE]], %[[WIDE]]
// CHECK: vector.store

// CHECK: func.func private @[[BORDERS]]
// CHECK: memref.load {{.*}}xi32>
// CHECK: memref.load {{.*}}xi32>
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (f64)
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<8xf64>)
// CHECK-COUNT-3: arith.addf {{.*}} : vector<8xf32>
// CHECK: arith.extf {{.*}} : vector<8xf32> to vector<8xf64>
// CHECK-NEXT: arith.addf {{.*}} : vector<8xf64>
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<8xf64>)
// CHECK: math.sqrt {{.*}} : vector<8xf64>

// DEVICE-LABEL: func.func @borders
// DEVICE: call @[[POOL:map_rows_[0-9]+]]
// DEVICE: func.func private @[[POOL]]({{.*}}kernel.block = #kernel.block<threads = 32
// DEVICE: scf.parallel
// DEVICE: scf.for {{.*}} -> (f64)
// DEVICE: math.log
// DEVICE: scf.parallel
// DEVICE: scf.for {{.*}} -> (f64)
// DEVICE: math.sqrt {{.*}} : f64
