# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens a file by its content."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from nnet3._runtime import Error
from nnet3.library import Library

if TYPE_CHECKING:
    from nnet3.compiler import Model

_ELF = b"\x7fELF"


def load(path: str | os.PathLike[str], **options: Any) -> Library | Model:
    """Opens a compiled library, or a model.

    Args:
        path: a library of nnet3-compile (`libNAME.so`); or, with the package
            nnet3-compiler, a config, a raw or acoustic model in text or binary,
            IR, or a folder with `final.mdl` or `am/final.mdl`.
        **options: arguments of `nnet3.Library` or `nnet3.compiler.Model`.

    Returns:
        A `Library`, or a `nnet3.compiler.Model`.

    Raises:
        Error: the file cannot be read, or has none of these formats.
    """
    path = os.fspath(path)
    if os.path.isfile(path):
        with open(path, "rb") as file:
            if file.read(len(_ELF)) == _ELF:
                return Library(path, **options)
    elif not os.path.exists(path):
        raise Error(f"{path}: no such file")
    try:
        from nnet3.compiler import Model
    except ModuleNotFoundError as error:
        raise Error(
            f"{path}: expects a compiled library, but got another file; the "
            "package nnet3-compiler reads models"
        ) from error
    return Model(path, **options)
