// RUN: nnet3-opt --verify-diagnostics -split-input-file %s

func.func @arguments(%arena: memref<288xf32>) {
  // expected-error@+1 {{expects a region with arguments of types 'memref<288xf32>'}}
  kernel.launch "fill" ins(%arena : memref<288xf32>) threads 32 {
  ^bb0(%memory: memref<96xf32>):
    kernel.yield
  }
  return
}

// -----

func.func @threads(%arena: memref<288xf32>) {
  // expected-error@+1 {{attribute 'threads' failed to satisfy constraint}}
  kernel.launch "fill" ins(%arena : memref<288xf32>) threads 2048 {
  ^bb0(%memory: memref<288xf32>):
    kernel.yield
  }
  return
}

// -----

func.func @kind(%arena: memref<288xf32>) {
  // expected-error@+1 {{expects a name of its kind}}
  kernel.launch "" ins(%arena : memref<288xf32>) threads 32 {
  ^bb0(%memory: memref<288xf32>):
    kernel.yield
  }
  return
}

// -----

func.func @yields(%arena: memref<288xf32>) {
  // expected-error@+1 {{expects a region that yields nothing}}
  kernel.launch "fill" ins(%arena : memref<288xf32>) threads 32 {
  ^bb0(%memory: memref<288xf32>):
    %one = arith.constant 1.0 : f32
    kernel.yield %one : f32
  }
  return
}

// -----

func.func @inner(%arena: memref<288xf32>) {
  kernel.launch "fill" ins(%arena : memref<288xf32>) threads 32 {
  ^bb0(%memory: memref<288xf32>):
    // expected-error@+1 {{is not allowed in the code of a kernel}}
    kernel.compute_objectives
    kernel.yield
  }
  return
}

// -----

func.func @weights(%w: memref<32x21xf32>, %x: memref<1x36x20xf32>, %y: memref<1x36x32xf32>) {
  // expected-error@+1 {{expects weights for sums of 20 terms, but got 'memref<32x21xf32>'}}
  kernel.matmul nt weights(%w : memref<32x21xf32>) ins(%x : memref<1x36x20xf32>) outs(%y : memref<1x36x32xf32>)
  return
}

// -----

func.func @output(%w: memref<32x20xf32>, %x: memref<2x36x20xf32>, %y: memref<1x36x32xf32>) {
  // expected-error@+1 {{expects an output of 2x36x32, but got 'memref<1x36x32xf32>'}}
  kernel.matmul nt weights(%w : memref<32x20xf32>) ins(%x : memref<2x36x20xf32>) outs(%y : memref<1x36x32xf32>)
  return
}

// -----

func.func @bias(%w: memref<32x20xf32>, %x: memref<1x36x20xf32>, %y: memref<1x36x32xf32>, %b: memref<31xf32>) {
  // expected-error@+1 {{expects a bias of 32 values, but got 'memref<31xf32>'}}
  kernel.matmul nt weights(%w : memref<32x20xf32>) ins(%x : memref<1x36x20xf32>) outs(%y : memref<1x36x32xf32>) bias(%b : memref<31xf32>)
  return
}

// -----

func.func @precision(%w: memref<20x32xf32>, %x: memref<1x36x20xf32>, %y: memref<1x36x32xf32>) {
  // expected-error@+1 {{does not compute in bf16}}
  kernel.matmul nn weights(%w : memref<20x32xf32>) ins(%x : memref<1x36x20xf32>) outs(%y : memref<1x36x32xf32>) precision bf16
  return
}

// -----

func.func @rows(%x: memref<36x160xf32>, %y: memref<35x21xf32>, %b: memref<80x160xf32>, %s: memref<80x21xf32>) {
  // expected-error@+1 {{expects equal numbers of rows, but got 'memref<35x21xf32>' for 'memref<36x160xf32>'}}
  kernel.precondition_product %x with(%y : memref<35x21xf32>) outs(%b, %s : memref<80x160xf32>, memref<80x21xf32>) component "a" number 1 : memref<36x160xf32>
  return
}

// -----

func.func @basis(%x: memref<36x160xf32>, %y: memref<36x21xf32>, %b: memref<80x160xf32, strided<[164, 1]>>, %s: memref<80x21xf32>) {
  // expected-error@+1 {{expects a basis of 80x160 without gaps between rows, but got 'memref<80x160xf32, strided<[164, 1]>>'}}
  kernel.precondition_product %x with(%y : memref<36x21xf32>) outs(%b, %s : memref<80x160xf32, strided<[164, 1]>>, memref<80x21xf32>) component "a" number 1 : memref<36x160xf32>
  return
}

// -----

func.func @groups(%x: memref<36x2x160xf32, strided<[160, 1280, 1]>>, %y: memref<36x21xf32>, %b: memref<80x160xf32>, %s: memref<80x21xf32>) {
  // expected-error@+1 {{expects a basis of 80x320 without gaps between rows, but got 'memref<80x160xf32>'}}
  kernel.precondition_product %x with(%y : memref<36x21xf32>) outs(%b, %s : memref<80x160xf32>, memref<80x21xf32>) component "a" number 1 : memref<36x2x160xf32, strided<[160, 1280, 1]>>
  return
}

// -----

func.func @sums(%x: memref<36x160xf32>, %y: memref<36x21xf32>, %b: memref<80x160xf32>, %s: memref<79x21xf32>) {
  // expected-error@+1 {{expects sums of 80x21 without gaps between rows, but got 'memref<79x21xf32>'}}
  kernel.precondition_product %x with(%y : memref<36x21xf32>) outs(%b, %s : memref<80x160xf32>, memref<79x21xf32>) component "a" number 1 : memref<36x160xf32>
  return
}

// -----

func.func @halves(%sums: memref<513xf32>) {
  // expected-error@+1 {{expects two floats for each number, but got 'memref<513xf32>'}}
  kernel.allreduce %sums : memref<513xf32>
  return
}
