// A pass that changes nothing leaves the analysis valid; one that changes
// something does not, unless it brings the analysis up to date.
// DEFINE: %{passes} = \
// DEFINE:   nnet3-test-command-analysis{cached=true}, \
// DEFINE:   nnet3-consolidate-model-update,nnet3-test-command-analysis{cached=true}, \
// DEFINE:   nnet3-convert-addition,nnet3-test-command-analysis{cached=true}, \
// DEFINE:   nnet3-snip-row-ops,nnet3-test-command-analysis{cached=true}, \
// DEFINE:   nnet3-split-row-ops,nnet3-test-command-analysis{cached=true}, \
// DEFINE:   nnet3-replace-row-ops,nnet3-test-command-analysis{cached=true}, \
// DEFINE:   nnet3-extend-matrices,nnet3-test-command-analysis{cached=true}, \
// DEFINE:   nnet3-merge-variables,nnet3-test-command-analysis{cached=true}, \
// DEFINE:   nnet3-remove-unnecessary-zeroing,nnet3-test-command-analysis{cached=true}, \
// DEFINE:   nnet3-move-sizing-commands,nnet3-test-command-analysis{cached=true}, \
// DEFINE:   nnet3-remove-unnecessary-allocation,nnet3-test-command-analysis{cached=true}, \
// DEFINE:   nnet3-remove-no-ops,nnet3-test-command-analysis{cached=true}, \
// DEFINE:   nnet3-renumber,nnet3-test-command-analysis{cached=true}
// RUN: split-file %s %t
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-check-computation,%{passes}))' %t/unchanged.mlir -o /dev/null | FileCheck %s --check-prefix=SAME
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(%{passes}))' %t/changed.mlir -o /dev/null | FileCheck %s --check-prefix=NEW

// What is brought up to date is what a new analysis finds.
// DEFINE: %{file} = %t/changed.mlir
// DEFINE: %{updated} = nnet3-convert-addition,nnet3-merge-variables,nnet3-remove-unnecessary-zeroing
// DEFINE: %{compare} = \
// DEFINE:   nnet3-opt --mlir-disable-threading --pass-pipeline='builtin.module(nnet3.computation(%{updated},nnet3-test-command-analysis))' %{file} -o /dev/null > %t/updated.txt && \
// DEFINE:   nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(%{updated}))' %{file} -o %t/updated.mlir && \
// DEFINE:   nnet3-opt --mlir-disable-threading --pass-pipeline='builtin.module(nnet3.computation(nnet3-test-command-analysis))' %t/updated.mlir -o /dev/null > %t/new.txt && \
// DEFINE:   diff %t/updated.txt %t/new.txt
// RUN: %{compare}
// REDEFINE: %{file} = %S/merge-variables.mlir
// RUN: %{compare}
// REDEFINE: %{updated} = nnet3-remove-unnecessary-zeroing
// RUN: %{compare}
// REDEFINE: %{file} = %S/consolidate-and-extend.mlir
// REDEFINE: %{updated} = nnet3-consolidate-model-update,nnet3-convert-addition,nnet3-extend-matrices,nnet3-merge-variables,nnet3-remove-unnecessary-zeroing
// RUN: %{compare}

// SAME-COUNT-13: analysis is cached
// SAME-NOT: analysis

//--- unchanged.mlir
nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %a1 = nnet3.sub_matrix %a[0, 0] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1]>>
  %b = nnet3.alloc_matrix_undefined : memref<2x4xf32>
  nnet3.propagate @net::@affine ins(%a1 : memref<2x4xf32, strided<[4, 1]>>) outs(%b : memref<2x4xf32>)
  nnet3.dealloc_matrix %a : memref<4x4xf32>
  nnet3.provide_output "y", %b : memref<2x4xf32>
}

// NEW-COUNT-7: analysis is new
// NEW-COUNT-2: analysis is cached
// NEW-COUNT-4: analysis is new
// NEW-NOT: analysis

//--- changed.mlir
nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.output_node "w", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
}
nnet3.computation @c for @net need_model_derivative {
  %x = nnet3.accept_input "x" : memref<5x4xf32>
  %p = nnet3.alloc_matrix_zeroed : memref<5x4xf32>
  %q = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %r = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %s = nnet3.alloc_matrix_zeroed : memref<5x4xf32>
  %unused = nnet3.alloc_matrix_zeroed : memref<1x1xf32>
  nnet3.propagate @net::@affine ins(%x : memref<5x4xf32>) outs(%p : memref<5x4xf32>)
  nnet3.propagate @net::@affine ins(%p : memref<5x4xf32>) outs(%s : memref<5x4xf32>)
  %p1 = nnet3.sub_matrix %p[0, 0] : memref<5x4xf32> to memref<4x4xf32, strided<[4, 1]>>
  nnet3.matrix_add %p1 into %q : memref<4x4xf32, strided<[4, 1]>> into memref<4x4xf32>
  nnet3.propagate @net::@affine ins(%q : memref<4x4xf32>) outs(%r : memref<4x4xf32>)
  nnet3.add_rows %p <_, 0:2> into %r : memref<5x4xf32> into memref<4x4xf32>
  nnet3.add_rows_multi [%p, %q] <0:1, 0:1 of 1> into %r : memref<5x4xf32>, memref<4x4xf32> into memref<4x4xf32>
  nnet3.provide_output "y", %r : memref<4x4xf32>
  nnet3.provide_output "w", %s : memref<5x4xf32>
  nnet3.no_operation
  nnet3.no_operation_marker
  %d = nnet3.accept_input "y" : memref<4x4xf32>
  nnet3.backprop @net::@affine in_value(%q : memref<4x4xf32>) out_deriv(%d : memref<4x4xf32>) update
  nnet3.backprop @net::@affine in_value(%p1 : memref<4x4xf32, strided<[4, 1]>>) out_deriv(%d : memref<4x4xf32>) update
  nnet3.dealloc_matrix %x : memref<5x4xf32>
  nnet3.dealloc_matrix %p : memref<5x4xf32>
  nnet3.dealloc_matrix %q : memref<4x4xf32>
  nnet3.dealloc_matrix %d : memref<4x4xf32>
  nnet3.dealloc_matrix %unused : memref<1x1xf32>
}
