/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===- nnet3_scheduler.h - Many live streams through one library ----------===*\
|*
|* Takes frames of any number of streams from any threads, computes them in
|* batches on threads of its own, and gives the outputs of each stream in order.
|* Plain C99, no dependencies. docs/user/Scheduler.md shows how to use it.
|*
|* Any number of threads may use a scheduler at once; calls for the same stream
|* are ordered by the caller. Structs begin with struct_size, which the caller
|* sets to sizeof the struct it was compiled with.
|*
\*===----------------------------------------------------------------------===*/

#ifndef NNET3_RUNTIME_NNET3_SCHEDULER_H
#define NNET3_RUNTIME_NNET3_SCHEDULER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NNET3SC_ABI_VERSION 1u

/** Version of the library's binary interface. */
uint32_t nnet3sc_abi_version(void);

/* ---- Status -------------------------------------------------------------- */

/** What a call came to. */
typedef int32_t nnet3sc_status;
enum {
  NNET3SC_OK = 0,
  /** A null pointer, a count below 0, an option out of its range, an i-vector
      that is missing, or struct_size is not set. */
  NNET3SC_INVALID_ARGUMENT = 1,
  /** There is no such stream, or it has ended. */
  NNET3SC_NO_SUCH_STREAM = 2,
  /** There is no room for all frames, or there are no outputs yet. */
  NNET3SC_WOULD_BLOCK = 3,
  /** The stream takes no frames behind nnet3sc_close(), or the scheduler is
      being destroyed. */
  NNET3SC_CLOSED = 4,
  /** The stream has ended, and all of its outputs have been taken. */
  NNET3SC_ENDED = 5,
  /** A step of the stream failed, and ended it. */
  NNET3SC_STEP_FAILED = 6,
  /** The library cannot be loaded, or it computes no streams. */
  NNET3SC_CANNOT_OPEN = 7,
  NNET3SC_OUT_OF_MEMORY = 8,
  /** The system has not so many threads. */
  NNET3SC_NO_THREADS = 9
};

/** Describes a status. Never null. */
const char *nnet3sc_error_text(nnet3sc_status status);

/* ---- Schedulers ---------------------------------------------------------- */

typedef struct nnet3sc_scheduler nnet3sc_scheduler;

/** A stream; no other of the scheduler has the number, before or later. */
typedef uint64_t nnet3sc_stream;

/** Outputs of a stream, in order. */
typedef struct nnet3sc_result {
  const float *rows; /**< borrowed for the call; rows follow each other */
  int32_t num_rows, num_cols;
  /** Whether the stream has ended with this: its number is not valid any more.
   */
  int32_t is_last;
  /** NNET3SC_STEP_FAILED if it was an error that ended it, else NNET3SC_OK. */
  nnet3sc_status status;
  /** What the step came to, by the library's own codes. */
  int32_t step_status;
} nnet3sc_result;

/** Takes outputs. A thread of the scheduler calls it, one at a time for each
    stream. It may call all functions but nnet3sc_destroy(); a push does not
   wait then. */
typedef void (*nnet3sc_result_fn)(void *context, nnet3sc_stream stream,
                                  const nnet3sc_result *result);

/** How to schedule. Zero-initialise, set struct_size. */
typedef struct nnet3sc_options {
  uint32_t struct_size;
  /** Threads that compute, each with memory of its own; 0 = 1. */
  int32_t num_workers;
  /** Not 0: each of them stays on one of the CPUs that the process may use. */
  int32_t pin_workers;
  /** Most streams that a step computes; 0 = as many as the library can at once.
   */
  int32_t max_batch;
  /** A stream whose frames have done for a chunk for so many seconds is
     computed although there is room for others in its batch; one that has been
     closed, at once. */
  double max_wait;
  /** Most frames of a stream that wait; 0 = two of the longest chunk and the
      right context. As many outputs wait to be polled as these frames and two
      of the longest chunk have. */
  int32_t max_frames;
  /** Not 0: a push waits for room. While outputs wait to be polled, there may
     be none: a thread that pushes and polls must not push more than max_frames
      frames before it polls all outputs that there are. */
  int32_t push_waits;
  /** Takes the outputs. Null: nnet3sc_poll() gives them. */
  nnet3sc_result_fn on_result;
  void *context;
  /** Receives what exactly went wrong where nnet3sc_create() fails, cut off to
      fit. The caller's memory of message_size bytes; may be null. */
  char *message;
  uint64_t message_size;
} nnet3sc_options;

/** Makes a scheduler for the library \p path, made by `nnet3-compile
    --streaming`, whose functions begin with \p prefix.
    \param weights_path file of the weights; null if they are in the library.
    \param options borrowed for the call; null = defaults.
    \param scheduler receives it, owned by the caller, to be destroyed with
        nnet3sc_destroy(); null on error. */
nnet3sc_status nnet3sc_create(const char *path, const char *prefix,
                              const char *weights_path,
                              const nnet3sc_options *options,
                              nnet3sc_scheduler **scheduler);

/** Destroys a scheduler, which may be null, when its threads have finished the
    steps that they are at. Streams that are open end without more outputs;
   calls that wait return NNET3SC_CLOSED. No other call may begin. */
void nnet3sc_destroy(nnet3sc_scheduler *scheduler);

/** What streams take and give. */
typedef struct nnet3sc_info {
  uint32_t struct_size;
  /** Columns of frames, of i-vectors (0: there are none) and of outputs. */
  int32_t input_dim, ivector_dim, output_dim;
  /** There is an output for every so many frames. */
  int32_t frame_subsampling_factor;
  /** Frames behind a chunk that its outputs read. */
  int32_t right_context;
  int32_t shortest_chunk, longest_chunk;
  int32_t max_batch, max_frames;
} nnet3sc_info;

/** \param info the caller's, with struct_size set; filled in. */
nnet3sc_status nnet3sc_get_info(const nnet3sc_scheduler *scheduler,
                                nnet3sc_info *info);

/* ---- Streams ------------------------------------------------------------- */

/** Begins a stream. \param stream receives its number. */
nnet3sc_status nnet3sc_open(nnet3sc_scheduler *scheduler,
                            nnet3sc_stream *stream);

/** Adds frames to a stream.
    \param frames \p num_frames rows that follow each other; copied.
    \param ivector of these frames and later ones; null: as before. The first
        frames need one if the network takes i-vectors.
    \param num_taken receives how many frames there was room for: all of them if
        the call returns NNET3SC_OK. May be null. */
nnet3sc_status nnet3sc_push(nnet3sc_scheduler *scheduler, nnet3sc_stream stream,
                            const float *frames, int32_t num_frames,
                            const float *ivector, int32_t *num_taken);

/** Says that no more frames come: computes the outputs that are left, for which
    copies of the last frame stand for those behind it. */
nnet3sc_status nnet3sc_close(nnet3sc_scheduler *scheduler,
                             nnet3sc_stream stream);

/** Ends a stream at once. A result that is being given is not waited for. */
nnet3sc_status nnet3sc_cancel(nnet3sc_scheduler *scheduler,
                              nnet3sc_stream stream);

/** Takes outputs of a stream, where they do not go to on_result.
    \param rows receives at most \p max_rows of output_dim columns.
    \param timeout seconds to wait if there are none; 0 = not at all.
    \param num_rows receives how many there are.
    \return NNET3SC_OK with rows, NNET3SC_WOULD_BLOCK if there are none yet;
   when all have been taken NNET3SC_ENDED or NNET3SC_STEP_FAILED, and the
        stream's number is not valid any more. */
nnet3sc_status nnet3sc_poll(nnet3sc_scheduler *scheduler, nnet3sc_stream stream,
                            float *rows, int32_t max_rows, double timeout,
                            int32_t *num_rows);

/* ---- Metrics ------------------------------------------------------------- */

/** Since the scheduler was made, or since nnet3sc_reset_metrics(). */
typedef struct nnet3sc_metrics {
  uint32_t struct_size;
  /** Length of batch_sizes. */
  int32_t num_batch_sizes;
  /** The caller's, or null: entry i receives how many steps computed i + 1
      streams. */
  uint64_t *batch_sizes;
  /** Streams now, and those of them whose frames do for a chunk. */
  uint64_t num_streams, num_ready;
  uint64_t num_opened, num_ended, num_failed;
  uint64_t num_frames, num_outputs; /**< taken and given */
  uint64_t num_steps, num_chunks;   /**< calls of the library; of streams */
  double seconds;
  /** Share of the time that the workers computed, of 1. */
  double utilisation;
  /** Seconds from the arrival of a chunk's first new frame until its outputs;
      an upper bound within 4%. */
  double latency_p50, latency_p99, latency_max;
  /** Seconds from the time when the frames of a chunk were there. */
  double delay_p50, delay_p99, delay_max;
} nnet3sc_metrics;

/** \param metrics the caller's, with struct_size set; filled in. */
nnet3sc_status nnet3sc_get_metrics(const nnet3sc_scheduler *scheduler,
                                   nnet3sc_metrics *metrics);

/** Begins to count anew. */
nnet3sc_status nnet3sc_reset_metrics(nnet3sc_scheduler *scheduler);

#ifdef __cplusplus
}
#endif

#endif /* NNET3_RUNTIME_NNET3_SCHEDULER_H */
