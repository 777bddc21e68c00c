"""Judge safetensors files before they are loaded, and look into them.

    import assay
    report = assay.check("model.safetensors")    # reads the header alone
    report.require()                             # raises if the file is invalid or could not be judged
    with assay.open("model.safetensors") as file:
        for name, tensor in file.items():
            print(name, tensor.dtype, tensor.shape)
        weights = file["lm_head.weight"].numpy()
    assay.save_file({"x": weights}, "new.safetensors", {"format": "np"})
    assay.edit_metadata("new.safetensors", {"title": "weights"})

The verdict is that of the C library, whose parser is proved to accept exactly the files that the specification calls
valid. `assay.guard` puts it in front of the official package.
"""
from ._append import recover
from ._check import Limits, check, check_head, check_many
from ._file import File, Tensor, open
from ._model import Finding, ModelReport, check_model
from ._native import WORD_VERSION as _VERSION
from ._native import word as _word
from ._notes import Note
from ._report import AssayError, InvalidError, NotJudgedError, Report, Verdict
from ._url import check_model_url, check_url
from ._write import Builder, New, WriteError, edit_metadata, save, save_file

__all__ = ["AssayError", "Builder", "File", "Finding", "InvalidError", "Limits", "ModelReport", "New", "NotJudgedError",
           "Note", "Report", "Tensor", "Verdict", "WriteError", "check", "check_head", "check_many", "check_model",
           "check_model_url", "check_url", "edit_metadata", "open", "recover", "save", "save_file"]
__version__ = _word(_VERSION, 0)
