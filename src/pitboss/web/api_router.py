"""A part of the application: a router whose operations are known by their functions' names."""

from fastapi import APIRouter


def make_api_router(tag: str, prefix: str = "/api") -> APIRouter:
    """Return the router of a part, described under a tag."""
    return APIRouter(prefix=prefix, tags=[tag], generate_unique_id_function=lambda route: route.name)
