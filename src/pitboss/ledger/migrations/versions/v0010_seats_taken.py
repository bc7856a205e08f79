"""An index of the entries by which guests sat down, to find their tables."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Create the index."""
    op.create_index(
        "ix_entry_sit",
        "entry",
        ["actor", "sequence"],
        sqlite_where=sa.text("kind = 'sit'"),
        postgresql_where=sa.text("kind = 'sit'::text"),
    )
