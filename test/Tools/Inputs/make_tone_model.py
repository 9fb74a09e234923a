# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a folder like those of Vosk, whose model knows two words: a low tone is
`low`, and a high one `high`.

    make_tone_model.py IVECTORS FOLDER

IVECTORS has the extractor `small`. nnet3-init makes net.raw of FOLDER/config,
and nnet3-am-init the acoustic model. FOLDER/sound.wav has three words.
"""
import math
import pathlib
import shutil
import struct
import sys
import wave

WORDS = ["<eps>", "low", "high"]
# Log energies of five bands, four numbers of the i-vector, an offset; for the
# outputs low, high and silence.
MATRIX = """ [
  1 0 0 0 0 0 0 0 0 0
  0 0 0 0 1 0 0 0 0 0
  0 0 0 0 0 0 0 0 0 17 ]
"""
CONFIG = """input-node name=input dim=5
input-node name=ivector dim=4
component name=scores type=FixedAffineComponent matrix={}/matrix
component-node name=scores component=scores input=Append(input, ReplaceIndex(ivector, t, 0))
output-node name=output input=scores
"""
TREE = "ContextDependency 1 0 ToPdf TE 0 4 ( NULL {}) EndContextDependency\n"
TOPOLOGY = """<Topology>
<TopologyEntry>
<ForPhones> 1 2 3 </ForPhones>
<State> 0 <PdfClass> 0 <Transition> 0 0.5 <Transition> 1 0.5 </State>
<State> 1 </State>
</TopologyEntry>
</Topology>
"""
# Without it, a tone could be many words.
WORD_COST = 30.0


def string(text):
    return struct.pack("<i", len(text)) + text.encode()


def make_graph():
    """OpenFst's file of a vector FST: each phone has a state with a loop."""
    arcs = [[(2 * p - 1, p if p < 3 else 0, WORD_COST, p) for p in (1, 2, 3)]]
    for p in (1, 2, 3):
        arcs.append([(2 * p - 1, 0, 0.0, p), (2 * p, 0, 0.0, 0)])
    data = struct.pack("<i", 2125659606) + string("vector") + string("standard")
    data += struct.pack("<iiQqqq", 2, 0, 3, 0, len(arcs), sum(map(len, arcs)))
    for state, leaving in enumerate(arcs):
        data += struct.pack("<fq", 0.0 if state == 0 else math.inf, len(leaving))
        for arc in leaving:
            data += struct.pack("<iifi", *arc)
    return data


def write_sound(path, rate=16000):
    """Silence around three tones of 0.3 seconds."""
    samples = []
    for frequency in (0, 300, 0, 6500, 0, 300, 0):
        for i in range(int((0.3 if frequency else 0.2) * rate)):
            phase = 2 * math.pi * frequency * i / rate
            samples.append(int(8000 * math.sin(phase)) + (i * 7919 % 5) - 2)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(struct.pack(f"<{len(samples)}h", *samples))


def main():
    extractor, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    for name in ("am", "conf", "graph"):
        (folder / name).mkdir(parents=True)
    shutil.copytree(extractor / "small", folder / "ivector")
    (folder / "conf/fbank.conf").write_text("--num-mel-bins=5\n--energy-floor=1\n")
    (folder / "conf/model.conf").write_text(
        "--beam=200\n--acoustic-scale=1.0\n--lattice-beam=2\n"
        "--endpoint.rule2.min-trailing-silence=0.5\n"
    )
    (folder / "matrix").write_text(MATRIX)
    (folder / "config").write_text(CONFIG.format(folder))
    (folder / "tree").write_text(
        TREE.format("".join(f"TE -1 1 ( CE {pdf} ) " for pdf in range(3)))
    )
    (folder / "topology").write_text(TOPOLOGY)
    (folder / "graph/HCLG.fst").write_bytes(make_graph())
    (folder / "graph/words.txt").write_text(
        "".join(f"{word} {i}\n" for i, word in enumerate(WORDS))
    )
    write_sound(folder / "sound.wav")
    write_sound(folder / "slow.wav", rate=8000)


main()
