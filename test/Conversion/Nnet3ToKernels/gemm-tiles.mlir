// The tile of a matmul is chosen for the target: rows of the output by panels
// of columns. 50 rows are ten tiles of five rather than eight of six and a rest
// of few sums. Scalable vectors have the panels of vectors of 512 bits.
// RUN: nnet3-opt --kernel-set-target=instruction-sets=sse2 --convert-nnet3-to-kernels %s | FileCheck --check-prefix=SSE2 %s
// RUN: nnet3-opt --kernel-set-target=instruction-sets=avx2 --convert-nnet3-to-kernels %s | FileCheck --check-prefix=AVX2 %s
// RUN: nnet3-opt --kernel-set-target=instruction-sets=avx512f --convert-nnet3-to-kernels %s | FileCheck --check-prefix=AVX512 %s
// RUN: nnet3-opt --kernel-set-target=instruction-sets=neon --convert-nnet3-to-kernels %s | FileCheck --check-prefix=NEON %s
// RUN: nnet3-opt --kernel-set-target=instruction-sets=rvv --convert-nnet3-to-kernels %s | FileCheck --check-prefix=RVV %s
// RUN: nnet3-opt --kernel-set-target=instruction-sets=simd128 --convert-nnet3-to-kernels %s | FileCheck --check-prefix=WASM %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<96>
  nnet3.output_node "y", %x : !nnet3.rows<96>
  nnet3.linear @wide {input_dim = 96, output_dim = 512}
  nnet3.linear @narrow {input_dim = 512, output_dim = 96}
}

// SSE2: memref<64x96x8xf32,{{.*}} tile_rows 5
// SSE2: memref<8x512x12xf32,{{.*}} tile_rows 3
// AVX2: memref<32x96x16xf32,{{.*}} tile_rows 5
// AVX2: memref<4x512x24xf32,{{.*}} tile_rows 4
// AVX512: memref<8x96x64xf32,{{.*}} tile_rows 6
// AVX512: memref<1x512x96xf32,{{.*}} tile_rows 4
// NEON: memref<32x96x16xf32,{{.*}} tile_rows 5
// NEON: memref<6x512x16xf32,{{.*}} tile_rows 5
// RVV: memref<8x96x64xf32,{{.*}} tile_rows 6
// RVV: memref<1x512x96xf32,{{.*}} tile_rows 4
// WASM: memref<64x96x8xf32,{{.*}} tile_rows 4
// WASM: memref<12x512x8xf32,{{.*}} tile_rows 4
nnet3.computation @run for @net {
  %a = nnet3.accept_input "x" : memref<50x96xf32>
  %b = nnet3.alloc_matrix_undefined : memref<50x512xf32>
  nnet3.fused_affine @net::@wide ins(%a : memref<50x96xf32>) rows [#nnet3.row_table<0:49>] columns [0] outs(%b : memref<50x512xf32>)
  nnet3.fused_affine @net::@narrow ins(%b : memref<50x512xf32>) rows [#nnet3.row_table<0:49>] columns [0] outs(%a : memref<50x96xf32>)
  nnet3.dealloc_matrix %b : memref<50x512xf32>
  nnet3.provide_output "y", %a : memref<50x96xf32>
}
