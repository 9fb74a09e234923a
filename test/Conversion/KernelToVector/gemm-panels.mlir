// RUN: nnet3-opt --kernel-set-target=instruction-sets=sse2 --convert-nnet3-to-kernels --kernel-outline --convert-kernel-to-vector %s | FileCheck %s

// Several tiles of rows and several panels of columns: while one panel is
// multiplied with, the next one is fetched.

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<8>
  nnet3.output_node "y", %x : !nnet3.rows<8>
  nnet3.linear @wide {input_dim = 8, output_dim = 48}
  nnet3.linear @narrow {input_dim = 48, output_dim = 8}
}

nnet3.computation @panels for @net {
  %a = nnet3.accept_input "x" : memref<20x8xf32>
  %b = nnet3.alloc_matrix_undefined : memref<20x48xf32>
  nnet3.fused_affine @net::@wide ins(%a : memref<20x8xf32>) rows [#nnet3.row_table<0:19>] columns [0] outs(%b : memref<20x48xf32>)
  nnet3.fused_affine @net::@narrow ins(%b : memref<20x48xf32>) rows [#nnet3.row_table<0:19>] columns [0] outs(%a : memref<20x8xf32>)
  %row = nnet3.sub_matrix %b[0, 0] : memref<20x48xf32> to memref<1x48xf32, strided<[48, 1]>>
  nnet3.fused_affine @net::@wide ins(%a : memref<20x8xf32>) rows [#nnet3.row_table<0>] columns [0] outs(%row : memref<1x48xf32, strided<[48, 1]>>)
  nnet3.dealloc_matrix %b : memref<20x48xf32>
  nnet3.provide_output "y", %a : memref<20x8xf32>
}

// The tiles ask for different vectors of it.
// CHECK-LABEL: func.func private @gemm_0
// CHECK:     arith.remui
// CHECK:     scf.for
// CHECK-NOT: arith.mulf
// CHECK:     memref.prefetch {{.*}} read, locality<2>
// CHECK:     arith.mulf

// There is no next panel.
// CHECK-LABEL: func.func private @gemm_1
// CHECK-NOT: locality<2>
// CHECK:     return

// One tile has no time for it.
// CHECK-LABEL: func.func private @gemm_2
// CHECK-NOT: locality<2>
// CHECK:     return
