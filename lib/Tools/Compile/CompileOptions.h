//===- CompileOptions.h - The command line of nnet3-compile -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_PIPELINES_COMPILEOPTIONS_H
#define LIB_PIPELINES_COMPILEOPTIONS_H

#include "ChunkRequests.h"
#include "nnet3/Target/Library/LibraryEmitter.h"
#include "nnet3/Tools/PrecisionSearch.h"

namespace mlir::nnet3 {

/// What to write. The first ones are the stages of NativeCode.h.
enum class Emit {
  Network,
  Commands,
  Optimized,
  Fused,
  Kernels,
  Loops,
  LLVMDialect,
  LLVM,
  Assembly,
  Object,
  Library,
  Archive,
  PTX,
  Linalg
};

/// What runs the code.
enum class Device { CPU, CUDA };

/// What the command line says: what a library is to be, and what of.
struct CompileOptions : LibraryOptions {
  std::string model, output;
  /// With which the parameters of a config are drawn.
  uint64_t initSeed = 0;
  /// A file with requests, or chunks of these shapes.
  std::string request;
  ChunkShapes chunks;
  /// The chunks are those of streams.
  bool streaming = false, allowChunkedRecurrence = false;
  unsigned ivectorPeriod = 0;
  /// Without either, the model has requests.
  bool hasRequests() const {
    return !request.empty() || !chunks.frames.empty();
  }
  Emit emit = Emit::Library;
  /// IR is written as bytecode.
  bool emitBytecode = false;
  /// IR is written without parameters.
  bool elideWeights = false;
  Device device = Device::CPU;
  /// The CPUs of a library that has code for several; else none.
  std::vector<CodeTarget> variants;
  /// What PTX is made for.
  std::vector<std::string> gpuArchs;
  /// Batch norm and dropout as at test time, whatever the model says.
  bool testMode = true;
  bool usePriors = false;
  Precision precision = Precision::F32;
  /// Components with another precision, as "NAME:PRECISION".
  std::vector<std::string> componentPrecisions;
  /// How the precision of each component is found, if it is.
  PrecisionSearchOptions search;
  /// Whether to print the passes instead of running them.
  bool dumpPipeline = false;

  /// Reads the command line. False, after an error, if it makes no sense.
  bool parse(int argc, char **argv);

  /// Whether IR is written.
  bool emitsIR() const {
    return emit <= Emit::LLVMDialect || emit == Emit::Linalg;
  }

  /// Whether a library is written, in one of its forms.
  bool emitsLibrary() const {
    return emit == Emit::Library || emit == Emit::Archive ||
           emit == Emit::Object;
  }

  /// Whether the library is a module for browsers.
  bool isWebModule() const {
    return emit == Emit::Library && device == Device::CPU &&
           target.getTriple().isWasm();
  }

  /// The files of a library: with `-o dir/asr` dir/libasr.so, dir/libasr.a,
  /// dir/asr.o or dir/asr.wasm, and beside it dir/asr.h, dir/asr.mjs and
  /// others.
  std::string getLibraryPath() const;
  std::string getPath(const char *extension) const {
    return output + extension;
  }

private:
  /// Sets what code is for, as --target, --target-cpu and --target-features
  /// say. Returns what is wrong with them; empty if nothing is.
  std::string chooseTarget(const std::string &name, const std::string &cpu,
                           const std::string &features);
  /// The same for several CPUs in one library.
  std::string chooseVariants(const std::string &triple,
                             const std::string &features);
  /// The error in the options; empty if there is none.
  std::string check() const;
  std::string checkSearch() const;
};

} // namespace mlir::nnet3

#endif // LIB_PIPELINES_COMPILEOPTIONS_H
