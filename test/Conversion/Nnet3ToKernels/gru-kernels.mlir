// RUN: nnet3-opt --kernel-set-target=instruction-sets=neon --convert-nnet3-to-kernels --kernel-outline --convert-kernel-to-vector %s | FileCheck %s
// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads %s | FileCheck %s --check-prefix=DEVICE

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<19>
  %z = nnet3.input_node "z" : !nnet3.rows<15>
  %y = nnet3.input_node "w" : !nnet3.rows<10>
  nnet3.output_node "y", %y : !nnet3.rows<10>
  nnet3.gru_nonlinearity @gru {cell_dim = 5, recurrent_dim = 2}
  nnet3.output_gru_nonlinearity @opgru {cell_dim = 5}
}

// CHECK: layout [#kernel.packed<component = @net::@gru, part = panels, {{.*}}, #kernel.packed<component = @net::@opgru, part = vector
// CHECK: calls []

// The gated part of the state goes behind the matrices, its product into the
// output, which the last kernel completes.
// CHECK-LABEL: func.func @gru
// CHECK: call @[[GATE:map_rows_[0-9]+]](%{{.*}}, %{{[^,)]*}}, %c96{{[^,)]*}}) :
// CHECK: call @[[PRODUCT:gemm_[0-9]+]]({{.*}}, %c96{{[^,)]*}}, %{{[^,)]*}}, %c64{{[^,)]*}}) :
// CHECK: call @[[CELL:map_rows_[0-9]+]](%{{.*}}, %{{[^,)]*}}, %c64{{[^,)]*}}) :
// CHECK-NEXT: return
nnet3.computation @gru for @net {
  %a = nnet3.accept_input "x" : memref<3x19xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x10xf32>
  nnet3.propagate @net::@gru ins(%a : memref<3x19xf32>) outs(%b : memref<3x10xf32>)
  nnet3.dealloc_matrix %a : memref<3x19xf32>
  nnet3.provide_output "y", %b : memref<3x10xf32>
}

// CHECK-LABEL: func.func @opgru
// CHECK: call @[[BLOCKS:map_[0-9]+]]
// CHECK-NEXT: return
nnet3.computation @opgru for @net {
  %a = nnet3.accept_input "z" : memref<3x15xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x10xf32>
  nnet3.propagate @net::@opgru ins(%a : memref<3x15xf32>) outs(%b : memref<3x10xf32>)
  nnet3.dealloc_matrix %a : memref<3x15xf32>
  nnet3.provide_output "y", %b : memref<3x10xf32>
}

// CHECK: func.func private @[[GATE]]
// CHECK: arith.mulf {{.*}} : vector<2xf32>
// CHECK: func.func private @[[CELL]]
// CHECK: math.tanh {{.*}} : vector<4xf32>
// CHECK: math.fma
// CHECK: func.func private @[[BLOCKS]]
// CHECK: math.tanh

// DEVICE-LABEL: func.func @gru
// DEVICE: call @map_rows_
// DEVICE: call @[[PRODUCT:matmul_[0-9]+]]
// DEVICE: call @map_rows_
// DEVICE-NEXT: return
// DEVICE: func.func private @[[PRODUCT]](
// DEVICE: kernel.matmul nt weights({{.*}} : memref<5x2xf32,
