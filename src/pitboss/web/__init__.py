"""The progressive over HTTP (``pitboss serve``, the extra ``web``): its API, its sessions, its live events."""
