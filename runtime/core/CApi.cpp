//===- CApi.cpp - The C interface -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks arguments and calls the C++ interface. The only exception that the
// standard library may throw below is std::bad_alloc; it is converted to a
// status here.
//
//===----------------------------------------------------------------------===//

#include "nnet3/runtime/Runtime.h"
#include "nnet3/runtime/nnet3_runtime.h"

#include <algorithm>
#include <cstring>
#include <new>

using namespace nnet3::rt;

struct nnet3rt_program {
  std::shared_ptr<const Program> program;
};

struct nnet3rt_instance {
  std::unique_ptr<Instance> instance;
};

/// The text of nnet3rt_last_error(). A fixed buffer, so that setting it cannot
/// fail.
static thread_local char lastError[1024] = "";

static nnet3rt_status report(nnet3rt_status code, const char *message) {
  std::strncpy(lastError, message, sizeof(lastError) - 1);
  return code;
}

static nnet3rt_status report(const Status &status) {
  return status.ok() ? NNET3RT_OK
                     : report(status.statusCode(), status.message().c_str());
}

static nnet3rt_status nullArgument(const char *name) {
  return report(invalidArgument(std::string(name) + " is null"));
}

/// Runs \p body, which returns a status; converts std::bad_alloc to a status.
template <typename Function> static nnet3rt_status guarded(Function body) {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return report(NNET3RT_OUT_OF_MEMORY, "out of memory");
  }
}

/// Converts options of the caller's version to the current one: missing fields
/// are zero. Returns false if struct_size is invalid.
template <typename Options>
static bool readOptions(const Options *given, Options &options) {
  std::memset(static_cast<void *>(&options), 0, sizeof(options));
  if (!given)
    return true;
  if (given->struct_size < sizeof(uint32_t))
    return false;
  std::memcpy(static_cast<void *>(&options), given,
              std::min<size_t>(given->struct_size, sizeof(options)));
  return true;
}

static nnet3rt_status badStructSize() {
  return report(NNET3RT_INVALID_ARGUMENT, "struct_size of an argument is not "
                                          "set");
}

uint32_t nnet3rt_abi_version(void) { return NNET3RT_ABI_VERSION; }

const char *nnet3rt_last_error(void) { return lastError; }

/// Common part of loading from memory and from a file; \p load gets the
/// options.
template <typename Function>
static nnet3rt_status loadWith(const nnet3rt_load_options *given,
                               nnet3rt_program **program, Function load) {
  if (!program)
    return nullArgument("program");
  *program = nullptr;
  nnet3rt_load_options options;
  if (!readOptions(given, options))
    return badStructSize();
  return guarded([&] {
    LoadOptions loadOptions;
    loadOptions.weights = options.weights;
    loadOptions.weightsSize = options.weights_size;
    if (options.max_arena_bytes)
      loadOptions.maxArenaBytes = options.max_arena_bytes;
    Result<std::shared_ptr<const Program>> loaded = load(loadOptions);
    if (!loaded.ok())
      return report(loaded.status());
    *program = new nnet3rt_program{std::move(*loaded)};
    return nnet3rt_status(NNET3RT_OK);
  });
}

nnet3rt_status nnet3rt_program_load(const void *data, uint64_t size,
                                    const nnet3rt_load_options *options,
                                    nnet3rt_program **program) {
  return loadWith(options, program, [&](const LoadOptions &loadOptions) {
    return Program::load(data, size, loadOptions);
  });
}

nnet3rt_status nnet3rt_program_load_file(const char *path,
                                         const nnet3rt_load_options *options,
                                         nnet3rt_program **program) {
  if (!path)
    return nullArgument("path");
  return loadWith(options, program, [&](const LoadOptions &loadOptions) {
    return Program::loadFile(path, loadOptions);
  });
}

void nnet3rt_program_destroy(nnet3rt_program *program) { delete program; }

int32_t nnet3rt_program_num_inputs(const nnet3rt_program *program) {
  return program ? static_cast<int32_t>(program->program->inputs().size()) : 0;
}

int32_t nnet3rt_program_num_outputs(const nnet3rt_program *program) {
  return program ? static_cast<int32_t>(program->program->outputs().size()) : 0;
}

uint64_t nnet3rt_program_arena_bytes(const nnet3rt_program *program) {
  return program ? program->program->arenaBytes() : 0;
}

static nnet3rt_status describe(const std::vector<IoInfo> &list, int32_t index,
                               nnet3rt_io_info *info) {
  if (!info)
    return nullArgument("info");
  if (info->struct_size < sizeof(uint32_t))
    return badStructSize();
  if (index < 0 || static_cast<size_t>(index) >= list.size())
    return report(invalidArgument("expects an index below " +
                                  std::to_string(list.size()) + ", but got " +
                                  std::to_string(index)));
  const IoInfo &from = list[index];
  nnet3rt_io_info filled = {info->struct_size,
                            from.isDerivative,
                            from.name.data(),
                            from.rows,
                            from.cols,
                            from.n,
                            from.t,
                            from.x};
  std::memcpy(info, &filled,
              std::min<size_t>(info->struct_size, sizeof(filled)));
  return NNET3RT_OK;
}

nnet3rt_status nnet3rt_program_input_info(const nnet3rt_program *program,
                                          int32_t index,
                                          nnet3rt_io_info *info) {
  if (!program)
    return nullArgument("program");
  return guarded(
      [&] { return describe(program->program->inputs(), index, info); });
}

nnet3rt_status nnet3rt_program_output_info(const nnet3rt_program *program,
                                           int32_t index,
                                           nnet3rt_io_info *info) {
  if (!program)
    return nullArgument("program");
  return guarded(
      [&] { return describe(program->program->outputs(), index, info); });
}

static InstanceOptions convert(const nnet3rt_instance_options &options) {
  InstanceOptions converted;
  converted.poison = options.poison != 0;
  converted.seed = options.seed;
  if (options.trace)
    converted.trace = [trace = options.trace,
                       user = options.trace_user](const TraceEvent &event) {
      trace(user, event.after ? 1 : 0, event.command, event.text.data(),
            event.seconds);
    };
  return converted;
}

nnet3rt_status nnet3rt_instance_create(const nnet3rt_program *program,
                                       const nnet3rt_instance_options *given,
                                       nnet3rt_instance **instance) {
  if (!instance)
    return nullArgument("instance");
  *instance = nullptr;
  if (!program)
    return nullArgument("program");
  nnet3rt_instance_options options;
  if (!readOptions(given, options))
    return badStructSize();
  return guarded([&] {
    auto created = Instance::create(program->program, convert(options));
    if (!created.ok())
      return report(created.status());
    *instance = new nnet3rt_instance{std::move(*created)};
    return nnet3rt_status(NNET3RT_OK);
  });
}

void nnet3rt_instance_destroy(nnet3rt_instance *instance) { delete instance; }

nnet3rt_status nnet3rt_instance_set_input(nnet3rt_instance *instance,
                                          const char *name, const float *data,
                                          int32_t rows, int32_t cols,
                                          int64_t stride) {
  if (!instance)
    return nullArgument("instance");
  if (!name)
    return nullArgument("name");
  return guarded([&] {
    return report(instance->instance->setInput(
        name, ConstMatrixView(data, rows, cols, stride)));
  });
}

nnet3rt_status nnet3rt_instance_run(nnet3rt_instance *instance) {
  if (!instance)
    return nullArgument("instance");
  return guarded([&] { return report(instance->instance->run()); });
}

nnet3rt_status nnet3rt_instance_restart(nnet3rt_instance *instance) {
  if (!instance)
    return nullArgument("instance");
  instance->instance->restart();
  return NNET3RT_OK;
}

nnet3rt_status nnet3rt_instance_get_output(const nnet3rt_instance *instance,
                                           const char *name, const float **data,
                                           int32_t *rows, int32_t *cols,
                                           int64_t *stride) {
  if (!instance)
    return nullArgument("instance");
  if (!name)
    return nullArgument("name");
  if (!data)
    return nullArgument("data");
  return guarded([&] {
    Result<ConstMatrixView> output = instance->instance->output(name);
    if (!output.ok())
      return report(output.status());
    *data = output->data;
    if (rows)
      *rows = output->rows;
    if (cols)
      *cols = output->cols;
    if (stride)
      *stride = output->stride;
    return nnet3rt_status(NNET3RT_OK);
  });
}

nnet3rt_status nnet3rt_instance_copy_output(const nnet3rt_instance *instance,
                                            const char *name, float *data,
                                            int32_t rows, int32_t cols,
                                            int64_t stride) {
  const float *from = nullptr;
  int32_t haveRows = 0, haveCols = 0;
  int64_t haveStride = 0;
  const nnet3rt_status status = nnet3rt_instance_get_output(
      instance, name, &from, &haveRows, &haveCols, &haveStride);
  if (status != NNET3RT_OK)
    return status;
  if (!data)
    return nullArgument("data");
  if (rows != haveRows || cols != haveCols || stride < cols)
    return guarded([&] {
      return report(invalidArgument(
          "output '" + std::string(name) + "' expects a matrix of " +
          std::to_string(haveRows) + "x" + std::to_string(haveCols) +
          " and a stride of at least its columns, but got " +
          std::to_string(rows) + "x" + std::to_string(cols) + " and stride " +
          std::to_string(stride)));
    });
  for (int32_t r = 0; r < rows; ++r)
    std::memcpy(data + r * stride, from + r * haveStride, cols * sizeof(float));
  return NNET3RT_OK;
}
