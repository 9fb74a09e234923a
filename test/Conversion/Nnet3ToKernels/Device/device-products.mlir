// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads %s | FileCheck %s
// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads --convert-nnet3-kernels-to-gpu --nnet3-gpu-to-nvvm --nnet3-nvvm-to-ptx=chip=sm_90 %s | FileCheck --check-prefix=PTX %s

// How products read rows at several times.

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<40>
  %z = nnet3.input_node "z" : !nnet3.rows<64>
  nnet3.output_node "y", %z : !nnet3.rows<64>
  %w = nnet3.input_node "w" : !nnet3.rows<2048>
  %v = nnet3.input_node "v" : !nnet3.rows<16>
  nnet3.output_node "u", %v : !nnet3.rows<16>
  nnet3.affine @affine {input_dim = 80, output_dim = 64}
  nnet3.affine @one {input_dim = 40, output_dim = 64}
  nnet3.affine @narrow {input_dim = 4096, output_dim = 16}
  nnet3.rectified_linear @relu {dim = 64}
}

// CHECK: kernel.entry @one_sequence arena 1384
// CHECK-LABEL: func.func @one_sequence
// CHECK: call @matmul_0
// CHECK-NEXT: return
nnet3.computation @one_sequence for @net {
  %a = nnet3.accept_input "x" : memref<8x40xf32>
  %b = nnet3.alloc_matrix_undefined : memref<7x64xf32>
  nnet3.fused_affine @net::@affine ins(%a, %a : memref<8x40xf32>, memref<8x40xf32>) rows [#nnet3.row_table<0:6>, #nnet3.row_table<1:7>] columns [0, 40] outs(%b : memref<7x64xf32>)
  nnet3.dealloc_matrix %a : memref<8x40xf32>
  nnet3.provide_output "y", %b : memref<7x64xf32>
}

// CHECK-LABEL: func.func @two_sequences
// CHECK: call @map_1
// CHECK: call @matmul_2
// CHECK-NEXT: return
nnet3.computation @two_sequences for @net {
  %a = nnet3.accept_input "x" : memref<8x40xf32>
  %b = nnet3.alloc_matrix_undefined : memref<6x64xf32>
  nnet3.fused_affine @net::@affine ins(%a, %a : memref<8x40xf32>, memref<8x40xf32>) rows [#nnet3.row_table<0:5>, #nnet3.row_table<2:7>] columns [0, 40] outs(%b : memref<6x64xf32>)
  nnet3.dealloc_matrix %a : memref<8x40xf32>
  nnet3.provide_output "y", %b : memref<6x64xf32>
}

// CHECK-LABEL: func.func @wide
// CHECK: call @matmul_3
// CHECK: call @matmul_4
// CHECK-NEXT: return
nnet3.computation @wide for @net {
  %a = nnet3.accept_input "w" : memref<2002x2048xf32>
  %b = nnet3.alloc_matrix_undefined : memref<2000x16xf32>
  nnet3.fused_affine @net::@narrow ins(%a, %a : memref<2002x2048xf32>, memref<2002x2048xf32>) rows [#nnet3.row_table<0:1999>, #nnet3.row_table<2:2001>] columns [0, 2048] outs(%b : memref<2000x16xf32>)
  nnet3.dealloc_matrix %a : memref<2002x2048xf32>
  nnet3.provide_output "u", %b : memref<2000x16xf32>
}

// CHECK-LABEL: func.func @one_row
// CHECK: call @gemv_5
// CHECK-NEXT: return
nnet3.computation @one_row for @net {
  %a = nnet3.accept_input "x" : memref<3x40xf32>
  %b = nnet3.alloc_matrix_undefined : memref<1x64xf32>
  nnet3.fused_affine @net::@one ins(%a : memref<3x40xf32>) rows [#nnet3.row_table<2:2>] columns [0] bias epilogue [@net::@relu] outs(%b : memref<1x64xf32>)
  nnet3.dealloc_matrix %a : memref<3x40xf32>
  nnet3.provide_output "y", %b : memref<1x64xf32>
}

// Much work: each thread takes four columns.
// CHECK-LABEL: func.func @much
// CHECK: call @map_8
// CHECK-NEXT: return
nnet3.computation @much for @net {
  %a = nnet3.accept_input "x" : memref<512x40xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<512x64xf32>
  %b = nnet3.alloc_matrix_undefined : memref<512x64xf32>
  nnet3.fused_affine @net::@one ins(%a : memref<512x40xf32>) rows [#nnet3.row_table<0:511>] columns [0] residual(%c : memref<512x64xf32>) outs(%b : memref<512x64xf32>)
  nnet3.dealloc_matrix %a : memref<512x40xf32>
  nnet3.dealloc_matrix %c : memref<512x64xf32>
  nnet3.provide_output "y", %b : memref<512x64xf32>
}

// The kernels stand behind the functions.

// Of one sequence, rows that follow each other are longer rows that overlap:
// every second one of them is a matrix of its own. The odd number of rows is
// rounded up: one more row is computed than there is, in the memory behind the
// output.
// CHECK: func.func private @matmul_0
// CHECK: kernel.matmul nt {{.*}} ins({{.*}} : memref<2x4x80xf32, strided<[40, 80, 1], {{.*}} outs({{.*}} : memref<2x4x64xf32, strided<[64, 128, 1],

// Of two sequences, they are copied side by side.
// CHECK: func.func private @map_1(
// CHECK: scf.parallel {{.*}} to (%c6
// CHECK: memref.store
// CHECK: func.func private @matmul_2
// CHECK: kernel.matmul nt {{.*}} ins({{.*}} : memref<1x6x80xf32, strided<[0, 80, 1],

// What is wide is multiplied where it is, one product after the other.
// CHECK: func.func private @matmul_3
// CHECK: kernel.matmul nt {{.*}} ins({{.*}} : memref<1x2000x2048xf32, {{.*}}>){{$}}
// CHECK: func.func private @matmul_4
// CHECK: kernel.matmul nt {{.*}} ins({{.*}} : memref<1x2000x2048xf32, {{.*}}>) beta 1.0

// One row is a kernel, a warp for each column.
// CHECK: func.func private @gemv_5
// CHECK-SAME: kernel.block = #kernel.block<threads = 32, warps = true
// CHECK: scf.parallel (%[[COLUMN:.*]]) = {{.*}} to (%c64
// CHECK: %[[SUM:.*]] = scf.parallel (%{{.*}}) = {{.*}} to (%c10
// CHECK: vector.load {{.*}} {alignment = 16 : i64}
// CHECK: math.fma
// CHECK: scf.parallel {{.*}} to (%c1_{{[0-9]*}})
// CHECK: arith.addf %[[SUM]]
// CHECK: arith.select
// CHECK: memref.store

// CHECK: func.func private @map_8
// CHECK: vector.load {{.*}} {alignment = 16 : i64}
// CHECK: vector.store {{.*}} {alignment = 16 : i64}

// PTX: gpu.binary @kernels
// PTX-SAME: .visible .entry gemv_5
// PTX-SAME: ld.global.v4.b32
// PTX-SAME: .visible .entry map_8
// PTX-SAME: st.global.v4.b32
