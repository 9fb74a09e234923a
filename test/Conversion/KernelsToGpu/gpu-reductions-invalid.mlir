// RUN: nnet3-opt --pass-pipeline='builtin.module(gpu.module(nnet3-expand-gpu-reductions))' --split-input-file --verify-diagnostics %s

gpu.module @kernels {
  gpu.func @partial(%x: f32) kernel attributes {known_block_size = array<i32: 33, 1, 1>} {
    // expected-error@+1 {{expects a function whose blocks are known to be whole warps in x}}
    %sum = gpu.all_reduce add %x uniform {} : (f32) -> f32
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @unknown(%x: f32) kernel {
    // expected-error@+1 {{expects a function whose blocks are known to be whole warps in x}}
    %sum = gpu.all_reduce add %x uniform {} : (f32) -> f32
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @minimum(%x: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error@+1 {{expects a sum or a maximum}}
    %min = gpu.all_reduce minimumf %x uniform {} : (f32) -> f32
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @lanes(%x: f32) kernel {
    // expected-error@+1 {{expects a number of each thread of a warp}}
    %sum = gpu.subgroup_reduce add %x cluster(size = 8) : (f32) -> f32
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @product(%x: f32) kernel {
    // expected-error@+1 {{expects a sum or a maximum}}
    %product = gpu.subgroup_reduce mul %x uniform : (f32) -> f32
    gpu.return
  }
}
