"""What is asked in a request's body.  Money is whole cents; what is not known here is refused (ASVS 15.3.3).

A form is at least as narrow as the command that is made of it, so a command is never refused for its form.
"""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, create_model
from pydantic_core import PydanticKnownError

from pitboss.core.numbers import is_integer
from pitboss.jackpot.events import Cards, Name, Reason
from pitboss.jackpot.roles import Role
from pitboss.jackpot.settings import Hand, Settings

MOST_CENTS = 10**12
MOST_NUMBER = 10**9


def _read_digits(written: object) -> object:
    """Refuse a text that is not a whole number in ASCII digits: "1_000", "+5", "1.0" and other alphabets' digits."""
    if isinstance(written, str) and not is_integer(written):
        raise PydanticKnownError("int_parsing")
    return written


Digits = Annotated[int, BeforeValidator(_read_digits, json_schema_input_type=int)]
"""A whole number as it stands in an address or a form."""

Whole = Annotated[int, Field(strict=True, ge=1, le=MOST_NUMBER)]
Cents = Annotated[int, Field(strict=True, ge=0, le=MOST_CENTS)]
Words = Annotated[str, Field(min_length=3, max_length=500, pattern=r"^[^\x00-\x1f\x7f]+$", examples=["as counted"])]
Flag = Annotated[bool, Field(strict=True)]


def _verify_letters(secret: SecretStr) -> SecretStr:
    """Refuse half a letter (a lone surrogate), as JSON may hold it: no password that was ever chosen has one."""
    try:
        secret.get_secret_value().encode()
    except UnicodeEncodeError:
        raise ValueError("write whole letters") from None
    return secret


Password = Annotated[
    SecretStr, Field(max_length=200, examples=["correct horse battery"]), AfterValidator(_verify_letters)
]


class Form(BaseModel):
    """A body: no other keys than its own."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Proof(Form):
    """Who somebody is, proved: the card that is swiped.  ``code`` is the authenticator's, of supervisors and above."""

    name: Annotated[Name, Field(examples=["sue"])]
    password: Password
    code: Annotated[str, Field(pattern=r"^([0-9]{6})?$", examples=["123456"])] = ""


class LogIn(Proof):
    """A session by cookie, for a browser, or as a bearer token."""

    cookie: Flag = False


class Enrolment(Form):
    """The token that one was given, and the password that one chooses: 12 characters at least, without one's name."""

    name: Annotated[Name, Field(examples=["ann"])]
    token: Annotated[str, Field(max_length=100, examples=["fX2cJq..."])]
    password: Annotated[Password, Field(min_length=12)]


class WagerTaken(Form):
    """A seat's progressive wager."""

    seat: Annotated[Whole, Field(examples=[3])]
    cents: Annotated[Cents, Field(ge=1, examples=[100])]


class CoinIn(Form):
    """The wagers that COIN IN, START GAME locks and takes."""

    wagers: Annotated[list[WagerTaken], Field(max_length=9)]


class HandButton(Form):
    """The seat and its hand; the same again turns it off."""

    seat: Annotated[Whole, Field(examples=[3])]
    hand: Annotated[Hand, Field(max_length=40, examples=["straight-flush"])]
    cards: Annotated[Cards, Field(examples=["9s 8s 7s 6s 5s"])] = ""


class Proved(Form):
    """What asks for credentials again, of whoever does it."""

    proof: Proof


class ProvedText(Proved):
    """The same, with words."""

    text: Words


class Why(Form):
    """Words."""

    text: Words


class Adjusting(Form):
    """A change of meter or reserve; ``award`` names the award that it corrects, 0 none."""

    account: Literal["meter", "reserve"]
    cents: Annotated[int, Field(strict=True, ge=-MOST_CENTS, le=MOST_CENTS, examples=[-1250])]
    reason: Annotated[Reason, Field(examples=["malfunction"])]
    text: Words
    award: Annotated[int, Field(strict=True, ge=0, le=MOST_NUMBER)] = 0


class IncidentReport(Form):
    """What is wrong, at a table or at all (0)."""

    table: Annotated[int, Field(strict=True, ge=0, le=MOST_NUMBER)] = 0
    text: Words


class Posted(Form):
    """What a display posts."""

    posted_cents: Annotated[Cents, Field(examples=[1_000_000])]


class NewStaff(Proved):
    """Somebody who is given a role."""

    name: Annotated[Name, Field(examples=["ann"])]
    role: Role


class KeptHead(Form):
    """The text of a head that was exported, to be compared; "" for none."""

    head: Annotated[str, Field(max_length=4_000)] = ""


def _changeable() -> dict[str, Any]:
    """Return the settings that may be asked for, none of them needed, each within its range."""
    annotated: Any = Annotated
    fields = {name: each for name, each in Settings.model_fields.items() if name not in {"lines", "paytable"}}
    strict = {name: [Field(strict=True)] if each.annotation in {int, bool} else [] for name, each in fields.items()}
    return {
        name: (annotated[(each.annotation, *strict[name], *each.metadata, Field())] | None, None)
        for name, each in fields.items()
    }


SettingsChanges: Any = create_model("SettingsChanges", __base__=Form, **_changeable())
"""The settings that should be other than they are."""


class Reconfiguring(Form):
    """New values of some settings."""

    changes: Annotated[SettingsChanges, Field(examples=[{"words": "display", "executive_cents": 500_000}])]
    text: Words
