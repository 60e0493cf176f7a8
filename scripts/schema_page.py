#!/usr/bin/env python3
"""Makes docs/reference/schemas.md from data/schema/*.json, so that the page of keys and the
schemas cannot differ.

    scripts/schema_page.py            writes the page
    scripts/schema_page.py --check    exit status 1 where it is not what it should be
"""
import json
import pathlib
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
SCHEMAS = TOP / "data" / "schema"
PAGE = TOP / "docs" / "reference" / "schemas.md"

HEAD = """# JSON documents

<!-- Made by scripts/schema_page.py from data/schema; change those. -->

What `--format json` prints. Every document names its schema and version in the key `schema`. Within
a version keys only get added, so a reader ignores what it does not know. A figure that cannot be
known is null, never 0. Units are in the key: `_ns` nanoseconds, `_bytes` and `bytes` bytes.
Tests validate real documents against [`data/schema/`](../../data/schema), and that each key of a
document is described there.
"""


def load_all():
    schemas = {p.name: json.loads(p.read_text()) for p in sorted(SCHEMAS.glob("*.json"))}
    if not schemas:
        sys.exit("no schemas in " + str(SCHEMAS))
    return schemas


def resolve(node, home, schemas):
    """The schema behind a $ref, with what stands beside the reference taking precedence."""
    if "$ref" not in node:
        return node, home
    file, _, pointer = node["$ref"].partition("#")
    home = schemas[file] if file else home
    target = home
    for part in filter(None, pointer.split("/")):
        target = target[part]
    return {**target, **{k: v for k, v in node.items() if k != "$ref"}}, home


def kind(node):
    if "const" in node:
        return f'`"{node["const"]}"`'
    if "enum" in node:
        return ", ".join("null" if v is None else f"`{v}`" for v in node["enum"])
    names = node.get("type", "object")
    return " or ".join(names) if isinstance(names, list) else names


def rows(node, home, schemas, prefix):
    """(path, type, description) of every key below an object or array."""
    node, home = resolve(node, home, schemas)
    if "items" in node:
        yield from rows(node["items"], home, schemas, prefix + "[]")
    extra = node.get("additionalProperties")
    if isinstance(extra, dict):
        yield from rows(extra, home, schemas, prefix + ".NAME")
    for key, child in node.get("properties", {}).items():
        path = f"{prefix}.{key}".lstrip(".")
        full, child_home = resolve(child, home, schemas)
        if "description" not in full:
            sys.exit(f"{home['title']}: {path} has no description")
        yield path, kind(full), full["description"]
        whole_document = "$ref" in child and "#" not in child["$ref"]
        if not whole_document:
            yield from rows(full, child_home, schemas, path)


def page():
    schemas = load_all()
    out = [HEAD]
    for name, schema in schemas.items():
        out.append(f"\n## {schema['title']}\n\n{schema['description']}\n"
                   f"Schema: [`data/schema/{name}`](../../data/schema/{name}).\n\n"
                   "| key | type | meaning |\n| --- | --- | --- |\n")
        for path, type_text, description in rows(schema, schema, schemas, ""):
            # The elements of an array of whole documents are described in their own section.
            if not path.startswith(("profiles[]", "analyses[]")):
                out.append(f"| `{path}` | {type_text} | {description} |\n")
    return "".join(out)


def main():
    made = page()
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(made)
        return 0
    if PAGE.exists() and PAGE.read_text() == made:
        return 0
    print(f"{PAGE.relative_to(TOP)} is not what the schemas say: run scripts/schema_page.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
