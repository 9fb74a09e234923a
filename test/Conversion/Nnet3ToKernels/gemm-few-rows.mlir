// The fewest rows that weights are multiplied with are one tile if they are few:
// with AVX-512, seven rows have panels of three vectors, not four. All matmuls
// with these weights share the panels. Rows at distances of 4 KiB evict each
// other from a first-level cache: 45 of them have tiles of eight rows at most,
// where 45 others have tiles of nine. One row needs no other panels, and
// thirteen need three tiles anyway. With AVX2, a tile of seven rows would have
// one vector, which is too few.
// RUN: nnet3-opt --kernel-set-target=instruction-sets=avx512f --convert-nnet3-to-kernels %s | FileCheck %s
// RUN: nnet3-opt --kernel-set-target=instruction-sets=avx2 --convert-nnet3-to-kernels %s | FileCheck --check-prefix=AVX2 %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<1024>
  %s = nnet3.input_node "s" : !nnet3.rows<96>
  nnet3.output_node "y", %x : !nnet3.rows<1024>
  nnet3.output_node "z", %s : !nnet3.rows<96>
  nnet3.linear @apart {input_dim = 1024, output_dim = 1024}
  nnet3.linear @close {input_dim = 96, output_dim = 1024}
  nnet3.linear @one {input_dim = 96, output_dim = 1024}
  nnet3.linear @more {input_dim = 96, output_dim = 1024}
}

// CHECK-LABEL: func.func @few
// CHECK: memref<22x1024x48xf32,{{.*}} tile_rows 7
// CHECK: memref<22x96x48xf32,{{.*}} tile_rows 7
// CHECK: memref<16x96x64xf32,{{.*}} tile_rows 5
// AVX2-LABEL: func.func @few
// AVX2: memref<43x1024x24xf32,{{.*}} tile_rows 4
nnet3.computation @few for @net {
  %x = nnet3.accept_input "x" : memref<13x1024xf32>
  %s = nnet3.accept_input "s" : memref<13x96xf32>
  %y = nnet3.alloc_matrix_undefined : memref<7x1024xf32>
  nnet3.fused_affine @net::@apart ins(%x : memref<13x1024xf32>) rows [#nnet3.row_table<0:6>] columns [0] outs(%y : memref<7x1024xf32>)
  nnet3.fused_affine @net::@close ins(%s : memref<13x96xf32>) rows [#nnet3.row_table<0:6>] columns [0] outs(%y : memref<7x1024xf32>)
  nnet3.dealloc_matrix %y : memref<7x1024xf32>
  nnet3.fused_affine @net::@more ins(%s : memref<13x96xf32>) rows [#nnet3.row_table<0:12>] columns [0] outs(%x : memref<13x1024xf32>)
  nnet3.provide_output "y", %x : memref<13x1024xf32>
  nnet3.provide_output "z", %s : memref<13x96xf32>
}

// CHECK-LABEL: func.func @many
// CHECK: memref<22x1024x48xf32,{{.*}} tile_rows 8
// CHECK: memref<22x96x48xf32,{{.*}} tile_rows 9
// CHECK: memref<16x96x64xf32,{{.*}} tile_rows 6
// CHECK: memref<16x96x64xf32,{{.*}} tile_rows 1
nnet3.computation @many for @net {
  %x = nnet3.accept_input "x" : memref<45x1024xf32>
  %s = nnet3.accept_input "s" : memref<45x96xf32>
  %y = nnet3.alloc_matrix_undefined : memref<45x1024xf32>
  nnet3.fused_affine @net::@apart ins(%x : memref<45x1024xf32>) rows [#nnet3.row_table<0:44>] columns [0] outs(%y : memref<45x1024xf32>)
  nnet3.fused_affine @net::@close ins(%s : memref<45x96xf32>) rows [#nnet3.row_table<0:44>] columns [0] outs(%y : memref<45x1024xf32>)
  nnet3.fused_affine @net::@one ins(%s : memref<45x96xf32>) rows [#nnet3.row_table<0:44>] columns [0] outs(%y : memref<45x1024xf32>)
  %row = nnet3.sub_matrix %y[0, 0] : memref<45x1024xf32> to memref<1x1024xf32, strided<[1024, 1]>>
  nnet3.fused_affine @net::@one ins(%s : memref<45x96xf32>) rows [#nnet3.row_table<0>] columns [0] outs(%row : memref<1x1024xf32, strided<[1024, 1]>>)
  nnet3.dealloc_matrix %y : memref<45x1024xf32>
  nnet3.provide_output "y", %x : memref<45x1024xf32>
  nnet3.provide_output "z", %s : memref<45x96xf32>
}
