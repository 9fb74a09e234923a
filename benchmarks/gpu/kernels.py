"""What the kernels of a program for devices do, in numbers.

Reads what `nnet3-compile --target=cuda --emit=kernels` prints. For each kernel:
how many floats it reads and writes, each element of the memory once that a loop
of it goes over, however many threads do so; or what it multiplies, and what of
that it adds to something that it reads and writes.
"""
import itertools
import math
import re

_FUNCTION = re.compile(r"^  func\.func (private )?@([\w.$\"-]+?)\((.*)$")
_CONSTANT = re.compile(r"^(%\S+) = arith\.constant (-?\d+) : index$")
_OP = re.compile(r"^(%[\w#:]+) = (arith\.\w+) (.*?) : ")
_ACCESS = re.compile(
    r"^(?:(%\S+) = )?(memref|vector)\.(load|store) (.*?)"
    r"(%\w+)\[(%\w+)\].* : memref<(\d+)x(\w+)[^>]*>(?:, vector<(\d+)x)?"
)
_PARALLEL = re.compile(
    r"scf\.parallel \((.*?)\) = \((.*?)\) to \((.*?)\) step \((.*?)\)"
)
_FOR = re.compile(r"scf\.for (%\S+) = (%\S+) to (%\S+) step (%\S+)")
_CALL = re.compile(r"^call @(\S+?)\((.*)\)")
_OF_ONE_ROW = ("epilogue", "sequence")  # kernels that may have such a product
_SAMPLES = 16  # of each loop around one whose bounds depend on it


class Loop:
    """One variable of a loop, from `begin` to `end`."""

    def __init__(self, begin, end, step):
        self.begin, self.end, self.step = begin, end, step
        self.name = f"({begin.name}:{end.name}:{step.name})"
        around = begin.loops | end.loops
        samples = [loop.sample() for loop in around]
        counts = [
            self._count(dict(zip(around, values)))
            for values in itertools.product(*samples)
        ]
        self.count = sum(counts) / len(counts)
        self.around = around

    def _count(self, values):
        begin, end, step = (
            bound.evaluate(values) for bound in (self.begin, self.end, self.step)
        )
        if None in (begin, end, step):
            return 1
        return max(0, -(-(end - begin) // step))

    def sample(self):
        """Some of its values, at equal distances."""
        begin = self.begin.evaluate({}) or 0
        count = math.ceil(self.count)
        taken = sorted({count * i // _SAMPLES for i in range(_SAMPLES)})
        return [begin + i * (self.step.evaluate({}) or 1) for i in taken]


class Index:
    """A number that is computed from variables of loops."""

    def __init__(self, name, function=None, loops=(), parts=None):
        self.name, self._function = name, function
        self.loops = set(loops)
        # Of each loop, what the number depends on: all of the variable, or a
        # quotient or remainder, with how many values that has.
        self.parts = parts or {}

    def evaluate(self, values):
        return self._function(values) if self._function else None

    def count(self):
        """How many values it has at most."""
        result = 1
        for loop, parts in self.parts.items():
            result *= min(loop.count, math.prod(parts.values()))
        return result


def _constant(value):
    return Index(str(value), lambda values: value)


def _variable(loop):
    parts = {loop: {"all": loop.count}}
    for part in (loop.begin.parts, loop.step.parts):
        for other, some in part.items():
            parts.setdefault(other, {}).update(some)
    # Without the loops around, a value stands for itself.
    return Index(loop.name, lambda values: values.get(loop), {loop}, parts)


_FUNCTIONS = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "divui": lambda a, b: a // b if b else None,
    "remui": lambda a, b: a % b if b else None,
    "minsi": min,
    "maxsi": max,
}


def _combine(operation, a, b):
    function = _FUNCTIONS.get(operation)

    def evaluate(values):
        x, y = a.evaluate(values), b.evaluate(values)
        if operation == "minsi" and (x is None or y is None):
            return y if x is None else x  # a border that is an argument
        return None if function is None or None in (x, y) else function(x, y)

    parts = {}
    for operand in (a, b):
        for loop, some in operand.parts.items():
            parts.setdefault(loop, {}).update(some)
    name = f"{operation}({a.name},{b.name})"
    divisor = b.evaluate({})
    if operation in ("divui", "remui") and divisor and a.parts:
        total = a.count()
        count = (
            min(divisor, total)
            if operation == "remui"
            else math.ceil(total / divisor)
        )
        if len(a.parts) == 1:
            parts = {next(iter(a.parts)): {name: count}}
    return Index(name, evaluate, a.loops | b.loops, parts)


class Kernel:
    """A function that is called: `bytes`, or `flops` of a product."""

    def __init__(self, name, header):
        self.name = name
        self.kind = name.rsplit("_", 1)[0]
        form = re.search(r'nnet3\.form = "(\w+)"', header)
        self.form = form.group(1) if form else None
        self.flops = self._added = 0
        product = re.search(r"nnet3\.product = \{(.*?)\}", header)
        if product:
            shape = dict(re.findall(r"(\w+) = (-?[\d.e+-]+) : ", product.group(1)))
            self.flops = 2 * math.prod(
                int(shape[key]) for key in ("batches", "columns", "depth", "rows")
            )
            if float(shape["beta"]):
                self._added = self.flops // (2 * int(shape["depth"]))
        self.multiplies_row = False  # a single one, by the weights
        self._elements = {}  # by memory and place

    def add(self, memory, index, number, is_store):
        """An access to `number` neighbouring elements."""
        key = memory, index.name, is_store
        self._elements[key] = max(
            number * index.count(), self._elements.get(key, 0)
        )

    def get_bytes(self):
        """Of a product, those of what is there already and is added to."""
        if self.flops:
            return 2 * 4 * self._added
        return 4 * sum(self._elements.values())


class Program:
    """The kernels of a module, and the calls of each of its functions."""

    def __init__(self, text):
        self.kernels, self.calls = {}, {}
        self._values, self._kernel, self._calls = {}, None, None
        for line in text.splitlines():
            self._read(line)

    def _read(self, line):
        function = _FUNCTION.match(line)
        line = line.strip()
        if function:
            return self._begin(*function.groups())
        if constant := _CONSTANT.match(line):
            self._values[constant.group(1)] = _constant(int(constant.group(2)))
        elif self._calls is not None:
            if call := _CALL.match(line):
                self._calls.append(call.group(1))
        elif self._kernel:
            self._read_body(line)

    def _begin(self, private, name, header):
        self._values = {}
        self._kernel = self._calls = None
        if private:
            self._kernel = self.kernels[name] = Kernel(name, header)
            for argument in re.findall(r"(%arg\d+): index", header):
                self._values[argument] = Index(argument)
        else:
            self._calls = self.calls[name] = []

    def _get(self, name):
        return self._values.get(name.strip()) or Index(name.strip())

    def _read_body(self, line):
        if loop := _PARALLEL.search(line):
            for variable, *bounds in zip(*(x.split(",") for x in loop.groups())):
                self._add_loop(variable, bounds)
        elif loop := _FOR.search(line):
            self._add_loop(loop.group(1), loop.groups()[1:])
        elif access := _ACCESS.match(line):
            self._add_access(*access.groups())
        elif op := _OP.match(line):
            self._add_op(*op.groups())
        elif line.startswith("scf.reduce(") and self._kernel.kind in _OF_ONE_ROW:
            self._kernel.multiplies_row = True

    def _add_loop(self, variable, bounds):
        loop = Loop(*(self._get(bound) for bound in bounds))
        self._values[variable.strip()] = _variable(loop)

    def _add_access(self, result, _, kind, _value, memory, index, *shape):
        size, element, width = shape
        index = self._get(index)
        if result:
            # What a table says is as different as the places in the table.
            self._values[result] = Index(
                f"{memory}[{index.name}]", None, index.loops, index.parts
            )
        if memory in ("%arg0", "%arg1"):
            self._kernel.add(memory, index, int(width or 1), kind == "store")

    def _add_op(self, result, name, operands):
        operands = [self._get(x) for x in operands.split(" overflow")[0].split(",")]
        if name == "arith.index_cast":
            self._values[result] = operands[0]
        elif len(operands) == 2:
            self._values[result] = _combine(name.split(".")[1], *operands)
        elif name == "arith.select":
            self._values[result] = _combine("select", *operands[1:])

    def get_launches(self, function):
        """What a function launches where cuBLASLt is: its kernels in order."""
        called = [self.kernels[name] for name in self.calls[function]]
        return [k for k in called if k.form != "apart" and k.kind != "step"]
