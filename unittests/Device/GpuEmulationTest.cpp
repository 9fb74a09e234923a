//===- GpuEmulationTest.cpp - Errors that the GPU emulation finds ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small correct kernels, and the same kernels with an error: every error must
// be found, whatever the order of the threads.
//
//===----------------------------------------------------------------------===//

#include "EmulatedModule.h"

#include "nnet3/Conversion/KernelsToGpu/Passes.h"
#include "nnet3/Conversion/KernelsToGpu/Pipeline.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "gtest/gtest.h"

#include <numeric>

using namespace mlir::nnet3::test;
using namespace mlir;

static constexpr int64_t kNumFloats = 1024;

namespace {

/// The parameter is the order of threads and blocks.
class GpuEmulationTest : public ::testing::TestWithParam<uint64_t> {
protected:
  GpuEmulationTest() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<arith::ArithDialect, func::FuncDialect, gpu::GPUDialect,
                        memref::MemRefDialect,
                        mlir::nnet3::kernel::KernelDialect, NVVM::NVVMDialect,
                        scf::SCFDialect, vector::VectorDialect>();
    std::iota(std::begin(memory), std::end(memory), 0.0f);
  }

  /// Lowers the kernels of `text`. With `keepsBarriers` false, those between
  /// loops are left out.
  std::unique_ptr<EmulatedModule> lower(const std::string &text,
                                        bool keepsBarriers = true) {
    auto module = parseSourceString<ModuleOp>(text, &context);
    PassManager toGpu(&context), toNVVM(&context);
    toGpu.addPass(mlir::nnet3::createNnet3ConvertKernelsToGpu());
    mlir::nnet3::addGpuToNVVMPasses(toNVVM);
    if (!module || failed(toGpu.run(*module)))
      return nullptr;
    if (!keepsBarriers)
      module->walk([](Operation *op) {
        if (isa<gpu::BarrierOp, NVVM::SyncWarpOp>(op))
          op->erase();
      });
    if (failed(toNVVM.run(*module)))
      return nullptr;
    auto emulated = EmulatedModule::load(*module);
    return succeeded(emulated) ? std::move(*emulated) : nullptr;
  }

  /// Lowers a kernel with `body`, of `threads` threads. It has %m in memory,
  /// %s in shared memory, %thread, and %block.
  std::unique_ptr<EmulatedModule> load(const std::string &body,
                                       unsigned threads = 64) {
    return lower(R"(
      gpu.module @kernels {
        gpu.func @k(%m: memref<1024xf32>) workgroup(%s: memref<64xf32,
            #gpu.address_space<workgroup>>) kernel attributes {
            known_block_size = array<i32: )" +
                 std::to_string(threads) + R"(, 1, 1>} {
          %thread = gpu.thread_id x
          %block = gpu.block_id x
          %c0 = arith.constant 0 : index
          %c32 = arith.constant 32 : index
          %c63 = arith.constant 63 : index)" +
                 body + R"(
          gpu.return
        }
      })");
  }

  /// What is wrong with the kernel of `module`.
  std::string launch(const EmulatedModule *module, unsigned blocks,
                     unsigned threads) {
    if (!module)
      return "not lowered";
    GpuEmulator emulator(GetParam());
    void *address = memory;
    emulator.launch(module->getKernels().at(0),
                    {{blocks, 1, 1}, {threads, 1, 1}},
                    std::vector<void *>{&address}.data(),
                    {{reinterpret_cast<const char *>(memory), sizeof(memory),
                      "arena", /*isShared=*/false}});
    return llvm::join(emulator.getFindings(), "\n");
  }

  /// What is wrong with `body`, executed by `blocks` blocks.
  std::string run(const std::string &body, unsigned blocks = 1,
                  unsigned threads = 64) {
    return launch(load(body, threads).get(), blocks, threads);
  }

  /// `run` of one that is wrong.
  bool finds(const std::string &what, const std::string &body,
             unsigned blocks = 1) {
    const std::string found = run(body, blocks);
    return found.find(what) != std::string::npos || (ADD_FAILURE() << found, 0);
  }

  MLIRContext context;
  alignas(256) float memory[kNumFloats];
};

} // namespace

static std::string without(std::string text, const std::string &what) {
  const size_t place = text.find(what);
  EXPECT_NE(place, std::string::npos);
  return text.erase(place, what.size());
}

/// Reverses 64 numbers through shared memory.
static const std::string kReverse = R"(
  %x = memref.load %m[%thread] : memref<1024xf32>
  memref.store %x, %s[%thread] : memref<64xf32, #gpu.address_space<workgroup>>
  gpu.barrier
  %other = arith.subi %c63, %thread : index
  %y = memref.load %s[%other] : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %y, %m[%thread] : memref<1024xf32>)";

TEST_P(GpuEmulationTest, Barrier) {
  EXPECT_EQ(run(kReverse), "");
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(memory[i], 63 - i);
  EXPECT_TRUE(finds("race", without(kReverse, "gpu.barrier")));
}

/// Threads read values that others have written in the previous loop: the pass
/// that forms blocks inserts a barrier.
TEST_P(GpuEmulationTest, LoopsThatShareMemory) {
  const std::string text = R"(
    func.func @reverse(%m: memref<1024xf32>) attributes {
        kernel.block = #kernel.block<threads = 64>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %c127 = arith.constant 127 : index
      scf.parallel (%row) = (%c0) to (%c1) step (%c1) {
        scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
          %x = memref.load %m[%i] : memref<1024xf32>
          %to = arith.addi %i, %c64 : index
          memref.store %x, %m[%to] : memref<1024xf32>
          scf.reduce
        }
        scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
          %from = arith.subi %c127, %i : index
          %x = memref.load %m[%from] : memref<1024xf32>
          memref.store %x, %m[%i] : memref<1024xf32>
          scf.reduce
        }
        scf.reduce
      }
      return
    })";
  EXPECT_EQ(launch(lower(text).get(), 1, 64), "");
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(memory[i], 63 - i);
  const std::string found =
      launch(lower(text, /*keepsBarriers=*/false).get(), 1, 64);
  EXPECT_NE(found.find("reverse: race"), std::string::npos) << found;
}

/// A warp barrier orders the threads of a warp, but not those of other warps.
TEST_P(GpuEmulationTest, WarpBarrier) {
  const std::string reverse = R"(
    %mask = arith.constant -1 : i32
    %x = memref.load %m[%thread] : memref<1024xf32>
    nvvm.bar.warp.sync %mask : i32
    %last = arith.constant 31 : index
    %to = arith.xori %thread, %last : index
    memref.store %x, %m[%to] : memref<1024xf32>)";
  EXPECT_EQ(run(reverse), "");
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(memory[i], i ^ 31);
  EXPECT_TRUE(
      finds("race", without(reverse, "nvvm.bar.warp.sync %mask : i32")));
  std::string wider = reverse;
  wider.replace(reverse.find("31 : index"), 2, "63");
  EXPECT_TRUE(finds("race", wider));
  // Half of a warp does not come.
  EXPECT_TRUE(finds("threads diverge", R"(
    %mask = arith.constant -1 : i32
    %c16 = arith.constant 16 : index
    %comes = arith.cmpi ult, %thread, %c16 : index
    scf.if %comes {
      nvvm.bar.warp.sync %mask : i32
    } else {
      gpu.barrier
    })"));
}

/// The readers of several warps are all recorded: one of them is ordered by a
/// barrier of its warp, another is not.
TEST_P(GpuEmulationTest, ReadOfAnotherWarp) {
  const std::string body = R"(
    %mask = arith.constant -1 : i32
    %x = memref.load %m[%c0] : memref<1024xf32>
    nvvm.bar.warp.sync %mask : i32
    %y = memref.load %m[%c0] : memref<1024xf32>
    nvvm.bar.warp.sync %mask : i32
    %isFirst = arith.cmpi eq, %thread, %c0 : index
    scf.if %isFirst {
      %both = arith.addf %x, %y : f32
      memref.store %both, %m[%c0] : memref<1024xf32>
    })";
  EXPECT_EQ(run(body, /*blocks=*/1, /*threads=*/32), "");
  EXPECT_TRUE(finds("race", body));
}

/// Each warp computes a sum, and one of its threads overwrites a value that
/// another one has read. In the last block, some warps are idle.
TEST_P(GpuEmulationTest, Warps) {
  const std::string text = R"(
    func.func @sums(%m: memref<1024xf32>) attributes {
        kernel.block = #kernel.block<threads = 128, warps = true>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c9 = arith.constant 9 : index
      %c40 = arith.constant 40 : index
      %zero = arith.constant 0.0 : f32
      scf.parallel (%row) = (%c0) to (%c9) step (%c1) {
        %begin = arith.muli %row, %c40 : index
        %sum = scf.parallel (%i) = (%c0) to (%c40) step (%c1)
            init (%zero) -> f32 {
          %at = arith.addi %begin, %i : index
          %x = memref.load %m[%at] : memref<1024xf32>
          scf.reduce(%x : f32) {
          ^bb0(%a: f32, %b: f32):
            %both = arith.addf %a, %b : f32
            scf.reduce.return %both : f32
          }
        }
        scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
          %at = arith.addi %begin, %c1 : index
          memref.store %sum, %m[%at] : memref<1024xf32>
          scf.reduce
        }
        scf.reduce
      }
      return
    })";
  EXPECT_EQ(launch(lower(text).get(), 3, 128), "");
  for (int row = 0; row < 9; ++row)
    EXPECT_EQ(memory[40 * row + 1], 40 * 40 * row + 40 * 39 / 2);
  EXPECT_EQ(memory[9 * 40 + 1], 9 * 40 + 1);
  const std::string found =
      launch(lower(text, /*keepsBarriers=*/false).get(), 3, 128);
  EXPECT_NE(found.find("sums: race"), std::string::npos) << found;
}

TEST_P(GpuEmulationTest, SharedMemoryIsUndefined) {
  const std::string store = "memref.store %x, %s[%thread] : memref<64xf32, "
                            "#gpu.address_space<workgroup>>";
  EXPECT_EQ(run(without(kReverse, store)), "");
  EXPECT_TRUE(std::isnan(memory[0]));
}

TEST_P(GpuEmulationTest, ManyThreadsWriteOneWord) {
  EXPECT_TRUE(finds("race", R"(
    %x = memref.load %m[%c63] : memref<1024xf32>
    memref.store %x, %m[%c0] : memref<1024xf32>)"));
}

/// Blocks must write different words, too.
TEST_P(GpuEmulationTest, Blocks) {
  const std::string body = R"(
    %c64 = arith.constant 64 : index
    %begin = arith.muli %block, %c64 : index
    %place = arith.addi %begin, %thread : index
    %x = memref.load %m[%place] : memref<1024xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %m[%place] : memref<1024xf32>)";
  EXPECT_EQ(run(body, /*blocks=*/16), "");
  for (int i = 0; i < kNumFloats; ++i)
    EXPECT_EQ(memory[i], 2 * i);
  std::string overlapping = body;
  overlapping.replace(body.find("64 : index"), 2, "63");
  EXPECT_TRUE(finds("race", overlapping, /*blocks=*/2));
}

/// One block reads what another one writes.
TEST_P(GpuEmulationTest, ReadOfAnotherBlock) {
  EXPECT_TRUE(finds("race", R"(
    %isFirst = arith.cmpi eq, %block, %c0 : index
    %x = memref.load %m[%c63] : memref<1024xf32>
    scf.if %isFirst {
      %c1 = arith.constant 1 : index
      %place = arith.addi %thread, %c1 : index
      memref.store %x, %m[%place] : memref<1024xf32>
    })",
                    /*blocks=*/2));
}

TEST_P(GpuEmulationTest, BeyondTheEnd) {
  const std::string body = R"(
    %c960 = arith.constant 960 : index
    %place = arith.addi %thread, %c960 : index
    %x = memref.load %m[%c0] : memref<1024xf32>
    memref.store %x, %m[%place] : memref<1024xf32>)";
  EXPECT_EQ(run(body), "");
  std::string behind = body;
  behind.replace(body.find("960 : index"), 3, "961");
  EXPECT_TRUE(finds("fault: thread 63 of block 0 writes 4 bytes 0 bytes behind "
                    "the end of the arena",
                    behind));
}

TEST_P(GpuEmulationTest, Misaligned) {
  const std::string body = R"(
    %c4 = arith.constant 4 : index
    %place = arith.muli %thread, %c4 : index
    %x = vector.load %m[%place] {alignment = 16 : i64} : memref<1024xf32>,
                                                         vector<4xf32>
    vector.store %x, %m[%place] {alignment = 16 : i64} : memref<1024xf32>,
                                                         vector<4xf32>)";
  EXPECT_EQ(run(body), "");
  std::string odd = body;
  odd.replace(body.find("4 : index"), 1, "5");
  EXPECT_TRUE(finds("which is not aligned to 16", odd));
}

/// Each thread gets the value of the thread whose number differs in one bit.
TEST_P(GpuEmulationTest, Shuffle) {
  const std::string body = R"(
    %width = arith.constant 32 : i32
    %offset = arith.constant 16 : i32
    %x = memref.load %m[%thread] : memref<1024xf32>
    %y, %valid = gpu.shuffle xor %x, %offset, %width : f32
    memref.store %y, %m[%thread] : memref<1024xf32>)";
  EXPECT_EQ(run(body), "");
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(memory[i], i ^ 16);
  // Half of a warp does not come.
  EXPECT_TRUE(finds("shuffles with a thread that is not there", R"(
    %c16 = arith.constant 16 : index
    %comes = arith.cmpi ult, %thread, %c16 : index
    scf.if %comes {)" + body + "\n}"));
}

TEST_P(GpuEmulationTest, DivergentShuffles) {
  EXPECT_TRUE(finds("threads diverge", R"(
    %width = arith.constant 32 : i32
    %offset = arith.constant 1 : i32
    %c16 = arith.constant 16 : index
    %isFirst = arith.cmpi ult, %thread, %c16 : index
    %x = memref.load %m[%thread] : memref<1024xf32>
    %result = scf.if %isFirst -> f32 {
      %y, %valid = gpu.shuffle xor %x, %offset, %width : f32
      scf.yield %y : f32
    } else {
      %y, %valid = gpu.shuffle up %x, %offset, %width : f32
      scf.yield %y : f32
    }
    memref.store %result, %m[%thread] : memref<1024xf32>)"));
}

TEST_P(GpuEmulationTest, DivergentBarrier) {
  EXPECT_TRUE(finds("threads diverge: thread 0 waits at barrier", R"(
    %isFirst = arith.cmpi ult, %thread, %c32 : index
    scf.if %isFirst {
      gpu.barrier
    })"));
}

/// Sums and maxima of blocks with any number of warps.
TEST_P(GpuEmulationTest, Reductions) {
  const std::string body = R"(
    %x = memref.load %m[%thread] : memref<1024xf32>
    %sum = gpu.all_reduce add %x uniform {} : (f32) -> f32
    %max = gpu.all_reduce maximumf %x uniform {} : (f32) -> f32
    %both = arith.addf %sum, %max : f32
    memref.store %both, %m[%thread] : memref<1024xf32>)";
  for (unsigned threads = 32; threads <= 256; threads += 32) {
    std::iota(std::begin(memory), std::end(memory), 0.0f);
    EXPECT_EQ(run(body, /*blocks=*/1, threads), "");
    for (unsigned i = 0; i < threads; ++i)
      EXPECT_EQ(memory[i], threads * (threads - 1) / 2 + threads - 1);
  }
}

TEST_P(GpuEmulationTest, TooManyThreads) {
  auto module = load("");
  ASSERT_TRUE(module);
  GpuEmulator emulator(GetParam());
  void *address = memory;
  emulator.launch(module->getKernels().at(0), {{1, 1, 1}, {96, 1, 1}},
                  std::vector<void *>{&address}.data(), {});
  ASSERT_EQ(emulator.getFindings().size(), 1u);
  EXPECT_EQ(emulator.getFindings()[0],
            "k: launch: 96 threads, but it is compiled for at most 64");
}

/// Unsupported operations are rejected.
TEST_P(GpuEmulationTest, Unknown) {
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  EXPECT_EQ(load("%clock = nvvm.read.ptx.sreg.clock : i32"), nullptr);
  EXPECT_NE(message.find("the emulation does not know"), std::string::npos)
      << message;
}

INSTANTIATE_TEST_SUITE_P(Orders, GpuEmulationTest,
                         ::testing::Values(0, 1, 2, 3));
