"""Keep the signed head: one row, signed again with every command."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

WHOLE = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Create the table; the first start of the new version writes its row."""
    op.create_table(
        "signed_head",
        sa.Column("number", WHOLE, primary_key=True, nullable=False, autoincrement=False),
        sa.Column("head", sa.Text, nullable=False),
        sa.Column("signature", sa.Text, nullable=False),
        sqlite_strict=True,
    )
