# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The compiler: models, their IR, and libraries made from them.

`nnet3.load(path)` returns a `Model`. The compiler runs in separate processes; its
errors are raised as `CompileError` with file, line and column.
"""

from nnet3.compiler._tools import CompileError, run_tool
from nnet3.compiler.computation import Computation, Matrix
from nnet3.compiler.ir import Module, Operation
from nnet3.compiler.model import Component, Model, Node
from nnet3.compiler.training import Trainer

__all__ = [
    "CompileError",
    "Component",
    "Computation",
    "Matrix",
    "Model",
    "Module",
    "Node",
    "Operation",
    "Trainer",
    "run_tool",
]
