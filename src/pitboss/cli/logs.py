"""The server's log, as lines or as JSON, and a security log apart."""

import json
import logging
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from pitboss.core.errors import PitbossError

WEB_LOG = "pitboss.web"
SECURITY_LOG = "pitboss.web.security"
FIELDS = ("method", "path", "status", "code", "person", "address")
"""The fields of a record that JSON has apart from its message."""


class LogFormat(StrEnum):
    """The form of the log."""

    TEXT = "text"
    JSON = "json"


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON, with its time in UTC."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        fields: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "log": record.name,
            "message": record.getMessage(),
        }
        fields |= {name: vars(record)[name] for name in FIELDS if name in vars(record)}
        if record.exc_info:
            fields["exception"] = self.formatException(record.exc_info)
        return json.dumps(fields)


def start_log(form: LogFormat, security_log: Path | None = None) -> None:
    """Write the log to standard error, and security events also to their own file.

    Raises:
        PitbossError: the file cannot be written.
    """
    logging.basicConfig(format="%(asctime)s %(name)s %(message)s", datefmt="%Y-%m-%dT%H:%M:%S%z")
    if form is LogFormat.JSON:
        for handler in logging.getLogger().handlers:
            handler.setFormatter(JsonFormatter())
    logging.getLogger(WEB_LOG).setLevel(logging.INFO)
    if security_log:
        try:
            apart = logging.FileHandler(security_log, encoding="utf-8")
        except OSError as error:
            raise PitbossError(
                f"cannot write {security_log}: {error.strerror}", code="cannot-write", path=security_log
            ) from None
        apart.setFormatter(JsonFormatter())
        logging.getLogger(SECURITY_LOG).addHandler(apart)
