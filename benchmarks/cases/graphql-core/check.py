import sys

from graphql import GraphQLError, build_schema, validate_schema

try:
    with open(sys.argv[1], encoding="utf-8", errors="replace") as file:
        errors = validate_schema(build_schema(file.read()))
except (GraphQLError, TypeError):
    sys.exit(2)
if len(errors) != 1:
    sys.exit(2 if errors else 1)
sys.exit("within itself through a series of non-null fields" not in errors[0].message)
