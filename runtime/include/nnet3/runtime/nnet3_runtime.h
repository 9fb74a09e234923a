/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===- nnet3_runtime.h - C interface of the nnet3 runtime -----------------===*\
|*
|* Loads compiled nnet3 programs and runs them. Plain C99, no dependencies.
|*
|* Version: NNET3RT_ABI_VERSION is the version of this header, and
|* nnet3rt_abi_version() that of the library. They must be equal. Structs that
|* may grow begin with struct_size, which the caller sets to sizeof the struct
|* it was compiled with.
|*
|* Threads: a program never changes after it is loaded, and any number of
|* threads may use it at once. An instance serves one thread at a time. The only
|* global state is the thread-local text of nnet3rt_last_error().
|*
|* Matrices are row-major float32; a stride is the distance of two rows in
|* floats and is at least the number of columns.
|*
\*===----------------------------------------------------------------------===*/

#ifndef NNET3_RUNTIME_NNET3_RUNTIME_H
#define NNET3_RUNTIME_NNET3_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NNET3RT_ABI_VERSION 1u

/** Version of the library's binary interface. */
uint32_t nnet3rt_abi_version(void);

/* ---- Status ------------------------------------------------------------- */

/** The result of a call. */
typedef int32_t nnet3rt_status;
enum {
  NNET3RT_OK = 0,
  /** An argument is wrong: a null pointer, an unknown name, other dims. */
  NNET3RT_INVALID_ARGUMENT = 1,
  /** The program is damaged, or was made for another version. */
  NNET3RT_INVALID_PROGRAM = 2,
  /** The program needs a feature that this runtime does not support. */
  NNET3RT_UNSUPPORTED = 3,
  NNET3RT_OUT_OF_MEMORY = 4,
  /** A file cannot be opened, read or mapped. */
  NNET3RT_IO_ERROR = 5,
  /** The call is not possible now, such as a run without all inputs. */
  NNET3RT_NOT_READY = 6,
  /** There is no GPU, or it does not work. */
  NNET3RT_NO_DEVICE = 7
};

/** Returns the error message of this thread's latest call that did not return
    NNET3RT_OK; an empty string before the first. Owned by the library; valid
    until the next call of this thread that fails. Never null. */
const char *nnet3rt_last_error(void);

/* ---- Programs ------------------------------------------------------------ */

typedef struct nnet3rt_program nnet3rt_program;

/** Options of loading. Zero-initialise, then set struct_size. */
typedef struct nnet3rt_load_options {
  uint32_t struct_size;
  uint32_t reserved; /**< zero */
  /** Weights to use in place of the program's own; null = its own. Borrowed:
      they must stay unchanged until the program is destroyed. Aligned to 4
      bytes at least. Any number of programs may borrow the same weights. */
  const void *weights;
  uint64_t weights_size;
  /** A program whose instances need more bytes than this for matrices is
      rejected. 0 = 16 GiB. */
  uint64_t max_arena_bytes;
} nnet3rt_load_options;

/** Loads a program from memory: a whole program file, or only its FlatBuffer
    (then its weights come from the options). Everything is verified first.
    \param data borrowed until the call returns; if its weights are used, it
   must stay unchanged until the program is destroyed.
    \param options borrowed for the call; null = defaults.
    \param program receives the program, owned by the caller, to be destroyed
        with nnet3rt_program_destroy(); null on error. */
nnet3rt_status nnet3rt_program_load(const void *data, uint64_t size,
                                    const nnet3rt_load_options *options,
                                    nnet3rt_program **program);

/** Loads a program from a file, which is mapped read-only until the program is
    destroyed; it must not be truncated or changed meanwhile.
    \param path borrowed for the call. */
nnet3rt_status nnet3rt_program_load_file(const char *path,
                                         const nnet3rt_load_options *options,
                                         nnet3rt_program **program);

/** Destroys a program, which may be null. Instances made from it stay valid,
    and keep a mapped file mapped; borrowed memory must outlive them. */
void nnet3rt_program_destroy(nnet3rt_program *program);

/** An input or output matrix of a program. */
typedef struct nnet3rt_io_info {
  uint32_t struct_size;
  /** Nonzero: the matrix is the derivative at the node instead of its value: an
      input for an output node, or an output for an input node. */
  int32_t is_derivative;
  /** Name of the node. Owned by the program. */
  const char *name;
  int32_t rows, cols;
  /** The index (n, t, x) of each row, `rows` entries each, owned by the
     program; null if the program does not have them. */
  const int32_t *n, *t, *x;
} nnet3rt_io_info;

/** Number of input and output matrices of the program; 0 for null. */
int32_t nnet3rt_program_num_inputs(const nnet3rt_program *program);
int32_t nnet3rt_program_num_outputs(const nnet3rt_program *program);

/** Describes input or output number \p index.
    \param info the caller's, with struct_size set; filled in. */
nnet3rt_status nnet3rt_program_input_info(const nnet3rt_program *program,
                                          int32_t index, nnet3rt_io_info *info);
nnet3rt_status nnet3rt_program_output_info(const nnet3rt_program *program,
                                           int32_t index,
                                           nnet3rt_io_info *info);

/** Bytes of matrices that each instance allocates; 0 for null. */
uint64_t nnet3rt_program_arena_bytes(const nnet3rt_program *program);

/* ---- Instances ------------------------------------------------------------

   A program has one part, or two if one of its inputs is a derivative: the
   forward pass reads the values of inputs and computes the values of outputs;
   the backward pass reads the derivatives of outputs and computes the
   derivatives of inputs. Each nnet3rt_instance_run() runs the next part; the
   first follows the last. A caller of a program with derivatives sets the
   inputs, runs, reads the outputs, sets their derivatives, runs again, and
   reads the derivatives of the inputs. This interface does not compute
   derivatives of parameters, and does not change the model. */

typedef struct nnet3rt_instance nnet3rt_instance;

/** Called before (phase 0) and after (phase 1) each command.
    \param user the pointer of the options.
    \param text the command as text; valid during the call.
    \param seconds how long the command took; 0 in phase 0. */
typedef void (*nnet3rt_trace_fn)(void *user, int32_t phase, int32_t command,
                                 const char *text, double seconds);

/** Options of instances. Zero-initialise, then set struct_size. */
typedef struct nnet3rt_instance_options {
  uint32_t struct_size;
  /** Nonzero: matrices whose contents are undefined are filled with NaN. */
  uint32_t poison;
  /** Seed of random components in training mode. Random numbers depend only on
      the seed, the number of the run, the number of the propagate command among
      those that draw, and the element. */
  uint64_t seed;
  /** May be null. */
  nnet3rt_trace_fn trace;
  /** Passed to trace; borrowed until the instance is destroyed. */
  void *trace_user;
} nnet3rt_instance_options;

/** Creates an instance: the memory of one run at a time.
    \param options borrowed for the call; null = defaults.
    \param instance receives it, owned by the caller, to be destroyed with
        nnet3rt_instance_destroy(); null on error. */
nnet3rt_status nnet3rt_instance_create(const nnet3rt_program *program,
                                       const nnet3rt_instance_options *options,
                                       nnet3rt_instance **instance);

/** Destroys an instance, which may be null. */
void nnet3rt_instance_destroy(nnet3rt_instance *instance);

/** Supplies input \p name, a value or a derivative, for the next run of the
    part that takes it.
    \param data rows x cols floats, borrowed: they must stay unchanged until
        that run has returned. They are copied, not written.
    \param stride floats from row to row, at least \p cols. */
nnet3rt_status nnet3rt_instance_set_input(nnet3rt_instance *instance,
                                          const char *name, const float *data,
                                          int32_t rows, int32_t cols,
                                          int64_t stride);

/** Runs the next part of the program. Every input of the part must have been
    supplied since it last ran. Allocates nothing. */
nnet3rt_status nnet3rt_instance_run(nnet3rt_instance *instance);

/** Makes the first part the next one, to skip the backward pass. */
nnet3rt_status nnet3rt_instance_restart(nnet3rt_instance *instance);

/** Returns output \p name, once the part that computes it has run.
    \param data receives a pointer owned by the instance, valid until the first
        part runs again or the instance is destroyed.
    \param rows,cols,stride receive the layout; each may be null. */
nnet3rt_status nnet3rt_instance_get_output(const nnet3rt_instance *instance,
                                           const char *name, const float **data,
                                           int32_t *rows, int32_t *cols,
                                           int64_t *stride);

/** Copies output \p name, once the part that computes it has run.
    \param data the caller's, rows x cols floats with the given stride; the dims
        must be those of the output. */
nnet3rt_status nnet3rt_instance_copy_output(const nnet3rt_instance *instance,
                                            const char *name, float *data,
                                            int32_t rows, int32_t cols,
                                            int64_t stride);

#ifdef __cplusplus
}
#endif

#endif /* NNET3_RUNTIME_NNET3_RUNTIME_H */
