// RUN: nnet3-opt --convert-nnet3-kernels-to-gpu %s | FileCheck %s

// A thread reads what another one has written in the loop before.

// CHECK-LABEL: gpu.func @written
// CHECK: scf.for
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK: scf.for
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
func.func @written(%arena: memref<?xf32>, %weights: memref<?xf32>) attributes {kernel.block = #kernel.block<threads = 32>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%row) = (%c0) to (%c8) step (%c1) {
    scf.parallel (%column) = (%c0) to (%c8) step (%c1) {
      %a = memref.load %weights[%column] : memref<?xf32>
      memref.store %a, %arena[%column] : memref<?xf32>
      scf.reduce
    }
    scf.parallel (%column) = (%c0) to (%c8) step (%c1) {
      %from = arith.subi %c7, %column : index
      %to = arith.addi %c8, %column : index
      %a = memref.load %arena[%from] : memref<?xf32>
      memref.store %a, %arena[%to] : memref<?xf32>
      scf.reduce
    }
    scf.reduce
  }
  return
}

// A reduction waits for all threads; weights are not written.

// CHECK-LABEL: gpu.func @reduced
// CHECK: gpu.all_reduce
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
func.func @reduced(%arena: memref<?xf32>, %weights: memref<?xf32>) attributes {kernel.block = #kernel.block<threads = 32>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%row) = (%c0) to (%c8) step (%c1) {
    %sum = scf.parallel (%column) = (%c0) to (%c8) step (%c1) init (%zero) -> f32 {
      %a = memref.load %arena[%column] : memref<?xf32>
      scf.reduce(%a : f32) {
      ^bb0(%x: f32, %y: f32):
        %both = arith.addf %x, %y : f32
        scf.reduce.return %both : f32
      }
    }
    scf.parallel (%column) = (%c0) to (%c8) step (%c1) {
      %a = memref.load %weights[%column] : memref<?xf32>
      %product = arith.mulf %a, %sum : f32
      memref.store %product, %arena[%column] : memref<?xf32>
      scf.reduce
    }
    scf.reduce
  }
  return
}

// Several elements at once.

// CHECK-LABEL: gpu.func @wide
// CHECK: vector.store
// CHECK: gpu.barrier
// CHECK: vector.load
// CHECK: gpu.return
func.func @wide(%arena: memref<?xf32>, %weights: memref<?xf32>) attributes {kernel.block = #kernel.block<threads = 32>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c28 = arith.constant 28 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%row) = (%c0) to (%c8) step (%c1) {
    scf.parallel (%four) = (%c0) to (%c8) step (%c1) {
      %column = arith.muli %four, %c4 : index
      %a = vector.load %weights[%column] : memref<?xf32>, vector<4xf32>
      vector.store %a, %arena[%column] : memref<?xf32>, vector<4xf32>
      scf.reduce
    }
    scf.parallel (%four) = (%c0) to (%c8) step (%c1) {
      %column = arith.muli %four, %c4 : index
      %from = arith.subi %c28, %column : index
      %a = vector.load %arena[%from] : memref<?xf32>, vector<4xf32>
      vector.store %a, %weights[%column] : memref<?xf32>, vector<4xf32>
      scf.reduce
    }
    scf.reduce
  }
  return
}

// The points of a kernel of warps are four warps of each block, and the last
// block has too many. One thread of a warp waits for the others before it writes
// what they have read.

// CHECK-LABEL: gpu.func @warps
// CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
// CHECK: %[[BLOCK:.*]] = gpu.block_id x
// CHECK: %[[THREAD:.*]] = gpu.thread_id x
// CHECK: %[[LANE:.*]] = arith.remui %[[THREAD]], %c32
// CHECK: %[[WARP:.*]] = arith.divui %[[THREAD]], %c32
// CHECK: %[[FIRST:.*]] = arith.muli %[[BLOCK]], %c4
// CHECK: %[[POINT:.*]] = arith.addi %[[FIRST]], %[[WARP]]
// CHECK: %[[IS_THERE:.*]] = arith.cmpi ult, %[[POINT]], %c9
// CHECK: scf.if %[[IS_THERE]]
// All have two rounds, some a third one.
// CHECK: scf.for %[[ROUND:.*]] = %c0{{.*}} to %c64{{.*}} step %c32
// CHECK-NEXT: arith.addi %[[ROUND]], %[[LANE]]
// CHECK: %[[HAS_REST:.*]] = arith.cmpi ult, %[[LANE]], %c6
// CHECK: scf.if %[[HAS_REST]]
// CHECK: gpu.subgroup_reduce add
// CHECK: nvvm.bar.warp.sync
// CHECK: memref.store
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
func.func @warps(%arena: memref<?xf32>) attributes {kernel.block = #kernel.block<threads = 128, warps = true>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c70 = arith.constant 70 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%row) = (%c0) to (%c9) step (%c1) {
    %sum = scf.parallel (%column) = (%c0) to (%c70) step (%c1) init (%zero) -> f32 {
      %a = memref.load %arena[%column] : memref<?xf32>
      scf.reduce(%a : f32) {
      ^bb0(%x: f32, %y: f32):
        %both = arith.addf %x, %y : f32
        scf.reduce.return %both : f32
      }
    }
    scf.parallel (%thread) = (%c0) to (%c1) step (%c1) {
      memref.store %sum, %arena[%row] : memref<?xf32>
      scf.reduce
    }
    scf.reduce
  }
  return
}
