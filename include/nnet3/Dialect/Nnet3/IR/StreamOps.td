//===- StreamOps.td - Streams ------------------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_STREAMOPS_TD
#define NNET3_DIALECT_NNET3_IR_STREAMOPS_TD

include "nnet3/Dialect/Nnet3/IR/Nnet3Attributes.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"

class Nnet3_Count<int least>
    : ConfinedAttr<I64Attr, [IntMinValue<least>, IntMaxValue<16777216>]>;

def Nnet3_StreamOp : Nnet3_Op<"stream", [
    Nnet3_RequestPhase, Symbol, IsolatedFromAbove, NoTerminator, SingleBlock,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let opDocGroup = Nnet3_RequestDocs;
  let summary = "computes a network for one chunk of frames after the other";
  let description = [{
    Represents a function from a state and the frames of a chunk to the next
    state and the outputs of the chunk. The `nnet3.stream_state` ops in the body
    list the rows of the state; each `nnet3.stream_chunk` op names the requests
    for chunks of one length. All lengths share the state, so that chunks of
    different lengths may follow each other.

    Times are relative to the first output of a chunk. A chunk of C frames adds
    the input rows from time `right` to C + `right` - 1; the first chunk of a
    stream adds the rows from time -`left` on. There is an i-vector for each
    multiple of `ivector_period`, and an output row for each multiple of
    `frame_subsampling_factor`. The state lists the rows of one stream. A chunk
    with `num_sequences` computes several streams at once: its matrices hold the
    rows of one stream after the other.

    `depends_on_chunks` states that the outputs depend on the chunk lengths,
    because the network has optional reads (`IfDefined`, `Failover`) of rows
    beyond the right context, which are absent at the end of a chunk.
    `depends_on_end` states that only the last outputs of an utterance depend on
    frames after their right context, which a chunk has if the utterance ends
    within a period of the outputs or of the network.

    Example:

    ```mlir
    nnet3.stream @stream for @net left 1 right 1 {
      nnet3.stream_state "input" <t = -1:0>
      nnet3.stream_state "h" <t = -1> to "h.next"
      nnet3.stream_chunk 4 first @first4 next @next4
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$network,
                       Nnet3_Count<0>:$left, Nnet3_Count<0>:$right,
                       DefaultValuedAttr<Nnet3_Count<1>, "1">
                           :$frame_subsampling_factor,
                       DefaultValuedAttr<Nnet3_Count<1>, "1">:$ivector_period,
                       UnitAttr:$depends_on_chunks, UnitAttr:$depends_on_end);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `for` $network `left` $left `right` $right
    (`frame_subsampling_factor` $frame_subsampling_factor^)?
    (`ivector_period` $ivector_period^)?
    (`depends_on_chunks` $depends_on_chunks^)?
    (`depends_on_end` $depends_on_end^)?
    attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the rows of the input node `input` or `ivector` that a chunk
    /// adds; none for other nodes.
    ::llvm::SmallVector<::mlir::nnet3::Index>
    getNewRows(::llvm::StringRef node, int64_t chunk, bool isFirst);
    /// Returns the rows of a node that are an input of the request for a chunk:
    /// the rows of the state, followed by the new rows.
    ::llvm::SmallVector<::mlir::nnet3::Index>
    getInputRows(::llvm::StringRef node, int64_t chunk, bool isFirst);
    /// Returns the output rows of a chunk.
    ::llvm::SmallVector<::mlir::nnet3::Index> getOutputRows(int64_t chunk);
    /// Returns `rows`, shifted by `shift` frames, for each of `numSequences`
    /// sequences.
    ::mlir::nnet3::IndexesAttr
    getIndexes(::llvm::ArrayRef<::mlir::nnet3::Index> rows,
               int64_t numSequences, int64_t shift = 0);
  }];
}

class Nnet3_StreamPartOp<string mnemonic>
    : Nnet3_Op<mnemonic, [Nnet3_RequestPhase, HasParent<"StreamOp">]> {
  let opDocGroup = Nnet3_RequestDocs;
}

def Nnet3_StreamStateOp : Nnet3_StreamPartOp<"stream_state"> {
  let summary = "rows of a node that a stream keeps for later chunks";
  let description = [{
    Lists rows of one sequence. Times are relative to the first output of the
    next chunk. The caller keeps rows of an input node and passes them before
    the new rows. Rows of a component node are an input of each request but the
    first; the output node `output` has their values for the next chunk. A row
    that was not computable, because the stream had not begun at its time, is
    zero.

    Example:

    ```mlir
    nnet3.stream @stream for @net left 0 right 0 {
      nnet3.stream_state "lstm.rp" <t = -3:-1> to "lstm.rp.next"
      nnet3.stream_chunk 21 first @first21 next @next21
    }
    ```
  }];
  let arguments = (ins StrAttr:$node, Nnet3_IndexesAttr:$indexes,
                       OptionalAttr<StrAttr>:$output);
  let assemblyFormat = "$node $indexes (`to` $output^)? attr-dict";
}

def Nnet3_StreamChunkOp : Nnet3_StreamPartOp<"stream_chunk"> {
  let summary = "the requests for chunks of one length";
  let description = [{
    `first` computes the first chunk of a stream, `next` all others. Without
    `first`, chunks of this length are too short to begin a stream, because they
    do not compute the whole state. Each request computes `num_sequences`
    independent streams. The ops are sorted by their number of frames, then by
    their number of sequences.

    Example:

    ```mlir
    nnet3.stream @stream for @net left 2 right 2 {
      nnet3.stream_state "input" <t = -2:1>
      nnet3.stream_chunk 3 next @next3
      nnet3.stream_chunk 21 first @first21 next @next21
      nnet3.stream_chunk 21 num_sequences 4 first @first21x4 next @next21x4
      nnet3.stream_chunk 150 first @first150 next @next150
    }
    ```
  }];
  let arguments = (ins Nnet3_Count<1>:$num_frames,
                       DefaultValuedAttr<Nnet3_Count<1>, "1">:$num_sequences,
                       OptionalAttr<FlatSymbolRefAttr>:$first,
                       FlatSymbolRefAttr:$next);
  let assemblyFormat = [{
    $num_frames (`num_sequences` $num_sequences^)? (`first` $first^)?
    `next` $next attr-dict
  }];
}

#endif // NNET3_DIALECT_NNET3_IR_STREAMOPS_TD
