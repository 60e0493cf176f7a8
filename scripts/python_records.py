#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the classes of results of the Python package from the schemas of documents.

    scripts/python_records.py > python/ridgeline/records.py

A class for each document and each record in one; records with equal fields share a class.
"""
import json
import keyword
import pathlib
import re
import textwrap

SCHEMAS = pathlib.Path(__file__).resolve().parent.parent / "data" / "schema"
WIDTH = 100
HEAD = '''# SPDX-License-Identifier: Apache-2.0
"""Results as classes, made by scripts/python_records.py from data/schema; change those.

A figure has its unit in its name: `_ns` nanoseconds, `bytes`, `macs` multiply-accumulates,
`gflop_per_s`, `gb_per_s`. Shapes are lists of integers, of names of free sizes, or of None.
"""

from __future__ import annotations

from .record import Record, Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    from .table import Table
'''


def camel(name):
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", name))


def singular(name):
    for ending, instead in (("sses", "ss"), ("xes", "x"), ("ies", "y"), ("yses", "ysis"), ("s", "")):
        if name.endswith(ending) and not name.endswith("ss"):
            return name[: len(name) - len(ending)] + instead
    return name


def types(schema):
    kind = schema.get("type", [])
    return set([kind] if isinstance(kind, str) else kind)


def is_record(schema):
    return bool(schema.get("properties"))


def is_interval(schema):
    return schema.get("minItems") == 2 and schema.get("maxItems") == 2


class Classes:
    """Classes by the fields of their records, so that equal ones are one."""

    def __init__(self):
        self.names = {}  # key of the fields -> name
        self.words = {}  # key of the fields -> places where they stand

    @staticmethod
    def key(schema):
        def bare(value):
            if isinstance(value, dict):
                return {k: bare(v) for k, v in value.items()
                        if k != "description" or not isinstance(v, str)}
            return [bare(v) for v in value] if isinstance(value, list) else value

        fields = {k: bare(v) for k, v in schema["properties"].items()}
        return json.dumps([fields, sorted(schema.get("required", []))])

    def collect(self, document, path, schema):
        """Notes where records stand."""
        for name, field in schema["properties"].items():
            for inner, word in ((field, name), (field.get("items"), singular(name)),
                                (field.get("additionalProperties"), singular(name))):
                if isinstance(inner, dict) and is_record(inner):
                    where = (document, *path, word)
                    self.words.setdefault(self.key(inner), []).append(where)
                    self.collect(document, (*path, word), inner)

    def choose_names(self):
        """The last words of the place where a record stands; all of them in one document alone."""
        for key, places in self.words.items():
            words = [camel(word) for word in places[0]]
            shared = len({place[0] for place in places}) > 1
            wanted = [*([words[-1], "".join(words[-2:])] if shared else []), "".join(words)]
            self.names[key] = next(name for name in wanted if name not in self.names.values())


def python_type(schema, classes):
    if "$ref" in schema:
        return camel(schema["$ref"].split(".")[1])
    if "anyOf" in schema:  # a document, or null
        return " | ".join(python_type(one, classes) for one in schema["anyOf"])
    if "const" in schema:
        return "str"
    if "enum" in schema:
        words = [word for word in schema["enum"] if word is not None]
        text = f"Literal[{', '.join(json.dumps(word) for word in words)}]"
        return text + (" | None" if None in schema["enum"] else "")
    if is_record(schema):
        out = [classes.names[classes.key(schema)]]
    else:
        plain = {"integer": "int", "number": "float", "string": "str", "boolean": "bool"}
        out = [plain[kind] for kind in plain if kind in types(schema)]
        if "array" in types(schema):
            items = schema.get("items")
            out.append(f"list[{python_type(items, classes)}]" if items else "list[Any]")
        if "object" in types(schema):
            values = schema.get("additionalProperties")
            of = python_type(values, classes) if isinstance(values, dict) else "Any"
            out.append(f"dict[str, {of}]")
    if "null" in types(schema):
        out.append("None")
    return " | ".join(out) or "Any"


def kind_of(schema, classes):
    """The entry of a field in _kinds, or None of a plain value."""
    if "anyOf" in schema:
        document, _ = schema["anyOf"]
        return ("record", python_type(document, classes), True)
    nullable = "null" in types(schema)
    if is_record(schema):
        return ("record", classes.names[classes.key(schema)], nullable)
    items, values = schema.get("items", {}), schema.get("additionalProperties")
    if is_record(items):
        return ("list", classes.names[classes.key(items)], nullable)
    if isinstance(values, dict) and is_record(values):
        return ("map", classes.names[classes.key(values)], nullable)
    if is_interval(schema):
        return ("interval", "", nullable)
    return None


def doc(text, indent):
    text = text[:1].upper() + text[1:]
    text = text.replace("\\", "\\\\").replace('"""', "'''")
    text += "" if text.endswith((".", "!")) else "."
    if text.endswith('"'):
        text += " "
    line = f'{indent}"""{text}"""'
    if len(line) <= WIDTH:
        return line
    lines = textwrap.wrap(text, WIDTH - len(indent) - 3)
    return "\n".join([f'{indent}"""{lines[0]}', *(indent + rest for rest in lines[1:])]) + f'\n{indent}"""'


def annotation(attribute, of):
    line = f"    {attribute}: {of}"
    start = line.find("[") + 1
    if len(line) <= WIDTH or not start:
        return line
    inside, end = line[start:line.rindex("]")], line[line.rindex("]"):]
    inside = inside.replace(" ", "\0").replace(",\0", ", ")  # breaks between words alone
    wrapped = textwrap.wrap(inside, WIDTH - 8, initial_indent=" " * 8, subsequent_indent=" " * 8)
    return "\n".join([line[:start], *wrapped, f"    {end}"]).replace("\0", " ")


def entries(name, values):
    return f"    {name} = {{\n" + "".join(f"        {v},\n" for v in values) + "    }" if values else ""


def class_text(name, schema, classes, is_document):
    fields, tables, kinds, results = [], [], [], []
    required = schema.get("required", [])
    for field, s in schema["properties"].items():
        of = python_type(s, classes)
        rows = s.get("items", {})
        if is_document and types(rows) == {"object"}:
            row = classes.names[classes.key(rows)] if is_record(rows) else ""
            tables.append(f'"{field}": "{row}"')
            of = f"Table[{row or 'dict[str, Any]'}]" + (" | None" if "null" in types(s) else "")
        elif "$ref" in rows:
            results.append(f'"{field}": "{python_type(rows, classes)}"')
        else:
            kind = kind_of(s, classes)
            if kind:
                kinds.append(f'"{field}": ("{kind[0]}", "{kind[1]}", {kind[2]})')
        if field not in required and not of.endswith("None"):
            of += " | None"
        attribute = field + "_" if keyword.iskeyword(field) else field
        fields.append(annotation(attribute, of) + "\n" + doc(s.get("description", ""), "    "))
    optional = [f'"{f}"' for f in schema["properties"] if f not in required]
    parts = [doc(schema.get("description", name), "    "), "", "\n".join(fields), ""]
    for label, values in (("_tables", tables), ("_results", results), ("_kinds", kinds)):
        if values:
            parts.append(entries(label, values))
    if optional:
        listed = "".join(f"        {f},\n" for f in optional)
        parts.append(f"    _optional = frozenset({{\n{listed}    }})")
    base = "Result" if is_document else "Record"
    return f"class {name}({base}):\n" + "\n".join(parts).rstrip() + "\n"


def main():
    classes, documents = Classes(), {}
    for path in sorted(SCHEMAS.glob("ridge.*.json")):
        schema = json.loads(path.read_text())
        documents[camel(schema["title"].split(".")[1].split("/")[0])] = schema
    for name, schema in documents.items():
        classes.names[name] = name  # taken
    for name, schema in documents.items():
        classes.collect(name, (), schema)
    classes.choose_names()
    done, out = set(), [HEAD]

    def write(schema, name, is_document):
        if name in done:
            return
        done.add(name)
        for field in schema["properties"].values():
            for inner in (field, field.get("items"), field.get("additionalProperties")):
                if isinstance(inner, dict) and is_record(inner):
                    write(inner, classes.names[classes.key(inner)], False)
        out.append(class_text(name, schema, classes, is_document))

    for name, schema in documents.items():
        write(schema, name, True)
    titles = "".join(f'    "{s["title"]}": {name},\n' for name, s in documents.items())
    out.append(f"#: Class of a document by its schema.\nDOCUMENTS = {{\n{titles}}}\n")
    print("\n\n".join(out), end="")


if __name__ == "__main__":
    main()
