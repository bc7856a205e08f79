"""The models of request bodies.

Money is whole cents.  Unknown fields are refused (ASVS 15.3.3).

A form is at least as strict as the command made from it, so a valid form always makes a valid command.
"""

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, create_model
from pydantic_core import PydanticKnownError

from pitboss.core.numbers import is_integer
from pitboss.core.strict_model import describe_pattern
from pitboss.jackpot.events import AdjustmentReason, CardsText
from pitboss.jackpot.gaming_days import DAY_FORM
from pitboss.jackpot.roles import LoginName, Role
from pitboss.jackpot.settings import FIXED_SETTINGS, HandId, Settings

MAX_CENTS = 10**12
MAX_NUMBER = 10**9
MAX_ANSWER = 1_000
"""The longest answer of dealer training: a verdict comes with a clause, and with what the house plays otherwise."""


def _verify_digits(value: object) -> object:
    """Refuse a text that is not a whole number in ASCII digits.

    This refuses "1_000", "+5", "1.0" and digits of other alphabets, for example.
    """
    if isinstance(value, str) and not is_integer(value):
        raise PydanticKnownError("int_parsing")
    return value


Digits = Annotated[int, BeforeValidator(_verify_digits, json_schema_input_type=int)]
"""A whole number in a URL or a form."""


def _verify_day(value: object) -> object:
    """Refuse a text that is not a day in the form of ISO 8601.

    A number would be read as seconds since 1970.
    """
    if isinstance(value, str) and not DAY_FORM.fullmatch(value):
        raise ValueError("write a day as YYYY-MM-DD, for example 2026-11-21")
    return value


Day = Annotated[date, BeforeValidator(_verify_day)]
"""A day in a URL."""

PositiveWhole = Annotated[int, Field(strict=True, ge=1, le=MAX_NUMBER)]
Cents = Annotated[int, Field(strict=True, ge=0, le=MAX_CENTS)]
_ONE_LINE = describe_pattern(
    r"^[^\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]+$", "one line, without control characters"
)
FreeText = Annotated[str, Field(min_length=3, max_length=500, pattern=_ONE_LINE, examples=["as counted"])]
StrictFlag = Annotated[bool, Field(strict=True)]


def _verify_encodable(secret: SecretStr) -> SecretStr:
    """Refuse a lone surrogate, which JSON may contain: no password has one."""
    try:
        secret.get_secret_value().encode()
    except UnicodeEncodeError:
        raise ValueError("write whole letters") from None
    return secret


Password = Annotated[
    SecretStr, Field(max_length=200, examples=["correct horse battery"]), AfterValidator(_verify_encodable)
]


class RequestForm(BaseModel):
    """A request body that refuses unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


SixDigits = Annotated[str, Field(pattern=describe_pattern(r"^([0-9]{6})?$", "the six digits"), examples=["123456"])]


class CredentialsForm(RequestForm):
    """The credentials of a person.

    ``code`` is the code of the authenticator, for supervisors and above.
    """

    name: Annotated[LoginName, Field(examples=["sue"])]
    password: Password
    code: SixDigits = ""


class LoginForm(CredentialsForm):
    """The credentials for a new session.

    With ``cookie`` (for a browser) the session is sent as a cookie, otherwise as a bearer token.
    """

    cookie: StrictFlag = False


class FirstCodeForm(RequestForm):
    """The first code of an authenticator that was offered.

    The offer came with the ticket; both are "" for none.
    """

    ticket: Annotated[str, Field(max_length=1_000)] = ""
    first_code: SixDigits = ""


class InvitationForm(RequestForm):
    """The code to enrol with, both halves of it."""

    name: Annotated[LoginName, Field(examples=["ann"])]
    code: Annotated[str, Field(max_length=200, examples=["fX2cJq..."])]


class EnrolmentForm(FirstCodeForm, InvitationForm):
    """The code to enrol with, and the new password.

    The password has at least 12 characters and does not contain the person's name.
    """

    password: Annotated[Password, Field(min_length=12)]


class WagerForm(RequestForm):
    """A seat's progressive wager."""

    seat: Annotated[PositiveWhole, Field(examples=[3])]
    cents: Annotated[Cents, Field(ge=1, examples=[100])]


class CoinInForm(RequestForm):
    """The wagers that COIN IN, START GAME locks and takes."""

    wagers: Annotated[list[WagerForm], Field(max_length=9)]


class HandButtonForm(RequestForm):
    """A seat and its winning hand; the same hand again cancels it.

    ``lost_award`` is the number that the award had before a restoration lost it, 0 for none.
    """

    seat: Annotated[PositiveWhole, Field(examples=[3])]
    hand: Annotated[HandId, Field(max_length=40, examples=["straight-flush"])]
    cards: Annotated[CardsText, Field(examples=["9s 8s 7s 6s 5s"])] = ""
    lost_award: Annotated[int, Field(strict=True, ge=0, le=MAX_NUMBER)] = 0


class ReauthForm(RequestForm):
    """A command that asks for credentials again."""

    proof: CredentialsForm


class NewAuthenticatorForm(FirstCodeForm, ReauthForm):
    """A new authenticator for the person, with the current credentials."""


class ApprovalForm(ReauthForm):
    """An approval: ``shown`` is the digest of what a console showed, "" for none."""

    shown: Annotated[str, Field(max_length=64)] = ""


class NewPasswordForm(ReauthForm):
    """A new password for the person, with the current credentials."""

    password: Annotated[Password, Field(min_length=12)]


class ReauthTextForm(ReauthForm):
    """A command that asks for credentials again, with an explanation."""

    text: FreeText


class TextForm(RequestForm):
    """An explanation."""

    text: FreeText


class AdjustmentForm(RequestForm):
    """A change of the meter or the reserve.

    ``award`` is the award that it corrects, 0 for none.
    """

    account: Literal["meter", "reserve"]
    cents: Annotated[int, Field(strict=True, ge=-MAX_CENTS, le=MAX_CENTS, examples=[-1250])]
    reason: Annotated[AdjustmentReason, Field(examples=["malfunction"])]
    text: FreeText
    award: Annotated[int, Field(strict=True, ge=0, le=MAX_NUMBER)] = 0


class IncidentForm(RequestForm):
    """An incident at a table, or at all tables (0)."""

    table: Annotated[int, Field(strict=True, ge=0, le=MAX_NUMBER)] = 0
    text: FreeText


class ReadingForm(RequestForm):
    """The amount that a display shows."""

    posted_cents: Annotated[Cents, Field(examples=[1_000_000])]


class NewStaffForm(ReauthForm):
    """A new member of staff and the role."""

    name: Annotated[LoginName, Field(examples=["ann"])]
    role: Role


class VerificationForm(RequestForm):
    """The text of an exported head to compare with the ledger; "" for none."""

    head: Annotated[str, Field(max_length=4_000)] = ""


def _make_settings_fields() -> dict[str, Any]:
    """Return the fields of all settings that can be changed.

    Each field is optional and checked for its range.
    """
    annotated: Any = Annotated
    fields = {name: each for name, each in Settings.model_fields.items() if name not in FIXED_SETTINGS}
    strict = {name: [Field(strict=True)] if each.annotation in {int, bool} else [] for name, each in fields.items()}
    return {
        name: (annotated[(each.annotation, *strict[name], *each.metadata, Field())] | None, None)
        for name, each in fields.items()
    }


SettingsChanges: Any = create_model("SettingsChanges", __base__=RequestForm, **_make_settings_fields())
"""The settings to change."""


class SettingsForm(RequestForm):
    """New values of some settings, with an explanation."""

    changes: Annotated[SettingsChanges, Field(examples=[{"words": "display", "executive_cents": 500_000}])]
    text: FreeText
