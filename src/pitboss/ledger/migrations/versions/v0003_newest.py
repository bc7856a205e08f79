"""An index of the first entries of streams, to find the newest at once."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the index."""
    first = sa.text("number = 1")
    op.create_index("ix_stream_first", "stream", ["entry"], sqlite_where=first, postgresql_where=first)
