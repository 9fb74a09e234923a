// RUN: nnet3-opt %s --nnet3-compile | FileCheck %s

// A dim-range node is a view of its source's columns; no data moves.

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<6>
  nnet3.sigmoid @sigmoid {dim = 6}
  %a = nnet3.component_node "a" @sigmoid(%x) : (!nnet3.rows<6>) -> !nnet3.rows<6>
  %first = nnet3.dim_range_node "first" %a offset 0 : !nnet3.rows<6> -> !nnet3.rows<4>
  %last = nnet3.dim_range_node "last" %a offset 4 : !nnet3.rows<6> -> !nnet3.rows<2>
  %raw = nnet3.dim_range_node "raw" %x offset 1 : !nnet3.rows<6> -> !nnet3.rows<2>
  %prev = nnet3.offset %last, t = -1 : !nnet3.rows<2>
  %all = nnet3.append %first, %prev, %raw : (!nnet3.rows<4>, !nnet3.rows<2>, !nnet3.rows<2>) -> !nnet3.rows<8>
  nnet3.output_node "output", %all : !nnet3.rows<8>
}

// CHECK-LABEL: nnet3.computation @request_computation
// CHECK: %[[X:.*]] = nnet3.accept_input "x" : memref<5x6xf32>
// CHECK: %[[RAW:.*]] = nnet3.sub_matrix %[[X]][0, 1] : {{.*}} to memref<5x2xf32, strided<[6, 1], offset: 1>>
// CHECK: nnet3.propagate @net::@sigmoid ins(%{{.*}}) outs(%[[A:.*]] : memref<5x6xf32>)
// CHECK-DAG: %[[FIRST:.*]] = nnet3.sub_matrix %[[A]][0, 0] : {{.*}} to memref<5x4xf32, strided<[6, 1]>>
// CHECK-DAG: %[[LAST:.*]] = nnet3.sub_matrix %[[A]][0, 4] : {{.*}} to memref<5x2xf32, strided<[6, 1], offset: 4>>
// CHECK: %[[PART0:.*]] = nnet3.sub_matrix %[[OUT:.*]][0, 0] : memref<4x8xf32>
// CHECK-NEXT: nnet3.add_rows %[[FIRST]] <1:4> into %[[PART0]]
// CHECK-NEXT: %[[PART1:.*]] = nnet3.sub_matrix %[[OUT]][0, 4] : memref<4x8xf32>
// CHECK-NEXT: nnet3.add_rows %[[LAST]] <0:3> into %[[PART1]]
// CHECK-NEXT: %[[PART2:.*]] = nnet3.sub_matrix %[[OUT]][0, 6] : memref<4x8xf32>
// CHECK-NEXT: nnet3.add_rows %[[RAW]] <1:4> into %[[PART2]]
// CHECK-NEXT: nnet3.provide_output "output", %[[OUT]]
// Views are not freed.
// CHECK-COUNT-3: nnet3.dealloc_matrix
// CHECK-NOT: nnet3.dealloc_matrix
nnet3.request @request for @net {
  nnet3.request_input "x" <t = 0:4>
  nnet3.request_output "output" <t = 1:4>
}
