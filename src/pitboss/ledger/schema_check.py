"""A check that the database is as the migrations make it.

What the program relies on is in the database's hands: that a key is used once, that a posting has its entry, that a
column holds what was written.  So everything is compared, not only the triggers, and what was added counts, too: a
policy hides rows, a check may call a function that writes.
"""

from collections.abc import Iterator, Mapping
from functools import cache

import sqlalchemy as sa

from pitboss.ledger import schema
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.triggers import verify_triggers

_VERSION = sa.Table(
    "alembic_version",
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
_TABLES = (*schema.metadata.sorted_tables, _VERSION)

_CHANGED_TABLES = {"balance": "UPDATE", "signed_head": "UPDATE"}
_CHANGED_TABLES |= dict.fromkeys(("credential", "attempt", "session", "live"), "UPDATE DELETE")
RIGHTS: Mapping[str, frozenset[str]] = {
    **{name: frozenset(("SELECT", "INSERT")) for name in schema.APPEND_ONLY_TABLES},
    **{name: frozenset(("SELECT", "INSERT", *more.split())) for name, more in _CHANGED_TABLES.items()},
    _VERSION.name: frozenset({"SELECT"}),
}
"""The most that a role may do to a table in PostgreSQL, unless it owns the table."""

_SQLITE = (
    "SELECT type, name, sql FROM sqlite_master WHERE type <> 'trigger' "
    "AND name NOT LIKE 'sqlite!_autoindex!_%' ESCAPE '!' AND name NOT LIKE 'sqlite!_stat%' ESCAPE '!'"
)

_POSTGRESQL = sa.text(
    """
    WITH ours AS (
      SELECT * FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relname IN :names
    )
    SELECT 'setting', 'search_path', (current_schemas(true))[1]::text
    UNION ALL SELECT 'table', relname, concat(relkind, ' ', relpersistence,
      CASE WHEN relrowsecurity OR relforcerowsecurity THEN ' row security' END,
      CASE WHEN EXISTS (SELECT FROM pg_inherits WHERE ours.oid IN (inhrelid, inhparent)) THEN ' inherits' END)
      FROM ours
    UNION ALL SELECT 'column', concat(relname, '.', attname), concat(format_type(atttypid, atttypmod),
      CASE WHEN attnotnull THEN ' not null' END, ' default ' || pg_get_expr(adbin, adrelid), attidentity, attgenerated,
      CASE WHEN attcollation NOT IN (0, typcollation) THEN ' collated' END,
      CASE WHEN attacl IS NOT NULL THEN ' with rights of its own' END)
      FROM pg_attribute JOIN ours ON ours.oid = attrelid JOIN pg_type ON pg_type.oid = atttypid
      LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum WHERE attnum > 0 AND NOT attisdropped
    UNION ALL SELECT 'constraint', concat(relname, '.', conname), pg_get_constraintdef(pg_constraint.oid)
      FROM pg_constraint JOIN ours ON ours.oid = conrelid WHERE contype <> 'n'
    UNION ALL SELECT 'index', concat(ours.relname, '.', i.relname),
      concat(replace(pg_get_indexdef(indexrelid), concat(' ON ', quote_ident(current_schema()), '.'), ' ON '),
      CASE WHEN NOT (indisvalid AND indisready AND indislive) THEN ' not in use' END)
      FROM pg_index JOIN ours ON ours.oid = indrelid JOIN pg_class i ON i.oid = indexrelid
      WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u')
        AND indisvalid AND indisready AND indislive)
    UNION ALL SELECT 'policy', concat(relname, '.', polname), '' FROM pg_policy JOIN ours ON ours.oid = polrelid
    UNION ALL SELECT 'right', concat(relname, '.', privilege_type), concat(rolname)
      FROM ours CROSS JOIN LATERAL aclexplode(relacl) LEFT JOIN pg_roles ON pg_roles.oid = grantee
      WHERE grantee <> relowner
    """
).bindparams(sa.bindparam("names", [table.name for table in _TABLES], expanding=True))

_Objects = dict[tuple[str, str], str]


def verify_schema(connection: sa.Connection) -> None:
    """Check triggers, tables, constraints, indexes and rights.

    Raises:
        LedgerError: one is missing, is not what it should be, or was added.
    """
    verify_triggers(connection)
    name = connection.dialect.name
    present = _read_sqlite(connection) if name == "sqlite" else _read_postgresql(connection)
    required = _make_required(name)
    different = sorted(key for key in {*required, *present} if required.get(key) != present.get(key))
    if different:
        kind, which = different[0]
        raise LedgerError(
            f"the {kind} {which} in the database is not as the migrations make it; the tables stay closed",
            code="schema-changed",
            kind=kind,
            name=which,
        )


@cache
def _make_required(dialect: str) -> _Objects:
    """Return what there must be: the definitions by kind and name."""
    if dialect == "postgresql":
        return dict(_describe_postgresql())
    engine = sa.create_engine("sqlite://")
    with engine.begin() as connection:
        for table in _TABLES:
            table.create(connection)
        required = _read_sqlite(connection)
    engine.dispose()
    return required


def _read_sqlite(connection: sa.Connection) -> _Objects:
    rows = connection.exec_driver_sql(_SQLITE)
    return {(row[0], row[1]): "".join(str(row[2]).replace('"', "").split()).lower() for row in rows}


def _read_postgresql(connection: sa.Connection) -> _Objects:
    """Return what there is, of the rights only those that nobody should have."""
    objects: _Objects = {}
    for kind, name, text in connection.execute(_POSTGRESQL):
        table, _, right = name.partition(".")
        if kind != "right" or right not in RIGHTS[table]:
            objects[kind, name] = text
    return objects


def _describe_postgresql() -> Iterator[tuple[tuple[str, str], str]]:
    """Yield the definitions of all tables as PostgreSQL writes them."""
    yield ("setting", "search_path"), "pg_catalog"
    for table in _TABLES:
        yield ("table", table.name), "r p"
        for column in table.columns:
            kind = {"BIGINT": "bigint", "TEXT": "text", "VARCHAR(32)": "character varying(32)"}[str(column.type)]
            default = column.server_default
            default_text = f" default '{default.arg}'::text" if isinstance(default, sa.DefaultClause) else ""
            yield ("column", f"{table.name}.{column.name}"), f"{kind} not null{default_text}"
            if column.unique:
                yield ("constraint", f"{table.name}.{table.name}_{column.name}_key"), f"UNIQUE ({column.name})"
            for key in column.foreign_keys:
                deferred = " DEFERRABLE INITIALLY DEFERRED" if key.deferrable else ""
                target = f"{key.column.table.name}({key.column.name})"
                text = f"FOREIGN KEY ({column.name}) REFERENCES {target}{deferred}"
                yield ("constraint", f"{table.name}.{table.name}_{column.name}_fkey"), text
        keys = ", ".join(column.name for column in table.primary_key.columns)
        primary = table.primary_key.name or f"{table.name}_pkey"
        yield ("constraint", f"{table.name}.{primary}"), f"PRIMARY KEY ({keys})"
        for index in table.indexes:
            yield ("index", f"{table.name}.{index.name}"), _describe_index(table, index)


def _describe_index(table: sa.Table, index: sa.Index) -> str:
    where = index.dialect_options["postgresql"]["where"]
    columns = ", ".join(str(column.name) for column in index.columns)
    text = f"CREATE INDEX {index.name} ON {table.name} USING btree ({columns})"
    return text if where is None else f"{text} WHERE ({where})"
