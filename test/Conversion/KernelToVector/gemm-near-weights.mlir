// RUN: nnet3-opt --kernel-set-target=cpu=x86-64-v4 --convert-nnet3-to-kernels --kernel-outline --convert-kernel-to-vector %s | FileCheck %s

// A single tile of several rows fetches the weights that it multiplies soon, to
// the first-level cache.

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<8>
  %n = nnet3.component_node "n" @wide(%x) : (!nnet3.rows<8>) -> !nnet3.rows<48>
  nnet3.output_node "y", %n : !nnet3.rows<48>
  nnet3.linear @wide {input_dim = 8, output_dim = 48}
}

// CHECK-LABEL: func.func private @gemm_0
// CHECK: %[[DISTANCE:.*]] = arith.constant 2048 : index
// CHECK: %[[AHEAD:.*]] = arith.addi %{{.*}}, %[[DISTANCE]]
// CHECK: memref.prefetch %{{.*}}[%[[AHEAD]]], read, locality<3>
nnet3.computation @tile for @net {
  %a = nnet3.accept_input "x" : memref<7x8xf32>
  %b = nnet3.alloc_matrix_undefined : memref<7x48xf32>
  nnet3.fused_affine @net::@wide ins(%a : memref<7x8xf32>) rows [#nnet3.row_table<0:6>] columns [0] outs(%b : memref<7x48xf32>)
  nnet3.provide_output "y", %b : memref<7x48xf32>
}
