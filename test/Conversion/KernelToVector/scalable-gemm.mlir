// RUN: nnet3-opt --kernel-set-target=instruction-sets=rvv --convert-nnet3-to-kernels --kernel-outline --convert-kernel-to-vector %s | FileCheck --check-prefixes=CHECK,RVV %s
// RUN: nnet3-opt --kernel-set-target=instruction-sets=sve2 --convert-nnet3-to-kernels --kernel-outline --convert-kernel-to-vector %s | FileCheck --check-prefixes=CHECK,SVE2 %s
// RUN: nnet3-opt --kernel-set-target=instruction-sets=rvv --convert-nnet3-to-kernels=precision=int8 --kernel-outline --convert-kernel-to-vector %s | FileCheck --check-prefix=WIDE %s
// RUN: nnet3-opt --kernel-set-target=instruction-sets=rvv --convert-nnet3-to-kernels=precision=fp16 --kernel-outline --convert-kernel-to-vector %s | FileCheck --check-prefix=HALF %s
// RUN: nnet3-opt --kernel-set-target=instruction-sets=sve2,svei8mm --convert-nnet3-to-kernels=precision=int8 --kernel-outline --convert-kernel-to-vector --nnet3-kernels-to-llvm %s | FileCheck --check-prefix=SUDOT %s
// RUN: nnet3-opt --kernel-set-target=instruction-sets=sve,svebf16 --convert-nnet3-to-kernels=precision=bf16 --kernel-outline --convert-kernel-to-vector --nnet3-kernels-to-llvm %s | FileCheck --check-prefix=BFDOT %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<20>
  nnet3.output_node "y", %x : !nnet3.rows<20>
  nnet3.affine @affine {input_dim = 20, output_dim = 70}
}

// The layout of the weights is that of vectors of 512 bits, whatever machines
// have.
// CHECK: kernel.resources
// CHECK-SAME: <component = @net::@affine, part = panels, offset = 0, number = [[WIDTH:16|32|48|64|80]]>
// WIDE: kernel.resources
// WIDE-SAME: part = panels, offset = 0, number = {{32|64|96}}, precision = int8, columns = [0, 20], planes = true>
nnet3.computation @product for @net {
  %a = nnet3.accept_input "x" : memref<9x20xf32>
  %c = nnet3.alloc_matrix_undefined : memref<9x70xf32>
  nnet3.fused_affine @net::@affine ins(%a : memref<9x20xf32>) rows [#nnet3.row_table<0:8>] columns [0] bias outs(%c : memref<9x70xf32>)
  nnet3.dealloc_matrix %c : memref<9x70xf32>
  nnet3.provide_output "y", %a : memref<9x20xf32>
}

// Strips of as many columns as the vectors of a tile have. Of a longer vector
// the first 16 columns are used, with masks.
// CHECK-LABEL: func.func private @gemm_0
// CHECK: %[[SCALE:.*]] = vector.vscale
// RVV: %[[LENGTH:.*]] = arith.muli %[[SCALE]], %c2
// SVE2: %[[LENGTH:.*]] = arith.muli %[[SCALE]], %c4
// CHECK: %[[MINUS:.*]] = arith.subi %{{.*}}, %[[LENGTH]]
// CHECK: %[[POWER:.*]] = arith.andi %[[LENGTH]], %[[MINUS]]
// CHECK: %[[USED:.*]] = arith.minui %[[POWER]], %c16
// CHECK: %[[FULL:.*]] = arith.cmpi eq, %[[LENGTH]], %[[USED]]
// CHECK: %[[WHOLE:.*]] = arith.select %[[FULL]]
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[WHOLE]]
// SVE2: vector.load {{.*}} vector<4xf32>
// SVE2: vector.scalable.insert {{.*}} vector<4xf32> into vector<[4]xf32>
// SVE2: llvm.call_intrinsic "llvm.aarch64.sve.dupq.lane.nxv4f32"
// SVE2: vector.load {{.*}} vector<[4]xf32>
// SVE2: llvm.call_intrinsic "llvm.aarch64.sve.fmla.lane.nxv4f32"
// RVV: vector.load {{.*}} vector<[2]xf32>
// RVV: memref.load
// RVV: vector.broadcast {{.*}} : f32 to vector<[2]xf32>
// RVV: vector.fma {{.*}} : vector<[2]xf32>
// CHECK: vector.store {{.*}} vector<[
// CHECK: scf.for %[[COLUMN:.*]] = %[[WHOLE]] to %c70
// CHECK: %[[REST:.*]] = arith.subi %c70{{.*}}, %[[COLUMN]]
// CHECK: %[[COUNT:.*]] = arith.minsi %[[REST]], %[[USED]]
// CHECK: %[[MASK:.*]] = vector.create_mask %[[COUNT]]
// CHECK: vector.maskedload {{.*}} %[[MASK]]
// CHECK: vector.maskedstore {{.*}} %[[MASK]]

// Products of 16 bits: a plane has the first two terms of all words, and a shift
// takes the second one.
// WIDE-LABEL: func.func private @gemm_0
// WIDE: %[[WORDS:.*]] = vector.load {{.*}} vector<[2]xf32>
// WIDE: %[[BOTH:.*]] = vector.bitcast %[[WORDS]] : vector<[2]xf32> to vector<[4]xi16>
// WIDE: %[[SECOND:.*]] = arith.shrsi %[[BOTH]], {{.*}} : vector<[4]xi16>
// WIDE: arith.extsi %[[BOTH]] : vector<[4]xi16> to vector<[4]xi32>
// WIDE: arith.muli {{.*}} : vector<[4]xi32>
// WIDE: arith.addi {{.*}} : vector<[4]xi32>
// WIDE: arith.extsi %[[SECOND]] : vector<[4]xi16> to vector<[4]xi32>
// WIDE: vector.maskedload {{.*}} vector<[2]xf32>

// Words of the columns at the end; upstream's mask of vector<[1]xi1> is wrong.
// HALF-LABEL: func.func private @gemm_0
// HALF: %[[WORDS:.*]] = vector.scalable.extract %{{.*}}[0] : vector<[1]xi1> from vector<[2]xi1>
// HALF: vector.maskedload {{.*}}, %[[WORDS]]

// SUDOT: llvm.call_intrinsic "llvm.aarch64.sve.sudot.lane.nxv4i32"
// BFDOT: llvm.call_intrinsic "llvm.aarch64.sve.bfdot"
