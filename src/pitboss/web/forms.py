"""What is asked in a request's body.  Money is whole cents; what is not known here is refused (ASVS 15.3.3).

A form is at least as narrow as the command that is made of it, so a command is never refused for its form.
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
    """Refuse a text that is not a whole number in ASCII digits: "1_000", "+5", "1.0" and other alphabets' digits."""
    if isinstance(value, str) and not is_integer(value):
        raise PydanticKnownError("int_parsing")
    return value


Digits = Annotated[int, BeforeValidator(_verify_digits, json_schema_input_type=int)]
"""A whole number as it stands in an address or a form."""

PositiveWhole = Annotated[int, Field(strict=True, ge=1, le=MAX_NUMBER)]
Cents = Annotated[int, Field(strict=True, ge=0, le=MAX_CENTS)]
FreeText = Annotated[str, Field(min_length=3, max_length=500, pattern=r"^[^\x00-\x1f\x7f]+$", examples=["as counted"])]
StrictFlag = Annotated[bool, Field(strict=True)]


def _verify_encodable(secret: SecretStr) -> SecretStr:
    """Refuse half a letter (a lone surrogate), as JSON may hold it: no password that was ever chosen has one."""
    try:
        secret.get_secret_value().encode()
    except UnicodeEncodeError:
        raise ValueError("write whole letters") from None
    return secret


Password = Annotated[
    SecretStr, Field(max_length=200, examples=["correct horse battery"]), AfterValidator(_verify_encodable)
]


class RequestForm(BaseModel):
    """A body: no other keys than its own."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class CredentialsForm(RequestForm):
    """Who somebody is, proved: the card that is swiped.  ``code`` is the authenticator's, of supervisors and above."""

    name: Annotated[LoginName, Field(examples=["sue"])]
    password: Password
    code: Annotated[str, Field(pattern=r"^([0-9]{6})?$", examples=["123456"])] = ""


class LoginForm(CredentialsForm):
    """A session by cookie, for a browser, or as a bearer token."""

    cookie: StrictFlag = False


class EnrolmentForm(RequestForm):
    """The token that one was given, and the password that one chooses: 12 characters at least, without one's name."""

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
    """The seat and its hand; the same again turns it off."""

    seat: Annotated[PositiveWhole, Field(examples=[3])]
    hand: Annotated[HandId, Field(max_length=40, examples=["straight-flush"])]
    cards: Annotated[CardsText, Field(examples=["9s 8s 7s 6s 5s"])] = ""


class ReauthForm(RequestForm):
    """What asks for credentials again, of whoever does it."""

    proof: CredentialsForm


class ReauthTextForm(ReauthForm):
    """The same, with words."""

    text: FreeText


class TextForm(RequestForm):
    """Words."""

    text: FreeText


class AdjustmentForm(RequestForm):
    """A change of meter or reserve; ``award`` names the award that it corrects, 0 none."""

    account: Literal["meter", "reserve"]
    cents: Annotated[int, Field(strict=True, ge=-MAX_CENTS, le=MAX_CENTS, examples=[-1250])]
    reason: Annotated[AdjustmentReason, Field(examples=["malfunction"])]
    text: FreeText
    award: Annotated[int, Field(strict=True, ge=0, le=MAX_NUMBER)] = 0


class IncidentForm(RequestForm):
    """What is wrong, at a table or at all (0)."""

    table: Annotated[int, Field(strict=True, ge=0, le=MAX_NUMBER)] = 0
    text: FreeText


class ReadingForm(RequestForm):
    """What a display posts."""

    posted_cents: Annotated[Cents, Field(examples=[1_000_000])]


class NewStaffForm(ReauthForm):
    """Somebody who is given a role."""

    name: Annotated[LoginName, Field(examples=["ann"])]
    role: Role


class VerificationForm(RequestForm):
    """The text of a head that was exported, to be compared; "" for none."""

    head: Annotated[str, Field(max_length=4_000)] = ""


def _make_settings_fields() -> dict[str, Any]:
    """Return the settings that may be asked for, none of them needed, each within its range."""
    annotated: Any = Annotated
    fields = {name: each for name, each in Settings.model_fields.items() if name not in {"lines", "paytable"}}
    strict = {name: [Field(strict=True)] if each.annotation in {int, bool} else [] for name, each in fields.items()}
    return {
        name: (annotated[(each.annotation, *strict[name], *each.metadata, Field())] | None, None)
        for name, each in fields.items()
    }


SettingsChanges: Any = create_model("SettingsChanges", __base__=RequestForm, **_make_settings_fields())
"""The settings that should be other than they are."""


class SettingsForm(RequestForm):
    """New values of some settings."""

    changes: Annotated[SettingsChanges, Field(examples=[{"words": "display", "executive_cents": 500_000}])]
    text: FreeText
