import json
import sys

from jsonschema import Draft4Validator, RefResolutionError, SchemaError


def all_resolve(validator, schema, node):
    """Raise where a reference, visited or not, leads nowhere."""
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            validator.resolver.resolve_fragment(schema, node["$ref"].lstrip("#"))
        for value in node.values():
            all_resolve(validator, schema, value)
    elif isinstance(node, list):
        for value in node:
            all_resolve(validator, schema, value)


try:
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    Draft4Validator.check_schema(schema)
    validator = Draft4Validator(schema)
    all_resolve(validator, schema, schema)
except (ValueError, SchemaError, RefResolutionError):
    sys.exit(2)
try:
    for _ in validator.iter_errors({"service": {"name": "web"}}):
        pass
except RecursionError:
    sys.exit(0)
except RefResolutionError:
    sys.exit(2)
sys.exit(1)
