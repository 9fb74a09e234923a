# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes supervision of utterances of chain examples in text, and compares the
graphs of two tables.

    chain-get-egs.test.py strip EXAMPLES SUPERVISION FEATURES
    chain-get-egs.test.py compare EXAMPLES EXAMPLES
"""
import re
import sys

HEADER = re.compile(r"<Supervision>.*<FramesPerSeq> (\d+) .*<End2End> F")


def read_graphs(path):
    """For each example its key, the line before the graph from <Supervision>
    on, and the words of the graph's lines."""
    with open(path) as file:
        for line in file:
            if "<Nnet3ChainEg>" in line:
                words = line.split()
                key = words[words.index("<Nnet3ChainEg>") - 1]
            found = HEADER.search(line)
            if not found:
                continue
            graph = []
            for line in file:
                if not line.strip():
                    break
                graph.append(line.split())
            yield key, found.group(0), int(found.group(1)), graph


def strip(examples, supervision, features):
    with open(supervision, "w") as to, open(features, "w") as matrices:
        for key, header, num_frames, graph in read_graphs(examples):
            arcs = ["\t".join(words[:4 if len(words) > 2 else 1]) for words in graph]
            to.write(f"{key} {header} \n" + "\n".join(arcs) + "\n\n</Supervision>\n")
            matrices.write(f"{key}  [\n" + "  0\n" * (3 * num_frames - 1) + "  0 ]\n")


def find_paths(graph):
    """The costs of all paths by their labels."""
    arcs, final = {}, {}
    for words in graph:
        if len(words) > 2:
            arcs.setdefault(words[0], []).append(
                (words[1], words[2], float(words[4]) if len(words) > 4 else 0.0))
        else:
            final[words[0]] = float(words[1]) if len(words) > 1 else 0.0
    costs = {}

    def follow(state, labels, cost):
        if state in final:
            path = " ".join(labels)
            assert path not in costs, "a graph that is not deterministic"
            costs[path] = cost + final[state]
        for target, label, more in arcs.get(state, []):
            follow(target, labels + [label], cost + more)

    follow(graph[0][0], [], 0.0)
    return costs


def compare(one, other):
    count = 0
    for (key, _, _, graph), (again_key, _, _, again) in zip(
            read_graphs(one), read_graphs(other), strict=True):
        assert again_key == f"{key}-0", (key, again_key)
        costs, again_costs = find_paths(graph), find_paths(again)
        assert costs.keys() == again_costs.keys(), key
        for path, cost in costs.items():
            assert abs(cost - again_costs[path]) < 1e-4, (key, path, cost, again_costs[path])
        count += 1
    print(f"{count} graphs with the same paths")


{"strip": strip, "compare": compare}[sys.argv[1]](*sys.argv[2:])
