"""The router of one part of the API.

Its operations are identified by their function names.
"""

from typing import Any

from fastapi import APIRouter


def make_api_router(tag: str, prefix: str = "/api") -> APIRouter:
    """Make the router of one part of the API, documented under a tag."""
    return APIRouter(prefix=prefix, tags=[tag], generate_unique_id_function=lambda route: route.name)


def describe_answer(schemas: dict[str, dict[str, Any]]) -> dict[int | str, dict[str, Any]]:
    """Describe for the documentation an answer that is not a model, by media type."""
    return {200: {"content": {media_type: {"schema": schema} for media_type, schema in schemas.items()}}}
