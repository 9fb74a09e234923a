// RUN: nnet3-opt --kernel-set-target=instruction-sets=sse2 --convert-nnet3-to-kernels --kernel-outline --convert-kernel-to-vector %s | FileCheck %s

// Commands that write rows here and there, and that sum rows up.

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}

// Where each row is: row 1 of the second matrix, nowhere, row 0 of the first;
// then the first rows of the sums, and the numbers of their rows, of which the
// second has none.
// CHECK: kernel.resources {{.*}} row_tables <36, _, 16, 2 x 0, 2:0:-2>

// CHECK-LABEL: func.func @rows
nnet3.computation @rows for @net {
  // CHECK: call @[[COPY:map_[0-9]]]
  // CHECK: call @[[SUM:map_rows_[0-9]]]
  // CHECK-NEXT: return
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<2x4xf32>
  %c = nnet3.alloc_matrix_undefined : memref<2x4xf32>
  nnet3.copy_to_rows_multi %a into [%b, %c] <1 of 1, _, 0> : memref<3x4xf32> into memref<2x4xf32>, memref<2x4xf32>
  nnet3.add_row_ranges %a begin <0, _> end <2, _> into %b alpha 0.5 : memref<3x4xf32> into memref<2x4xf32>
  nnet3.dealloc_matrix %b : memref<2x4xf32>
  nnet3.dealloc_matrix %c : memref<2x4xf32>
  nnet3.provide_output "y", %a : memref<3x4xf32>
}

// A row goes where the table says, unless it says nowhere.
// CHECK: func.func private @[[COPY]](%[[ARENA:arg0]]: {{.*}}, %[[TABLES:arg2]]: {{.*}}, %[[SOURCE:arg4]]: index, %[[TABLE:arg5]]: index)
// CHECK: scf.for %[[ROW:.*]] =
// CHECK-NEXT: %[[ENTRY:.*]] = arith.addi %[[TABLE]], %[[ROW]]
// CHECK-NEXT: memref.load %[[TABLES]][%[[ENTRY]]]
// CHECK-NEXT: %[[TO:.*]] = arith.index_cast
// CHECK: %[[IS_THERE:.*]] = arith.cmpi sge, %[[TO]]
// CHECK: scf.if %[[IS_THERE]]
// CHECK: %[[VALUE:.*]] = vector.load %[[ARENA]]
// CHECK-NOT: arith.addf
// CHECK: vector.store %[[VALUE]], %[[ARENA]]

// The sum of the rows of a range is added, with its factor.
// CHECK: func.func private @[[SUM]](%[[ARENA:arg0]]: {{.*}}, %[[TABLES:arg2]]: {{.*}}, %[[BEGIN:arg4]]: index, %[[COUNT:arg5]]: index, %{{.*}}: index)
// CHECK: scf.for %[[ROW:.*]] =
// CHECK: arith.addi %[[BEGIN]], %[[ROW]]
// CHECK: %[[FIRST:.*]] = arith.index_cast
// CHECK: arith.addi %[[COUNT]], %[[ROW]]
// CHECK: %[[ROWS:.*]] = arith.index_cast
// CHECK: %[[NUMBER:.*]] = arith.subi %[[ROWS]]
// CHECK: arith.remui %[[NUMBER]]
// CHECK: scf.for {{.*}} iter_args
// CHECK: vector.load %[[ARENA]]
// CHECK: %[[SUMMED:.*]] = arith.truncf
// CHECK: %[[SCALED:.*]] = arith.mulf %[[SUMMED]]
// CHECK: %[[Y:.*]] = vector.load %[[ARENA]]
// CHECK: %[[ADDED:.*]] = arith.addf %[[Y]], %[[SCALED]]
// CHECK: vector.store %[[ADDED]], %[[ARENA]]
