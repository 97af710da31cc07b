"""Requests to a Solid server in the name of one person: OAuth client credentials with DPoP."""

import base64
import hashlib
import json
import time
import uuid
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from rdflib import Graph, URIRef

from pod_formats import server_spelling, to_base64

OIDC_ISSUER = URIRef("http://www.w3.org/ns/solid/terms#oidcIssuer")


class Session:
    def __init__(self, web_id, client_id, client_secret):
        self.key = ec.generate_private_key(ec.SECP256R1())
        pair = f"{quote(client_id, safe='')}:{quote(client_secret, safe='')}"
        self.basic = "Basic " + to_base64(pair.encode())
        _, profile = send("GET", web_id.split("#")[0], {"Accept": "text/turtle"})
        issuer = read_turtle(profile, web_id).value(URIRef(web_id), OIDC_ISSUER)
        if issuer is None:
            raise RuntimeError(f"The profile of {web_id} names no issuer to log in at")
        configuration = str(issuer).rstrip("/") + "/.well-known/openid-configuration"
        self.token_endpoint = json.loads(send("GET", configuration, {})[1])["token_endpoint"]
        self.token, self.expires = None, 0

    def request(self, method, url, body=None, content_type=None, headers=None, accept=()):
        """Status and body; raises for a status of 400 and above that is not among `accept`."""
        if time.time() > self.expires - 60:
            self._log_in()
        # The request and its proof have one spelling of the address, which every server takes.
        address = server_spelling(url)
        proof = self._proof(method, address, self.token)
        wanted = {"Authorization": f"DPoP {self.token}", "DPoP": proof, **(headers or {})}
        if content_type is not None:
            wanted["Content-Type"] = content_type
        return send(method, address, wanted, body, accept)

    def read(self, url, accept=()):
        """The statements of a document; none where it answers with a status among `accept`."""
        status, body = self.request("GET", url, headers={"Accept": "text/turtle"}, accept=accept)
        return Graph() if status in accept else read_turtle(body, url)

    def _log_in(self):
        headers = {
            "Authorization": self.basic,
            "DPoP": self._proof("POST", self.token_endpoint),
            "Content-Type": "application/x-www-form-urlencoded",
        }
        form = "grant_type=client_credentials&scope=webid"
        answer = json.loads(send("POST", self.token_endpoint, headers, form)[1])
        self.token = answer["access_token"]
        self.expires = time.time() + answer.get("expires_in", 600)

    def _proof(self, method, url, token=None):
        claims = {"htm": method, "htu": url, "iat": int(time.time()), "jti": str(uuid.uuid4())}
        if token is not None:
            claims["ath"] = to_base64url(hashlib.sha256(token.encode()).digest())
        numbers = self.key.public_key().public_numbers()
        x, y = (to_base64url(number.to_bytes(32, "big")) for number in (numbers.x, numbers.y))
        headers = {"typ": "dpop+jwt", "jwk": {"kty": "EC", "crv": "P-256", "x": x, "y": y}}
        return jwt.encode(claims, self.key, algorithm="ES256", headers=headers)


def send(method, url, headers, body=None, accept=()):
    data = body.encode() if isinstance(body, str) else body
    try:
        with urlopen(Request(url, data, headers, method=method), timeout=30) as answer:
            return answer.status, answer.read()
    except HTTPError as error:
        if error.code in accept:
            return error.code, b""
        raise RuntimeError(f"{method} {url} was answered HTTP {error.code}") from None


def read_turtle(body, url):
    # The server writes addresses relative to the document, so its own is needed to read them.
    return Graph().parse(data=body, format="turtle", publicID=url)


def to_base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
