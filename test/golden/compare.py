# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What counts as right: the numbers of a case within its tolerances."""
import numpy


class Failed(Exception):
    """The case's result is wrong."""


# Tokens of statistics, which training changes beside the parameters.
STATISTICS = set(
    "ValueAvg DerivAvg Count OderivRms OderivCount NumDimsSelfRepaired "
    "NumDimsProcessed SelfRepairProb SelfRepairTotal StatsMean StatsVar "
    "NumElementsClipped NumElementsZeroed NumElementsProcessed "
    "NumZeroingBoundaries NumSelfRepaired NumBackpropped".split()
)


def rms(values):
    return numpy.sqrt(numpy.mean(numpy.square(values)))


def expect_shape(name, actual, expected):
    if actual.shape != expected.shape:
        raise Failed(f"{name}: expected {expected.shape}, got {actual.shape}")


def compare(name, actual, expected, tolerance, ignore=()):
    """Value by value; the columns `ignore` do not count."""
    expect_shape(name, actual, expected)
    size = numpy.abs(expected)
    bound = numpy.maximum(1e-4 + 1e-4 * size, tolerance * (1 + size))
    # Not `>`: a NaN is wrong too.
    wrong = ~(numpy.abs(actual - expected) <= bound)
    wrong[:, list(ignore)] = False
    if wrong.any():
        row, col = numpy.argwhere(wrong)[0]
        raise Failed(
            f"{name}: {wrong.sum()} of {wrong.size} values differ, first at "
            f"[{row}, {col}]: expected {expected[row, col]}, "
            f"got {actual[row, col]}"
        )


def compare_tensor(name, actual, expected, tolerance, scale):
    """A derivative, by the relative rms error of the whole tensor. `scale`, the
    rms of all tensors of its kind, is for those that should be zero."""
    expect_shape(name, actual, expected)
    if not expected.size:
        return
    error, size = rms(actual - expected), max(rms(expected), 1e-3 * scale)
    if not error <= max(tolerance, 1e-3) * size:
        raise Failed(f"{name}: rms error {error:.3g}, but rms {size:.3g}")


def are_close(actual, expected):
    """Two words that are equal, or numbers that nearly are."""
    if actual == expected:
        return True
    try:
        a, b = float(actual), float(expected)
    except ValueError:
        return False
    return abs(a - b) <= 1e-4 + 1e-4 * abs(b)


def compare_words(name, actual, expected):
    same_size = len(actual) == len(expected)
    if not same_size or not all(map(are_close, actual, expected)):
        raise Failed(f"{name}: expected {expected[:9]}, got {actual[:9]}")


def lacks_statistics(*components):
    """Whether the reference, or we, kept none in the backward pass: GRUs do so
    in half of the minibatches, by a draw. The arguments are lists of tokens."""
    counts = [dict(tokens).get("Count") for tokens in components]
    is_gru = "w_h" in dict(components[0])
    return is_gru and any(float(count[0]) == 0 for count in counts)


def compare_gradient(actual, expected, case):
    """Two models as kaldi_files.parse_model gives them, with a gradient in the
    place of the parameters."""
    if actual[0] != expected[0] or list(actual[1]) != list(expected[1]):
        raise Failed("gradient: other nodes or components")
    tolerances = case["tol"].get("gradient", {})
    for component, tokens in expected[1].items():
        compare_words(
            f"gradient: tokens of {component}",
            [token for token, _ in actual[1][component]],
            [token for token, _ in tokens],
        )
        deterministic = case[
            "gradient_stats_deterministic"
        ] and not lacks_statistics(tokens, actual[1][component])
        for (token, expected_words), (_, words) in zip(
            tokens, actual[1][component]
        ):
            name = f"{component}.{token}"
            if name in tolerances:
                compare_tensor(
                    "gradient of " + name,
                    numpy.array(words, dtype=numpy.float64),
                    numpy.array(expected_words, dtype=numpy.float64),
                    tolerances[name]["tol"],
                    case["gradient_rms"],
                )
            elif token not in STATISTICS or deterministic:
                compare_words("gradient: " + name, words, expected_words)


def compare_statistics(actual, expected):
    """A model, and what kaldi_files.read_statistics gives."""
    for component, token, words in expected:
        got = dict(actual[1][component]).get(token, [])
        compare_words(f"statistics: {component} <{token}>", got, words)
