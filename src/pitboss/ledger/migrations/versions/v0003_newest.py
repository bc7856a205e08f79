"""An index of what begins streams: the newest of them are found at once, however much has been written since."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the index."""
    first = sa.text("number = 1")
    op.create_index("ix_stream_first", "stream", ["entry"], sqlite_where=first, postgresql_where=first)
