// RUN: nnet3-opt %s | nnet3-opt | FileCheck %s
// RUN: nnet3-opt --verify-roundtrip -o /dev/null %s

// CHECK-LABEL: func.func @launch
func.func @launch(%arena: memref<288xf32>, %table: memref<7xi32>, %at: index) {
  // CHECK: kernel.launch "fill" ins(%{{.*}}, %{{.*}} : memref<288xf32>, index) threads 32 {
  // CHECK-NEXT: ^bb0(%[[MEMORY:.*]]: memref<288xf32>, %{{.*}}: index):
  // CHECK: scf.parallel
  // CHECK: memref.store %{{.*}}, %[[MEMORY]]
  // CHECK: kernel.yield
  kernel.launch "fill" ins(%arena, %at : memref<288xf32>, index) threads 32 {
  ^bb0(%memory: memref<288xf32>, %begin: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c20 = arith.constant 20 : index
    %zero = arith.constant 0.0 : f32
    scf.parallel (%row) = (%c0) to (%c1) step (%c1) {
      scf.parallel (%c) = (%c0) to (%c20) step (%c1) {
        %to = arith.addi %begin, %c : index
        memref.store %zero, %memory[%to] : memref<288xf32>
      }
    }
    kernel.yield
  }
  // CHECK: kernel.launch "nothing" ins(%{{.*}} : memref<7xi32>) threads 64 {
  kernel.launch "nothing" ins(%table : memref<7xi32>) threads 64 {
  ^bb0(%memory: memref<7xi32>):
    kernel.yield
  }
  return
}

// CHECK-LABEL: func.func @views
func.func @views(%rows: memref<3x4xf32, strided<[4, 1], offset: ?>>, %vector: memref<4xf32, strided<[1], offset: ?>>, %list: memref<3xi32, strided<[1], offset: ?>>) {
  // CHECK: kernel.launch "views" ins(%{{.*}}, %{{.*}}, %{{.*}} : memref<3x4xf32, {{.*}}>, memref<4xf32, {{.*}}>, memref<3xi32, {{.*}}>) threads 32 {
  kernel.launch "views" ins(%rows, %vector, %list : memref<3x4xf32, strided<[4, 1], offset: ?>>, memref<4xf32, strided<[1], offset: ?>>, memref<3xi32, strided<[1], offset: ?>>) threads 32 {
  ^bb0(%r: memref<3x4xf32, strided<[4, 1], offset: ?>>, %v: memref<4xf32, strided<[1], offset: ?>>, %l: memref<3xi32, strided<[1], offset: ?>>):
    kernel.yield
  }
  return
}

// CHECK-LABEL: func.func @matmul
func.func @matmul(%w: memref<32x20xf32, strided<[20, 1], offset: ?>>, %x: memref<1x36x20xf32, strided<[0, 20, 1], offset: ?>>, %y: memref<1x36x32xf32, strided<[0, 32, 1], offset: ?>>, %b: memref<32xf32>, %g: memref<36x32xf32>, %d: memref<1x20x32xf32>, %v: memref<20x32xf32>) {
  // CHECK: kernel.matmul nt weights(%{{.*}} : memref<32x20xf32, {{.*}}>) ins(%{{.*}} : memref<1x36x20xf32, {{.*}}>) outs(%{{.*}} : memref<1x36x32xf32, {{.*}}>) beta 1.000000e+00
  kernel.matmul nt weights(%w : memref<32x20xf32, strided<[20, 1], offset: ?>>) ins(%x : memref<1x36x20xf32, strided<[0, 20, 1], offset: ?>>) outs(%y : memref<1x36x32xf32, strided<[0, 32, 1], offset: ?>>) beta 1.000000e+00
  // CHECK: kernel.matmul nt {{.*}} bias(%{{.*}} : memref<32xf32>) precision bf16 form fused
  kernel.matmul nt weights(%w : memref<32x20xf32, strided<[20, 1], offset: ?>>) ins(%x : memref<1x36x20xf32, strided<[0, 20, 1], offset: ?>>) outs(%y : memref<1x36x32xf32, strided<[0, 32, 1], offset: ?>>) bias(%b : memref<32xf32>) precision bf16 form fused
  // CHECK: kernel.matmul nn weights(%{{.*}} : memref<20x32xf32>)
  kernel.matmul nn weights(%v : memref<20x32xf32>) ins(%x : memref<1x36x20xf32, strided<[0, 20, 1], offset: ?>>) outs(%y : memref<1x36x32xf32, strided<[0, 32, 1], offset: ?>>)
  // CHECK: kernel.matmul tn weights(%{{.*}} : memref<36x32xf32>)
  kernel.matmul tn weights(%g : memref<36x32xf32>) ins(%x : memref<1x36x20xf32, strided<[0, 20, 1], offset: ?>>) outs(%d : memref<1x20x32xf32>)
  return
}

// CHECK-LABEL: func.func @steps
func.func @steps(%rows: memref<36x20xf32, strided<[20, 1], offset: ?>>, %sums: memref<514xf32, strided<[1], offset: ?>>) {
  // CHECK: kernel.precondition %{{.*}} component "affine1" number 0 two_sided : memref<36x20xf32, {{.*}}>
  kernel.precondition %rows component "affine1" number 0 two_sided : memref<36x20xf32, strided<[20, 1], offset: ?>>
  // CHECK: kernel.precondition %{{.*}} component "composite" number 2 part 1 : memref<36x20xf32, {{.*}}>
  kernel.precondition %rows component "composite" number 2 part 1 : memref<36x20xf32, strided<[20, 1], offset: ?>>
  // CHECK: kernel.allreduce %{{.*}} : memref<514xf32, strided<[1], offset: ?>>
  kernel.allreduce %sums : memref<514xf32, strided<[1], offset: ?>>
  // CHECK: kernel.sum_gradient %{{.*}} component "affine1" parameter "linear_params" : memref<36x20xf32, {{.*}}>
  kernel.sum_gradient %rows component "affine1" parameter "linear_params" : memref<36x20xf32, strided<[20, 1], offset: ?>>
  // CHECK: kernel.compute_objectives
  kernel.compute_objectives
  return
}

// CHECK-LABEL: func.func @products
func.func @products(%x: memref<36x160xf32, strided<[160, 1], offset: ?>>,
                    %g: memref<36x2x80xf32, strided<[80, 640, 1], offset: ?>>,
                    %y: memref<36x21xf32, strided<[24, 1], offset: ?>>,
                    %b: memref<80x160xf32, strided<[160, 1], offset: ?>>,
                    %s: memref<80x21xf32, strided<[21, 1], offset: ?>>) {
  // CHECK: kernel.precondition_product %{{.*}} with(%{{.*}} : memref<36x21xf32, {{.*}}>) outs(%{{.*}}, %{{.*}} : memref<80x160xf32, {{.*}}>, memref<80x21xf32, {{.*}}>) component "affine1" number 1 : memref<36x160xf32, {{.*}}>
  kernel.precondition_product %x with(%y : memref<36x21xf32, strided<[24, 1], offset: ?>>) outs(%b, %s : memref<80x160xf32, strided<[160, 1], offset: ?>>, memref<80x21xf32, strided<[21, 1], offset: ?>>) component "affine1" number 1 : memref<36x160xf32, strided<[160, 1], offset: ?>>
  // CHECK: component "composite" number 0 part 1 :
  kernel.precondition_product %x with(%y : memref<36x21xf32, strided<[24, 1], offset: ?>>) outs(%b, %s : memref<80x160xf32, strided<[160, 1], offset: ?>>, memref<80x21xf32, strided<[21, 1], offset: ?>>) component "composite" number 0 part 1 : memref<36x160xf32, strided<[160, 1], offset: ?>>
  // Each row has two groups of columns.
  // CHECK: kernel.precondition_product %{{.*}} with({{.*}}) outs({{.*}}) component "tdnn1" number 0 : memref<36x2x80xf32, strided<[80, 640, 1], offset: ?>>
  kernel.precondition_product %g with(%y : memref<36x21xf32, strided<[24, 1], offset: ?>>) outs(%b, %s : memref<80x160xf32, strided<[160, 1], offset: ?>>, memref<80x21xf32, strided<[21, 1], offset: ?>>) component "tdnn1" number 0 : memref<36x2x80xf32, strided<[80, 640, 1], offset: ?>>
  return
}
