"""`safetensors.torch`, judged: change the import, and every file that is read or written is judged by assay.

    from assay.torch import load, load_file, load_model, safe_open, save, save_file, save_model

The official package reads, and assay writes: canonical files, by assay.save and assay.save_file. A file that is not
valid is refused by a SafetensorError. What is written takes the place of an old file only when it is valid and on the
disk. Each tensor is written from its memory. One that is on a device or not contiguous is copied, one at a time. Which
tensors share memory is found out here (see `_shared`), since the official package overlooks some and can't handle others.
"""
from os import PathLike
from typing import Any, Dict, List, Optional, Tuple, Union

import torch

from . import _official, _write
from ._official import safe_open
from ._report import printable

import safetensors.torch as _torch  # isort: skip  (after _official, which says what to install)

__all__ = ["load", "load_file", "load_model", "safe_open", "save", "save_file", "save_model"]
_Path = Union[str, "PathLike[str]"]


def load(data: bytes) -> Dict[str, torch.Tensor]:
    """Return the tensors in the bytes of a file."""
    return _official.load(_torch.load, data)


def load_file(filename: _Path, device: Union[str, int] = "cpu", **options: Any) -> Dict[str, torch.Tensor]:
    """Return the tensors in a file. options: those of the official function, such as backend="pread"."""
    return _official.load_file(filename, "pt", device=device, **options)


def save(tensors: Dict[str, torch.Tensor], metadata: Optional[Dict[str, str]] = None) -> bytes:
    """Return the bytes of a file with these tensors. Raise as save_file does."""
    return _write.save(_writable(tensors), metadata)


def save_file(tensors: Dict[str, torch.Tensor], filename: _Path, metadata: Optional[Dict[str, str]] = None) -> None:
    """Write tensors to a file, which is replaced in one step. Raise RuntimeError if some share memory, ValueError if
    one is not contiguous, assay.WriteError if no valid file holds them."""
    _write.save_file(_writable(tensors), filename, metadata, force=True)


def save_model(model: torch.nn.Module, filename: _Path, metadata: Optional[Dict[str, str]] = None,
               force_contiguous: bool = True) -> None:
    """Write the tensors of a model to a file. Of tensors that share memory, one is written that has all of it; the
    metadata states its name for each of the others. force_contiguous: write tensors that are not contiguous too, each from
    a copy. Raise as save_file does."""
    tensors = dict(model.state_dict())
    metadata = None if metadata is None else dict(metadata)
    for kept, others in _duplicates(tensors).items():
        if kept is None:
            raise RuntimeError("these tensors share memory, and none has all of it: %s: give each memory of its own "
                               "by .clone() before saving" % _list(others))
        for name in others:
            metadata = {} if metadata is None else metadata
            metadata.setdefault(name, kept)
            del tensors[name]
    advice = None if force_contiguous else "use .contiguous(), or use save_model(..., force_contiguous=True)"
    _write.save_file(_writable(tensors, advice), filename, metadata, force=True)


def load_model(model: torch.nn.Module, filename: _Path, strict: bool = True, device: Union[str, int] = "cpu",
               **options: Any) -> Tuple[List[str], List[str]]:
    """Load a file into a model, whichever of the tensors that share memory the file has. Return the names that are
    missing in the file, and those that the model has no use for; raise RuntimeError if there are any, unless strict is
    False."""
    loaded = load_file(filename, device=device, **options)
    duplicates = _duplicates(model.state_dict(), preferred=loaded)
    found = model.load_state_dict(loaded, strict=False)
    missing, unexpected = set(found.missing_keys), list(found.unexpected_keys)
    for kept, others in duplicates.items():
        if kept is not None:
            unexpected += [name for name in others if name not in missing]
            missing -= set(others)
    if strict and (missing or unexpected):
        text = "Error(s) in loading state_dict for %s:" % type(model).__name__
        for words, names in (("Missing", missing), ("Unexpected", unexpected)):
            if names:
                text += "\n    %s key(s) in state_dict: %s" % (words, _list(sorted(names)))
        raise RuntimeError(text)
    return sorted(missing), unexpected


def _list(names):
    return ", ".join('"%s"' % printable(name) for name in names)


# ---- Tensors that share memory ---------------------------------------------------------------------------------------

def _extent(tensor):
    """Return from which address to which the elements are, and whether they fill it, each byte once."""
    begin, count, fills = tensor.data_ptr(), 1, True
    for stride, size in sorted(zip(tensor.stride(), tensor.shape)):
        if size > 1:
            fills = fills and stride == count
            count += stride * (size - 1)
    return begin, begin + count * tensor.element_size(), fills


def _shared(tensors):
    """Return lists of (begin, end, fills, name): tensors whose memory overlaps, directly or through others.

    The official package forgets how far a long tensor reaches when a shorter one begins in it, so that a third one in
    the long tensor passes for separate. It also fails for tensors that are not contiguous.
    """
    known = {}
    for name, tensor in tensors.items():
        if tensor.layout == torch.strided and tensor.device.type != "meta" and tensor.nelement() and tensor.data_ptr():
            # Addresses can be compared within the memory of the CPU; elsewhere, some are handles of a storage.
            storage = 0 if tensor.device.type == "cpu" else tensor.untyped_storage().data_ptr()
            known.setdefault((str(tensor.device), storage), []).append((*_extent(tensor), name))
    groups = []
    for extents in known.values():
        reached = None
        for extent in sorted(extents):
            if reached is not None and extent[0] < reached:
                groups[-1].append(extent)
                reached = max(reached, extent[1])
            else:
                groups.append([extent])
                reached = extent[1]
    return [group for group in groups if len(group) > 1]


def _duplicates(tensors, preferred=()):
    """Return {name: others}: others share the memory of the tensor with that name, which has all of it. The first such
    name is taken, of those in preferred if there are some. The key None has the names of groups without such a tensor.
    """
    found = {}
    for group in _shared(tensors):
        begin, end = min(extent[0] for extent in group), max(extent[1] for extent in group)
        whole = sorted(name for first, last, fills, name in group if fills and (first, last) == (begin, end))
        names = sorted(extent[3] for extent in group)
        kept = next((name for name in whole if name in preferred), whole[0] if whole else None)
        found.setdefault(kept, []).extend(name for name in names if name != kept)
    return found


def _writable(tensors, advice="use .contiguous()"):
    """Return the tensors; raise if the official package would not write them. advice: what to do about a tensor that is
    not contiguous; None: it may be so."""
    if not isinstance(tensors, dict):
        raise ValueError("a dict of tensors by their names is required, not %s" % type(tensors).__name__)
    for name, tensor in tensors.items():
        if not isinstance(tensor, torch.Tensor):
            raise ValueError('"%s" is not a torch.Tensor, but %s' % (printable(str(name)), type(tensor).__name__))
        if tensor.layout != torch.strided:
            raise ValueError('"%s" is sparse: use .to_dense()' % printable(name))
    shared = [sorted(extent[3] for extent in group) for group in _shared(tensors)]
    if shared:
        raise RuntimeError("some tensors share memory: %s: use save_model, which writes one of each group, or .clone()"
                           % "; ".join(map(_list, shared)))
    for name, tensor in tensors.items():
        if advice is not None and not tensor.is_contiguous():
            raise ValueError('"%s" is not contiguous: %s' % (printable(name), advice))
    return tensors
