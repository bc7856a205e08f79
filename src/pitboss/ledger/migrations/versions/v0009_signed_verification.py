"""Signed verifications, with their heads, one after the other."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

FOLLOWS = "NEW.number <> 1 + coalesce((SELECT max(number) FROM verification), 0)"
WHY = "a verification must follow the last one"


def upgrade() -> None:
    """Add the columns and the trigger; earlier rows are not trusted."""
    for name in ("head", "signature"):
        op.add_column("verification", sa.Column(name, sa.Text, nullable=False, server_default=""))
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            f"CREATE TRIGGER verification_follows BEFORE INSERT ON verification WHEN {FOLLOWS} "
            f"BEGIN SELECT RAISE(ABORT, '{WHY}'); END"
        )
        return
    op.execute(
        "CREATE FUNCTION verification_follows() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN IF {FOLLOWS} THEN RAISE EXCEPTION '{WHY}'; END IF; RETURN NEW; END $$"
    )
    op.execute(
        "CREATE TRIGGER verification_follows BEFORE INSERT ON verification "
        "FOR EACH ROW EXECUTE FUNCTION verification_follows()"
    )
