"""The models of request bodies.  Money is whole cents; unknown fields are refused (ASVS 15.3.3).

A form is at least as strict as the command made from it, so a valid form always makes a valid command.
"""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, create_model
from pydantic_core import PydanticKnownError

from pitboss.core.numbers import is_integer
from pitboss.jackpot.events import AdjustmentReason, CardsText, LoginName
from pitboss.jackpot.roles import Role
from pitboss.jackpot.settings import HandId, Settings

MAX_CENTS = 10**12
MAX_NUMBER = 10**9


def _verify_digits(value: object) -> object:
    """Refuse a text other than a whole number in ASCII digits, as "1_000", "+5", "1.0" or digits of other alphabets."""
    if isinstance(value, str) and not is_integer(value):
        raise PydanticKnownError("int_parsing")
    return value


Digits = Annotated[int, BeforeValidator(_verify_digits, json_schema_input_type=int)]
"""A whole number in a URL or a form."""

PositiveWhole = Annotated[int, Field(strict=True, ge=1, le=MAX_NUMBER)]
Cents = Annotated[int, Field(strict=True, ge=0, le=MAX_CENTS)]
FreeText = Annotated[str, Field(min_length=3, max_length=500, pattern=r"^[^\x00-\x1f\x7f]+$", examples=["as counted"])]
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


class CredentialsForm(RequestForm):
    """The credentials of a person.  ``code`` is the authenticator's, for supervisors and above."""

    name: Annotated[LoginName, Field(examples=["sue"])]
    password: Password
    code: Annotated[str, Field(pattern=r"^([0-9]{6})?$", examples=["123456"])] = ""


class LoginForm(CredentialsForm):
    """The credentials for a new session: by cookie for a browser, else as a bearer token."""

    cookie: StrictFlag = False


class EnrolmentForm(RequestForm):
    """An enrolment token, and the new password: at least 12 characters, without the person's name."""

    name: Annotated[LoginName, Field(examples=["ann"])]
    token: Annotated[str, Field(max_length=100, examples=["fX2cJq..."])]
    password: Annotated[Password, Field(min_length=12)]


class WagerForm(RequestForm):
    """A seat's progressive wager."""

    seat: Annotated[PositiveWhole, Field(examples=[3])]
    cents: Annotated[Cents, Field(ge=1, examples=[100])]


class CoinInForm(RequestForm):
    """The wagers that COIN IN, START GAME locks and takes."""

    wagers: Annotated[list[WagerForm], Field(max_length=9)]


class HandButtonForm(RequestForm):
    """A seat and its winning hand; the same hand again cancels it."""

    seat: Annotated[PositiveWhole, Field(examples=[3])]
    hand: Annotated[HandId, Field(max_length=40, examples=["straight-flush"])]
    cards: Annotated[CardsText, Field(examples=["9s 8s 7s 6s 5s"])] = ""


class ReauthForm(RequestForm):
    """A command that asks for credentials again."""

    proof: CredentialsForm


class ReauthTextForm(ReauthForm):
    """A command that asks for credentials again, with an explanation."""

    text: FreeText


class TextForm(RequestForm):
    """An explanation."""

    text: FreeText


class AdjustmentForm(RequestForm):
    """A change of meter or reserve; ``award`` is the award that it corrects, 0 for none."""

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
    """Return the fields of all settings that can be changed: each is optional and checked for its range."""
    annotated: Any = Annotated
    fields = {name: each for name, each in Settings.model_fields.items() if name not in {"lines", "paytable"}}
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
