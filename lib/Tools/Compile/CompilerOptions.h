//===- CompilerOptions.h - The command line of nnet3-compile ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_LIB_TOOLS_COMPILE_COMPILEROPTIONS_H
#define NNET3_LIB_TOOLS_COMPILE_COMPILEROPTIONS_H

#include "ChunkRequests.h"
#include "nnet3/Target/Library/LibraryEmitter.h"
#include "nnet3/Tools/PrecisionSearch.h"

namespace mlir::nnet3 {

/// The output format. The first ones are the stages of NativeCode.h.
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

/// The device that runs the code.
enum class Device { CPU, CUDA };

/// The command line: properties of the library, and its source.
struct CompilerOptions : LibraryOptions {
  std::string model, output;
  /// Seed for the random initialisation of a config's parameters.
  uint64_t initSeed = 0;
  /// A file with requests, or shapes of chunks.
  std::string request;
  ChunkShapes chunks;
  /// Whether the chunks are those of streams.
  bool streaming = false, allowChunkedRecurrence = false;
  unsigned ivectorPeriod = 0;
  /// Returns true if the options give requests; otherwise the model must have
  /// them.
  bool hasRequests() const {
    return !request.empty() || !chunks.frames.empty();
  }
  Emit emit = Emit::Library;
  /// Whether IR is written as bytecode.
  bool emitBytecode = false;
  /// Whether IR is written without parameters.
  bool elideWeights = false;
  Device device = Device::CPU;
  /// The CPUs of a multi-variant library; otherwise empty.
  std::vector<CodeTarget> variants;
  /// The architectures that PTX is generated for.
  std::vector<std::string> gpuArchs;
  /// Whether batch norm and dropout are in test mode, whatever the model says.
  bool testMode = true;
  bool usePriors = false;
  Precision precision = Precision::F32;
  /// Components with another precision, as "NAME:PRECISION".
  std::vector<std::string> componentPrecisions;
  /// Options of the search for the precision of each component.
  PrecisionSearchOptions search;
  /// Whether to print the passes instead of running them.
  bool dumpPipeline = false;

  /// Parses the command line. Returns false after an error.
  bool parse(int argc, char **argv);

  /// Returns true if IR is written.
  bool emitsIR() const {
    return emit <= Emit::LLVMDialect || emit == Emit::Linalg;
  }

  /// Returns true if a library is written, in any format.
  bool emitsLibrary() const {
    return emit == Emit::Library || emit == Emit::Archive ||
           emit == Emit::Object;
  }

  /// Returns true if the library is a WebAssembly module.
  bool isWebModule() const {
    return emit == Emit::Library && device == Device::CPU &&
           target.getTriple().isWasm();
  }

  /// Return the paths of a library's files. With `-o dir/asr` these are
  /// dir/libasr.so, dir/libasr.a, dir/asr.o or dir/asr.wasm, and next to it
  /// dir/asr.h, dir/asr.mjs and others.
  std::string getLibraryPath() const;
  std::string getPath(const char *extension) const {
    return output + extension;
  }

private:
  /// Sets the target from --target, --target-cpu and --target-features. Returns
  /// an error message, or an empty string.
  std::string chooseTarget(const std::string &name, const std::string &cpu,
                           const std::string &features);
  /// Like chooseTarget(), for several CPUs in one library.
  std::string chooseVariants(const std::string &triple,
                             const std::string &features);
  /// Returns an error message for inconsistent options, or an empty string.
  std::string check() const;
  std::string checkSearch() const;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_TOOLS_COMPILE_COMPILEROPTIONS_H
