// RUN: nnet3-opt --kernel-set-target=instruction-sets=neon --convert-nnet3-to-kernels --kernel-outline --convert-kernel-to-vector %s | FileCheck %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 8, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 4}
  nnet3.no_op @noop {dim = 4}
  nnet3.batch_norm @norm {dim = 4}
  nnet3.elementwise_product @product {input_dim = 8, output_dim = 4}
}

// What the packed weights are made of: panels, one vector wide, and the bias.
// CHECK: kernel.resources weights 48 layout [#kernel.packed<component = @net::@affine, part = panels, offset = 0, number = 4>, #kernel.packed<component = @net::@affine, part = bias, offset = 32>]
// CHECK-SAME: calls [#kernel.call<component = @net::@norm, input_rows = 3, output_rows = 3>]
// Rows of the input, and none; 0 is where zeros are.
// CHECK-SAME: row_tables <0, {{.*}}_{{.*}}>{{$}}

// CHECK: kernel.entry @all arena
// CHECK-LABEL: func.func @all
nnet3.computation @all for @net {
  // The zeros that stand for the missing row of the affine map come first.
  // CHECK: call @map_0
  // CHECK: call @gemm_1
  // CHECK: call @map_2
  // CHECK: call @map_3
  // CHECK: call @map_4
  // CHECK: call @run_component_5
  // CHECK: call @map_6
  // CHECK-NEXT: return
  %a = nnet3.accept_input "x" : memref<6x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  %w = nnet3.alloc_matrix_undefined : memref<3x8xf32>
  nnet3.fused_affine @net::@affine ins(%a, %a : memref<6x4xf32>, memref<6x4xf32>) rows [#nnet3.row_table<0:4:2>, #nnet3.row_table<_, 1:3:2>] columns [0, 4] bias epilogue [@net::@relu] outs(%b : memref<3x4xf32>)
  nnet3.set_const %w, 0.5 : memref<3x8xf32>
  nnet3.propagate @net::@product ins(%w : memref<3x8xf32>) outs(%b : memref<3x4xf32>)
  nnet3.propagate @net::@relu ins(%b : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  nnet3.propagate @net::@noop ins(%b : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  %c = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  nnet3.propagate @net::@norm ins(%b : memref<3x4xf32>) outs(%c : memref<3x4xf32>)
  nnet3.add_rows %a <_, 0:1> into %c : memref<6x4xf32> into memref<3x4xf32>
  nnet3.dealloc_matrix %a : memref<6x4xf32>
  nnet3.dealloc_matrix %w : memref<3x8xf32>
  nnet3.dealloc_matrix %b : memref<3x4xf32>
  nnet3.provide_output "y", %c : memref<3x4xf32>
}
