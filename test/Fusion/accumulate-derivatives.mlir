// RUN: nnet3-opt --nnet3-accumulate-derivatives %s | FileCheck %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  %y = nnet3.input_node "y" : !nnet3.rows<4>
  nnet3.output_node "out", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
  nnet3.tanh @tanh {dim = 4}
}

// Three nodes read one node: two of them add to the derivative of the first.
// CHECK-LABEL: nnet3.computation @sums
// CHECK: %[[DY:.*]] = nnet3.accept_input "y"
// CHECK-NEXT: %[[SUM:.*]] = nnet3.alloc_matrix_zeroed
// CHECK-NEXT: nnet3.matrix_copy %[[DY]] into %[[SUM]]
// CHECK-NEXT: nnet3.backprop @net::@affine {{.*}} in_deriv(%[[SUM]] : memref<3x4xf32>)
// CHECK: %[[ROWS:.*]] = nnet3.sub_matrix %[[SUM]][1, 0]
// CHECK-NEXT: nnet3.backprop @net::@affine {{.*}} in_deriv(%[[ROWS]] : memref<2x4xf32, strided<[4, 1], offset: 4>>)
// CHECK-NOT: nnet3.matrix_add
// CHECK: nnet3.provide_output "x", %[[SUM]]
nnet3.computation @sums for @net {
  %dy = nnet3.accept_input "y" : memref<3x4xf32>
  %sum = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  nnet3.matrix_copy %dy into %sum : memref<3x4xf32> into memref<3x4xf32>
  %a = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  nnet3.backprop @net::@affine in_value(%dy : memref<3x4xf32>) out_deriv(%dy : memref<3x4xf32>) in_deriv(%a : memref<3x4xf32>)
  nnet3.matrix_add %a into %sum : memref<3x4xf32> into memref<3x4xf32>
  nnet3.dealloc_matrix %a : memref<3x4xf32>
  %rows = nnet3.sub_matrix %dy[0, 0] : memref<3x4xf32> to memref<2x4xf32, strided<[4, 1]>>
  %b = nnet3.alloc_matrix_zeroed : memref<2x4xf32>
  nnet3.backprop @net::@affine in_value(%rows : memref<2x4xf32, strided<[4, 1]>>) out_deriv(%rows : memref<2x4xf32, strided<[4, 1]>>) in_deriv(%b : memref<2x4xf32>)
  %part = nnet3.sub_matrix %sum[1, 0] : memref<3x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 4>>
  nnet3.matrix_add %b into %part : memref<2x4xf32> into memref<2x4xf32, strided<[4, 1], offset: 4>>
  nnet3.dealloc_matrix %b : memref<2x4xf32>
  nnet3.provide_output "x", %sum : memref<3x4xf32>
}

// The sum is read before the addition.
// CHECK-LABEL: nnet3.computation @read_between
// CHECK: nnet3.matrix_add
nnet3.computation @read_between for @net {
  %dy = nnet3.accept_input "y" : memref<3x4xf32>
  %sum = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  nnet3.matrix_copy %dy into %sum : memref<3x4xf32> into memref<3x4xf32>
  %a = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  nnet3.backprop @net::@affine in_value(%dy : memref<3x4xf32>) out_deriv(%dy : memref<3x4xf32>) in_deriv(%a : memref<3x4xf32>)
  nnet3.matrix_copy %sum into %dy : memref<3x4xf32> into memref<3x4xf32>
  nnet3.matrix_add %a into %sum : memref<3x4xf32> into memref<3x4xf32>
  nnet3.dealloc_matrix %a : memref<3x4xf32>
  nnet3.provide_output "x", %sum : memref<3x4xf32>
}

// The component reads the sum.
// CHECK-LABEL: nnet3.computation @derivative_of_itself
// CHECK: nnet3.matrix_add
nnet3.computation @derivative_of_itself for @net {
  %sum = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  nnet3.set_const %sum, 1.0 : memref<3x4xf32>
  %a = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  nnet3.backprop @net::@affine in_value(%sum : memref<3x4xf32>) out_deriv(%sum : memref<3x4xf32>) in_deriv(%a : memref<3x4xf32>)
  nnet3.matrix_add %a into %sum : memref<3x4xf32> into memref<3x4xf32>
  nnet3.dealloc_matrix %a : memref<3x4xf32>
  nnet3.provide_output "x", %sum : memref<3x4xf32>
}

// The sum does not exist yet.
// CHECK-LABEL: nnet3.computation @allocated_later
// CHECK: nnet3.matrix_add
nnet3.computation @allocated_later for @net {
  %dy = nnet3.accept_input "y" : memref<3x4xf32>
  %a = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  nnet3.backprop @net::@affine in_value(%dy : memref<3x4xf32>) out_deriv(%dy : memref<3x4xf32>) in_deriv(%a : memref<3x4xf32>)
  %sum = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  nnet3.matrix_add %a into %sum : memref<3x4xf32> into memref<3x4xf32>
  nnet3.dealloc_matrix %a : memref<3x4xf32>
  nnet3.provide_output "x", %sum : memref<3x4xf32>
}

// The derivative is read twice, or multiplied.
// CHECK-LABEL: nnet3.computation @other_uses
// CHECK-COUNT-3: nnet3.matrix_add
nnet3.computation @other_uses for @net {
  %dy = nnet3.accept_input "y" : memref<3x4xf32>
  %sum = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  nnet3.matrix_copy %dy into %sum : memref<3x4xf32> into memref<3x4xf32>
  %a = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  nnet3.backprop @net::@affine in_value(%dy : memref<3x4xf32>) out_deriv(%dy : memref<3x4xf32>) in_deriv(%a : memref<3x4xf32>)
  nnet3.matrix_add %a into %sum : memref<3x4xf32> into memref<3x4xf32>
  nnet3.matrix_add %a into %sum : memref<3x4xf32> into memref<3x4xf32>
  nnet3.dealloc_matrix %a : memref<3x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  nnet3.backprop @net::@affine in_value(%dy : memref<3x4xf32>) out_deriv(%dy : memref<3x4xf32>) in_deriv(%b : memref<3x4xf32>)
  nnet3.matrix_add %b into %sum alpha 2.0 : memref<3x4xf32> into memref<3x4xf32>
  nnet3.dealloc_matrix %b : memref<3x4xf32>
  nnet3.provide_output "x", %sum : memref<3x4xf32>
}

// A component that overwrites the derivative.
// CHECK-LABEL: nnet3.computation @overwrites
// CHECK: nnet3.matrix_add
nnet3.computation @overwrites for @net {
  %y = nnet3.accept_input "x" : memref<3x4xf32>
  %dy = nnet3.accept_input "y" : memref<3x4xf32>
  %sum = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  nnet3.matrix_copy %dy into %sum : memref<3x4xf32> into memref<3x4xf32>
  %a = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  nnet3.backprop @net::@tanh out_value(%y : memref<3x4xf32>) out_deriv(%dy : memref<3x4xf32>) in_deriv(%a : memref<3x4xf32>)
  nnet3.matrix_add %a into %sum : memref<3x4xf32> into memref<3x4xf32>
  nnet3.dealloc_matrix %a : memref<3x4xf32>
  nnet3.provide_output "x", %sum : memref<3x4xf32>
}
