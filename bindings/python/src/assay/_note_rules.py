"""The notes on valid files: code: (id, name, title, advice).

Made by spec/generate.py from spec/note_rules.tsv: do not edit.
"""
RULES = {
    97: ("A2", "unaligned", "a tensor's data is not aligned to its element size",
         "mostly harmless: a loader that maps the file may be slower or fail"),
    98: ("A3", "name_hidden", "a name has invisible characters",
         "escape the names before you print them, and ask the author about these characters"),
    99: ("A5", "number_large", "a dimension or offset is too large for some readers",
         "ordinary models have no such number: look at the tensor before you load it"),
    100: ("A6", "two_formats", "the file is also something else",
         "don't give it to a program that guesses the format of a file"),
    101: ("A9", "name_path", "a name looks like a path", "don't write its tensors to files under their names"),
    102: ("A10", "metadata_code", "the metadata names something that some programs execute",
         "don't pass its metadata to a library that builds objects from it (hydra.utils.instantiate and the like)"),
    103: ("A11", "metadata_large", "the metadata is large", "look at it with `assay meta`"),
    104: ("A12", "index_beside", "an index of the same model is in the same folder",
         "pass the folder or the index instead: then both are checked and compared"),
    105: ("A13", "alias_dangling", "the metadata name a shared tensor that is not in the file",
         "if it is one, it may be in another file of the model (`assay ls --aliases`), or the file is damaged; delete the pair with `assay edit`"),
}
