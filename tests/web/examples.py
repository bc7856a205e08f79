"""Requests made of the examples that the API's own description gives."""

from typing import Any, NamedTuple

from fastapi import FastAPI


class Operation(NamedTuple):
    """An operation as it is described: how it is asked for, with an example of its body (None for none)."""

    name: str
    method: str
    path: str
    body: Any


def routes(app: FastAPI) -> set[tuple[str, str]]:
    """Return method and path of every route that an application answers, whatever its description says."""
    found: list[Any] = list(app.routes)
    return {(method, route.path) for route in found for method in route.methods}


def operations(app: FastAPI) -> list[Operation]:
    """Return every operation that is described."""
    document = app.openapi()
    return [
        Operation(
            each["operationId"], method.upper(), filled(path, each), body_of(document["components"]["schemas"], each)
        )
        for path, methods in document["paths"].items()
        for method, each in methods.items()
    ]


def filled(path: str, operation: Any) -> str:
    """Return a path with the examples of its parameters."""
    for each in operation.get("parameters", ()):
        if each["in"] == "path":
            path = path.replace(f"{{{each['name']}}}", str(each["schema"]["examples"][0]))
    return path


def body_of(schemas: Any, operation: Any) -> Any:
    """Return an example of an operation's body."""
    if "requestBody" not in operation:
        return None
    return example_of(schemas, operation["requestBody"]["content"]["application/json"]["schema"])


def example_of(schemas: Any, schema: Any) -> Any:
    """Return an example of a schema: the first that it gives, or one of its parts'."""
    match schema:
        case {"examples": [first, *_]}:
            return first
        case {"$ref": name}:
            return example_of(schemas, schemas[name.rpartition("/")[2]])
        case {"enum": [first, *_]}:
            return first
        case {"properties": properties}:
            needed = schema.get("required", ())
            return {name: example_of(schemas, properties[name]) for name in properties if name in needed}
        case {"type": "array", "items": items}:
            return [example_of(schemas, items)]
    raise AssertionError(f"there is no example of {schema}")
