"""Indexes of the times of entries and answers, by which a day is found at once."""

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create the indexes."""
    op.create_index("ix_entry_at", "entry", ["at", "sequence"])
    op.create_index("ix_answer_at", "answer", ["at", "number"])
