"""The router of one part of the API.

Its operations are identified by their function names.
"""

from fastapi import APIRouter


def make_api_router(tag: str, prefix: str = "/api") -> APIRouter:
    """Make the router of one part of the API, documented under a tag."""
    return APIRouter(prefix=prefix, tags=[tag], generate_unique_id_function=lambda route: route.name)
