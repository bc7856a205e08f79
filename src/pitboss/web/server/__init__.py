"""What admits a request: connections, middleware, queue, slots."""
