// RUN: nnet3-opt --kernel-share-loops --canonicalize --split-input-file --verify-diagnostics %s | FileCheck %s
// RUN: nnet3-opt --kernel-share-loops --split-input-file --verify-diagnostics %s | nnet3-opt --split-input-file --verify-roundtrip -o /dev/null

// All threads run the step. Of the loops, each computes its share; what stores
// outside of such loops, the first thread alone runs.

module attributes {kernel.target = #kernel.target<vector_bits = 128, vector_registers = 16, threads = 2>} {
  // CHECK-DAG: func.func private @nnet3lib_thread(!llvm.ptr) -> index
  // CHECK-DAG: func.func private @nnet3lib_num_threads(!llvm.ptr) -> index
  // CHECK-DAG: func.func private @nnet3lib_barrier(!llvm.ptr)
  kernel.entry @step arena 288 inputs [] outputs []

  // CHECK-LABEL: func.func @step(
  // CHECK-DAG:     %[[THREAD:.*]] = call @nnet3lib_thread(%arg1)
  // CHECK-DAG:     %[[COUNT:.*]] = call @nnet3lib_num_threads(%arg1)
  // CHECK:         call @fill_shared(%arg0, %arg1, %[[THREAD]], %[[COUNT]])
  // CHECK-NEXT:    call @nnet3lib_barrier(%arg1)
  // CHECK-NEXT:    %[[IS_FIRST:.*]] = arith.cmpi eq, %[[THREAD]], %c0
  // CHECK-NEXT:    scf.if %[[IS_FIRST]] {
  // CHECK-NEXT:      call @one(%arg0, %arg1)
  // CHECK-NEXT:    }
  // No thread waits for what the same one runs.
  // CHECK-NOT:     call @nnet3lib_barrier
  // CHECK:           call @one(%arg0, %arg1)
  // CHECK:         call @nnet3lib_barrier(%arg1)
  // Panels: each thread has one of both iterations.
  // CHECK:         %[[TWICE:.*]] = arith.muli %[[THREAD]], %c2
  // CHECK:         %[[BEGIN:.*]] = arith.divui %[[TWICE]], %[[COUNT]]
  // CHECK:         %[[NEXT:.*]] = arith.addi %[[THREAD]], %c1
  // CHECK:         %[[NEXT_TWICE:.*]] = arith.muli %[[NEXT]], %c2
  // CHECK:         %[[END:.*]] = arith.divui %[[NEXT_TWICE]], %[[COUNT]]
  // CHECK:         scf.parallel (%{{.*}}) = (%[[BEGIN]]) to (%[[END]]) step (%c1) {
  // CHECK:           call @fill(%arg0, %arg1)
  // CHECK:         return
  func.func @step(%arena: memref<288xf32>, %context: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    func.call @fill(%arena, %context) : (memref<288xf32>, !llvm.ptr) -> ()
    func.call @one(%arena, %context) : (memref<288xf32>, !llvm.ptr) -> ()
    func.call @one(%arena, %context) : (memref<288xf32>, !llvm.ptr) -> ()
    scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
      func.call @fill(%arena, %context) : (memref<288xf32>, !llvm.ptr) -> ()
    }
    return
  }

  // Inside of a loop that threads share, one thread runs all of it.
  // CHECK-LABEL: func.func private @fill(
  // CHECK:         scf.parallel (%{{.*}}) = (%c0) to (%c288) step (%c4)

  // Iterations 72 * thread / count, ... in steps of four; the second loop may
  // read what the first one has stored.
  // CHECK-LABEL: func.func private @fill_shared(
  // CHECK-SAME:    %[[THREAD:[^:]*]]: index, %[[COUNT:[^:]*]]: index)
  // CHECK:         %[[PRODUCT:.*]] = arith.muli %[[THREAD]], %c72
  // CHECK:         %[[ROUND:.*]] = arith.divui %[[PRODUCT]], %[[COUNT]]
  // CHECK:         %[[BEGIN:.*]] = arith.muli %[[ROUND]], %c4
  // CHECK:         scf.parallel (%{{.*}}) = (%[[BEGIN]]) to (%{{.*}}) step (%c4)
  // CHECK:         call @nnet3lib_barrier
  // CHECK:         scf.parallel
  func.func private @fill(%arena: memref<288xf32>, %context: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c288 = arith.constant 288 : index
    %zeros = arith.constant dense<0.0> : vector<4xf32>
    scf.parallel (%i) = (%c0) to (%c288) step (%c4) {
      vector.store %zeros, %arena[%i] : memref<288xf32>, vector<4xf32>
    }
    scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
      %x = memref.load %arena[%i] : memref<288xf32>
      memref.store %x, %arena[%c4] : memref<288xf32>
    }
    return
  }

  // CHECK-LABEL: func.func private @one(
  // CHECK-NOT:     @one_shared
  func.func private @one(%arena: memref<288xf32>, %context: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    memref.store %one, %arena[%c0] : memref<288xf32>
    return
  }
}

// -----

// One thread: nothing changes.

module attributes {kernel.target = #kernel.target<vector_bits = 128, vector_registers = 16>} {
  kernel.entry @step arena 288 inputs [] outputs []
  // CHECK-LABEL: func.func @step(
  // CHECK-NEXT:    return
  func.func @step(%arena: memref<288xf32>) {
    return
  }
}

// -----

module attributes {kernel.target = #kernel.target<vector_bits = 128, vector_registers = 16, threads = 2>} {
  kernel.entry @step arena 288 inputs [] outputs []
  // expected-error@+1 {{expects one block and a context, because several threads run it}}
  func.func @step(%arena: memref<288xf32>) {
    return
  }
}

// -----

module attributes {kernel.target = #kernel.target<vector_bits = 128, vector_registers = 16, threads = 2>} {
  kernel.entry @step arena 288 inputs [] outputs []
  func.func @step(%arena: memref<288xf32>, %context: !llvm.ptr) {
    // expected-error@+1 {{has results, but one of several threads runs it alone}}
    %x = func.call @read(%arena) : (memref<288xf32>) -> f32
    return
  }
  func.func private @read(%arena: memref<288xf32>) -> f32
}
