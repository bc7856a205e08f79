"""The key ring: versions that are rotated, retired and revoked, in a file that several processes use."""

import json
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pitboss.ledger.chain import LedgerHead
from pitboss.ledger.errors import LedgerError
from pitboss.ledger.signing import Signer, read_head, sign_head
from refusals import refusal


@pytest.fixture
def signer(tmp_path: Path) -> Signer:
    return Signer.load_or_create(tmp_path / "key")


def test_a_retired_version_is_still_believed_and_a_revoked_one_is_not(signer: Signer) -> None:
    signature, sealed = signer.sign("a head"), signer.seal("a secret", "here")
    head = sign_head(LedgerHead(1, "a" * 64, 1, "b" * 64), "now", signer)
    assert signer.rotate() == 2
    assert signer.has_signed("a head", signature)
    assert signer.unseal(sealed, "here") == "a secret"
    assert read_head(head, signer.trusted_public_keys).sequence == 1
    signer.revoke(1)
    assert not signer.has_signed("a head", signature)
    assert signer.has_signed_by_revoked("a head", signature)
    assert not signer.has_signed_by_revoked("another", signature)
    with pytest.raises(LedgerError, check=refusal("not-sealed", place="here")):
        signer.unseal(sealed, "here")
    with pytest.raises(LedgerError, check=refusal("head-not-signed")):
        read_head(head, signer.trusted_public_keys)


@pytest.mark.parametrize("version", [1, 2, 3])
def test_only_a_retired_version_is_revoked(signer: Signer, version: int) -> None:
    signer.rotate()
    if version == 1:
        signer.revoke(1)
    with pytest.raises(LedgerError, check=refusal("key-not-retired", version=version)):
        signer.revoke(version)


def test_another_process_goes_on_with_the_new_version_at_once(signer: Signer, tmp_path: Path) -> None:
    other = Signer(tmp_path / "key")
    signer.rotate()
    assert (other.version, other.public_key) == (2, signer.public_key)
    assert other.has_signed("a head", signer.sign("a head"))
    assert signer.has_signed("a head", other.sign("a head"))
    signer.revoke(1)
    assert other.trusted_public_keys == (signer.public_key,)


def test_only_its_owner_reads_the_file_before_and_after(signer: Signer, tmp_path: Path) -> None:
    for _ in range(2):
        assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
        signer.rotate()
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_a_rotation_that_cannot_be_written_leaves_the_file_as_it_was(
    signer: Signer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (tmp_path / "key").read_text(encoding="ascii")

    def fails(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pitboss.ledger.key_ring.os.fsync", fails)
    with pytest.raises(OSError, match="No space left"):
        signer.rotate()
    assert (tmp_path / "key").read_text(encoding="ascii") == before
    assert signer.version == 1


def test_a_key_file_of_an_older_version_is_used_and_rotated(tmp_path: Path) -> None:
    old = Ed25519PrivateKey.generate()
    (tmp_path / "old").touch(mode=0o600)
    (tmp_path / "old").write_text(old.private_bytes_raw().hex() + "\n", encoding="ascii")
    signer = Signer(tmp_path / "old")
    assert signer.public_key == old.public_key().public_bytes_raw().hex()
    sealed = signer.seal("a secret", "here")
    assert Signer(tmp_path / "old").unseal(sealed, "here") == "a secret"  # its sealing key is the same each time
    signer.rotate()
    assert Signer(tmp_path / "old").unseal(sealed, "here") == "a secret"


def test_a_seal_opens_only_where_it_was_made_and_unaltered(signer: Signer) -> None:
    sealed = signer.seal("a secret", "here")
    assert sealed != signer.seal("a secret", "here")
    for wrong, place in (
        (sealed, "there"),
        (sealed[:-2], "here"),
        (f"2{sealed[1:]}", "here"),
        ("nonsense", "here"),
        (f"{sealed[:-1]}{'0' if sealed[-1] != '0' else '1'}", "here"),
    ):
        with pytest.raises(LedgerError, check=refusal("not-sealed", place=place)):
            signer.unseal(wrong, place)
    assert signer.seal("", "here") == signer.unseal("", "here") == ""


def test_codes_differ_by_purpose_and_ledger_and_stay_the_same(signer: Signer, tmp_path: Path) -> None:
    code = signer.derive_code("requester 1 ann")
    assert Signer(tmp_path / "key").derive_code("requester 1 ann") == code
    assert len(code) == 22  # 128 bits
    others = {
        signer.derive_code("approver 1 ann"),
        Signer.load_or_create(tmp_path / "b").derive_code("requester 1 ann"),
    }
    assert code not in others
    assert len(others) == 2


@pytest.mark.parametrize("spoil", ["no keys", "two active", "none active", "a short key", "cut"])
def test_a_ring_that_is_not_whole_is_refused(signer: Signer, tmp_path: Path, spoil: str) -> None:
    signer.rotate()
    path = tmp_path / "key"
    ring = json.loads(path.read_text(encoding="ascii"))
    if spoil == "no keys":
        ring["keys"] = []
    elif spoil == "a short key":
        ring["keys"][0]["sealing"] = "00"
    else:
        ring["keys"][0 if spoil == "two active" else 1]["state"] = "active" if spoil == "two active" else "retired"
    text = json.dumps(ring)
    path.write_text(text[:-9] if spoil == "cut" else text, encoding="ascii")
    with pytest.raises(LedgerError, check=refusal("no-signing-key")):
        Signer(path)


def test_a_file_that_others_may_read_or_write_is_refused_at_once(signer: Signer, tmp_path: Path) -> None:
    path = tmp_path / "key"
    for bit in (0o040, 0o020, 0o010, 0o004, 0o002, 0o001):
        path.chmod(0o600 | bit)
        wide = refusal("key-file-not-private", mode=f"{0o600 | bit:03o}")
        for use in (lambda: Signer(path), lambda: signer.sign("a head"), lambda: Signer.load_or_create(path)):
            with pytest.raises(LedgerError, check=wide):
                use()
        path.chmod(0o400)
        assert signer.has_signed("a head", Signer(path).sign("a head"))
