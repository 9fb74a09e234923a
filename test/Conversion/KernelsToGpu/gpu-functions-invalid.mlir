// RUN: nnet3-opt --convert-nnet3-kernels-to-gpu --split-input-file --verify-diagnostics %s

func.func @nested(%arena: memref<?xf32>) attributes {kernel.block = #kernel.block<threads = 32>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%row) = (%c0) to (%c8) step (%c1) {
    scf.for %i = %c0 to %c8 step %c1 {
      // expected-error@+1 {{is not reached by all threads of a block}}
      scf.parallel (%column) = (%c0) to (%c8) step (%c1) {
        memref.store %zero, %arena[%column] : memref<?xf32>
        scf.reduce
      }
    }
    scf.reduce
  }
  return
}

// -----

func.func @all_threads(%arena: memref<?xf32>) attributes {kernel.block = #kernel.block<threads = 32>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%row) = (%c0) to (%c8) step (%c1) {
    // expected-error@+1 {{inside of a kernel expects a loop around it}}
    memref.store %zero, %arena[%row] : memref<?xf32>
    scf.reduce
  }
  return
}

// -----

// expected-error@+1 {{has more blocks than a device can launch}}
func.func @wide(%arena: memref<?xf32>) attributes {kernel.block = #kernel.block<threads = 32>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 8 : index
  %parts = arith.constant 65536 : index
  scf.parallel (%row, %part) = (%c0, %c0) to (%rows, %parts) step (%c1, %c1) {
    scf.reduce
  }
  return
}

// -----

// What an iteration of a loop inside allocates is not the block's.
func.func private @kernel(%arena: memref<4xf32>) attributes {kernel.block = #kernel.block<threads = 32>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%row) = (%c0) to (%c1) step (%c1) {
    scf.parallel (%column) = (%c0) to (%c1) step (%c1) {
      // expected-error@+1 {{'memref.alloca' op in a kernel expects a static shape, and to be outside of inner loops}}
      %memory = memref.alloca() : memref<4xf32>
    }
  }
  return
}

// -----

// Warps are in one row.
// expected-error@+1 {{of warps expects a loop of one variable}}
func.func @warps(%arena: memref<?xf32>) attributes {kernel.block = #kernel.block<threads = 64, warps = true>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%row, %part) = (%c0, %c0) to (%c8, %c8) step (%c1, %c1) {
    scf.reduce
  }
  return
}

// -----

// Memory is that of blocks.
func.func private @warp_memory(%arena: memref<4xf32>) attributes {kernel.block = #kernel.block<threads = 64, warps = true>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%row) = (%c0) to (%c1) step (%c1) {
    // expected-error@+1 {{cannot be allocated in a kernel of warps}}
    %memory = memref.alloca() : memref<4xf32>
  }
  return
}
