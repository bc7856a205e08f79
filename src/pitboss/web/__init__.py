"""The website and the HTTP API of ``pitboss serve`` (the extra ``web``)."""
