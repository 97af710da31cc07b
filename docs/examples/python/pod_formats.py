"""What an app keeps in a Pod, as text and bytes: docs/pod-format.md describes each of them."""

import base64
import hashlib
import os
from urllib.parse import quote, unquote, urlsplit

from argon2.low_level import Type, hash_secret_raw
from cryptography.hazmat.primitives import hashes, padding
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from rdflib import Namespace

TERMS = Namespace("https://solidcommunity.au/predicates/terms#")
DATA = Namespace("https://solidcommunity.au/predicates/data#")
RESOURCE_ID = Namespace("https://solidcommunity.au/predicates/resourceid#")
LOG_ID = Namespace("https://solidcommunity.au/predicates/logid#")
CARD = "profile/card#me"


class Pod:
    """The addresses of one Pod."""

    def __init__(self, web_id, app_dir):
        if not web_id.endswith("/" + CARD):
            raise ValueError(f"{web_id} is not a WebID: it must end in /{CARD}")
        self.web_id = web_id
        self.root = web_id[: -len(CARD)]
        app = f"{self.root}{app_dir}/"
        self.enc_keys = app + "encryption/enc-keys.ttl"
        self.ind_keys = app + "encryption/ind-keys.ttl"
        self.public_key = app + "sharing/public-key.ttl"
        self.shared = app + "shared/"
        self.inbox = app + "shared/shared-keys.ttl"
        self.log = app + "logs/permissions-log.ttl"
        self.readings = app + "data/blood_pressure/"


def derive_keys(security_key, salt):
    """Master key and verification value, version 2."""
    secret = hash_secret_raw(security_key.encode(), salt, 1, 10_000, 4, 32, Type.ID)
    master, verification = (
        HKDF(hashes.SHA256(), 32, salt, f"solidpod/v2/{name}".encode()).derive(secret)
        for name in ("master-key", "verification")
    )
    return master, to_base64(verification)


def derive_legacy_keys(security_key):
    """Master key and verification value, version 1."""
    secret = security_key.encode()
    master = hashlib.sha256(secret).hexdigest()[:32].encode()
    return master, hashlib.sha224(secret).hexdigest()[:32]


def encrypt(text, key):
    """IV and data of a text: AES-256-CTR over what PKCS#7 has padded."""
    iv = os.urandom(16)  # A new one for every write: the key of a resource never changes.
    padder = padding.PKCS7(128).padder()
    padded = padder.update(text.encode()) + padder.finalize()
    data = Cipher(algorithms.AES(key), modes.CTR(iv)).encryptor().update(padded)
    return to_base64(iv), to_base64(data)


def decrypt(iv, data, key):
    return open_sealed(modes.CTR, iv, data, key)


def seal_private_key(pem, master_key):
    iv = os.urandom(16)
    padder = padding.PKCS7(128).padder()
    padded = padder.update(pem) + padder.finalize()
    data = Cipher(algorithms.AES(master_key), modes.CBC(iv)).encryptor().update(padded)
    return to_base64(iv), to_base64(data)


def open_private_key(iv, data, master_key):
    return open_sealed(modes.CBC, iv, data, master_key)


def open_sealed(mode, iv, data, key):
    cipher = Cipher(algorithms.AES(key), mode(from_base64(iv)))
    unpadder = padding.PKCS7(128).unpadder()
    padded = cipher.decryptor().update(from_base64(data))
    return (unpadder.update(padded) + unpadder.finalize()).decode()


def seal_for(public_key, text):
    return to_base64(public_key.encrypt(text.encode(), PKCS1v15()))


def open_shared(private_key, sealed):
    return private_key.decrypt(from_base64(sealed), PKCS1v15()).decode()


def share_id(url, recipient_web_id):
    return hashlib.sha256((url + recipient_web_id).encode()).hexdigest()


def log_line(time, url, owner_web_id, action, recipient_web_id):
    """The owner is the one who grants; the angle brackets are part of the text."""
    stamp = time.strftime("%Y%m%dT%H%M%S")
    parts = [stamp, url, owner_web_id, action, owner_web_id, recipient_web_id, "read"]
    return f"<{';'.join(parts)}>"


def server_spelling(url):
    """`localhost:3000-alice` in a path as `localhost%3A3000-alice`, without query and fragment."""
    parts = urlsplit(url)
    path = "/".join(quote(unquote(each), safe="!'()*") for each in parts.path.split("/"))
    return f"{parts.scheme}://{parts.netloc}{path}"


def to_base64(data):
    return base64.b64encode(data).decode()


def from_base64(text):
    return base64.b64decode(text, validate=True)
