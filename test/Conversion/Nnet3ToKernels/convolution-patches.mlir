// RUN: nnet3-opt --nnet3-fuse-affine --kernel-set-target=instruction-sets=neon --convert-nnet3-to-kernels --kernel-outline --convert-kernel-to-vector %s | FileCheck %s
// RUN: nnet3-opt --nnet3-fuse-affine --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads %s | FileCheck %s --check-prefix=DEVICE

// The columns of a patch are 72 stretches of one: patches are put side by side,
// multiplied, on a device at once, and get their bias.
nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<128>
  %y = nnet3.component_node "conv" @conv(%x) : (!nnet3.rows<128>) -> !nnet3.rows<20>
  nnet3.output_node "y", %y : !nnet3.rows<20>
  nnet3.convolution @conv {filt_x_dim = 3, filt_y_dim = 3, filt_x_step = 1, filt_y_step = 1, input_vectorization_order = "yzx", input_x_dim = 4, input_y_dim = 4, input_z_dim = 8, num_filters = 5}
}

// CHECK: calls []
// CHECK-LABEL: func.func @whole
// CHECK: call @[[PATCHES:map_rows_[0-9]+]]
// CHECK-COUNT-4: call @[[PRODUCT:gemm_[0-9]+]]
// CHECK: call @[[BIAS:map_rows_[0-9]+]]
// CHECK: func.func private @[[PATCHES]]
// CHECK: memref.load %arg2{{.*}} : memref<{{.*}}xi32>
// The component adds to its output.
// CHECK: func.func private @[[PRODUCT]]
// CHECK: vector.load %arg0
// CHECK: func.func private @[[BIAS]]
// CHECK: vector.load %arg1

// DEVICE: layout [#kernel.packed<component = @net::@conv, part = vector, offset = 0>, #kernel.packed<component = @net::@conv, part = panels, offset = 32, number = 1>]
// DEVICE-SAME: calls []
// DEVICE-LABEL: func.func @whole
// DEVICE: call @map_rows_0
// DEVICE: call @matmul_1
// DEVICE: call @map_rows_2
// DEVICE: kernel.matmul nt {{.*}} ins({{.*}} : memref<4x2x72xf32, strided<[72, 288, 1], {{.*}} outs({{.*}} : memref<4x2x5xf32, strided<[5, 20, 1],
nnet3.computation @whole for @net {
  %a = nnet3.accept_input "x" : memref<2x128xf32>
  %b = nnet3.alloc_matrix_undefined : memref<2x20xf32>
  nnet3.propagate @net::@conv ins(%a : memref<2x128xf32>) outs(%b : memref<2x20xf32>)
  nnet3.dealloc_matrix %a : memref<2x128xf32>
  nnet3.provide_output "y", %b : memref<2x20xf32>
}
