"""The package has types: whoever calls it gets the help of an editor, and errors before the program runs."""
import inspect

import pytest

import assay
import assay.guard

FUNCTIONS = [getattr(assay, name) for name in assay.__all__ if inspect.isfunction(getattr(assay, name))]
FUNCTIONS += [assay.guard.install, assay.guard.uninstall, assay.guard.status]
METHODS = [method for name in assay.__all__ if inspect.isclass(getattr(assay, name))
           for cls in getattr(assay, name).__mro__ if cls.__module__.startswith("assay") for key, member in vars(cls).items()
           for method in [member.fget if isinstance(member, property) else member]
           if inspect.isfunction(method) and not key.startswith("_")]


@pytest.mark.parametrize("function", FUNCTIONS + METHODS, ids=lambda function: function.__qualname__)
def test_every_parameter_and_result_has_a_type(function):
    signature = inspect.signature(function)
    assert signature.return_annotation is not signature.empty
    assert all(parameter.annotation is not parameter.empty for parameter in signature.parameters.values()
               if parameter.name != "self")


def test_there_are_functions_and_methods():
    assert {assay.check, assay.open, assay.check_model, assay.Builder.add, assay.Report.require, assay.Tensor.numpy,
            assay.Report.valid.fget} <= set(FUNCTIONS + METHODS)


@pytest.mark.parametrize("call", [lambda: list(assay.check_many("abc")), lambda: list(assay.check_many(b"abc")),
                                  lambda: assay.edit_metadata("none", delete="format")])
def test_one_text_is_no_list(call):
    """A text is a list of its letters, for a type checker too."""
    with pytest.raises(TypeError, match="give a list"):
        call()
