# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the logs of Kaldi's programs say, in the form of the reference's cases."""
import re


def _parse_probabilities(log):
    pattern = (
        r"Overall (log-likelihood|objective|log-probability|accuracy) for "
        r"'(\S+)' is (\S+) (?:\+ (\S+) = (\S+) )?per frame, over (\S+) frames\."
    )
    found = {}
    for kind, output, value, auxiliary, total, frames in re.findall(pattern, log):
        numbers = {"per_frame": float(value), "frames": float(frames)}
        if auxiliary:
            numbers.update(auxiliary=float(auxiliary), sum=float(total))
        found.setdefault(output, {})[kind] = numbers
    pattern = r"Overall per-dim accuracy vector for '(\S+)' is \[(.*)\]"
    for output, numbers in re.findall(pattern, log):
        found[output]["per_dim_accuracy"] = [float(n) for n in numbers.split()]
    return found


def _parse_combine(log):
    first = re.search(r"objective function using the last model is (\S+)", log)
    later = re.findall(r"Combining last (\d+) models, objective function is (\S+)", log)
    chosen = re.search(
        r"Combining (\d+) nnets, objective function changed from (\S+) to (\S+)", log
    )
    return {
        "objectives": [[1, float(first[1])]] + [[int(n), float(v)] for n, v in later],
        "chosen": int(chosen[1]),
        "from": float(chosen[2]),
        "to": float(chosen[3].rstrip(".")),
    }


def _read_components(text):
    pairs = (pair.rsplit(":", 1) for pair in text.split())
    return {name: float(value) for name, value in pairs}


def _parse_progress(log):
    positions = re.findall(r"At position (\S+), objf per frame is (\S+)", log)
    found = {"positions": [[float(a), float(b)] for a, b in positions]}
    if positions:
        # Later lines replace earlier ones.
        found["last_segment"] = _parse_probabilities(log)
    lines = {
        "objf_change": r"Total objf change per component is \[(.*)\]",
        "difference": r"Parameter differences per layer are \[(.*)\]",
        "norm": r"Norms of parameter matrices from <new-nnet-in> are \[(.*)\]",
        "relative_difference": r"Relative parameter differences per layer are \[(.*)\]",
    }
    for name, pattern in lines.items():
        match = re.search(pattern, log)
        if match:
            found[name] = _read_components(match[1])
    return found


def _parse_merge(log):
    match = re.search(
        r"Processed (\S+) egs of avg. size (\S+) into (\S+) minibatches, "
        r"discarding (\S+)% of egs.  Avg minibatch size was ([0-9.]+),",
        log,
    )
    names = (
        "egs",
        "average_eg_size",
        "minibatches",
        "percent_discarded",
        "average_minibatch_size",
    )
    found = dict(zip(names, map(float, match.groups())))
    sizes = re.search(r"Merged specific eg types as follows .*\]: (.*)", log)[1]
    found["per_eg_size"] = {
        size: {
            "discarded": int(discarded),
            "minibatches": {
                size: int(count) for size, count in re.findall(r"(\d+)->(\d+)", counts)
            },
        }
        for size, counts, discarded in re.findall(r"(\d+)=\{([^}]*)d=(\d+)\}", sizes)
    }
    return found


def _parse_priors(log):
    change = re.search(
        r"largest absolute change .* pdf (\d+): from (\S+) to (\S+)", log, re.I
    )
    divergence = re.search(r"K-L divergence .* is (\S+)", log)
    return {
        "pdf": int(change[1]),
        "old": float(change[2]),
        "new": float(change[3]),
        "kl_divergence": float(divergence[1]),
    }


_PARSERS = {
    "nnet3-compute-prob": _parse_probabilities,
    "nnet3-chain-compute-prob": _parse_probabilities,
    "nnet3-combine": _parse_combine,
    "nnet3-chain-combine": _parse_combine,
    "nnet3-show-progress": _parse_progress,
    "nnet3-merge-egs": _parse_merge,
    "nnet3-chain-merge-egs": _parse_merge,
    "nnet3-am-adjust-priors": _parse_priors,
}


def parse(program, log):
    return _PARSERS[program](log)


def is_near(found, expected, tolerance):
    """Whether numbers differ by at most `tolerance` times 1 plus their size."""
    if isinstance(expected, dict):
        return found.keys() == expected.keys() and all(
            is_near(found[key], expected[key], tolerance) for key in expected
        )
    if isinstance(expected, list):
        return len(found) == len(expected) and all(
            is_near(*pair, tolerance) for pair in zip(found, expected)
        )
    return abs(found - expected) <= tolerance * (1 + abs(expected))
