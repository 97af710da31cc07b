"""One's own Pod: made ready, unlocked, written to, shared from, and what others share with it."""

import json
import os
from datetime import datetime

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_der_public_key,
    load_pem_private_key,
)
from rdflib import RDF, Graph, Literal, Namespace, URIRef
from rdflib.namespace import DCTERMS, FOAF

import pod_formats as formats
from pod_formats import DATA, LOG_ID, RESOURCE_ID, TERMS

ACL = Namespace("http://www.w3.org/ns/auth/acl#")


class OwnPod:
    def __init__(self, session, pod, security_key):
        self.session, self.pod = session, pod
        self._create_keys(security_key)
        self._unlock(security_key)
        self._create_the_rest()

    # --- the keys of the Pod

    def _create_keys(self, security_key):
        salt = os.urandom(16)
        master_key, verification = formats.derive_keys(security_key, salt)
        pair = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        pem = pair.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
        iv, sealed = formats.seal_private_key(pem, master_key)
        values = {
            DCTERMS.title: "Encryption keys",
            TERMS.encKey: verification,
            TERMS.prvKey: sealed,
            TERMS.iv: iv,
            TERMS.salt: formats.to_base64(salt),
            TERMS.keyVersion: "2",
        }
        self._create(self.pod.enc_keys, statements(self.pod.enc_keys, values))

    def _unlock(self, security_key):
        keys = self.session.read(self.pod.enc_keys)
        me = URIRef(self.pod.enc_keys)
        salt = keys.value(me, TERMS.salt)
        if salt is None:
            self.master_key, verification = formats.derive_legacy_keys(security_key)
        else:
            salt = formats.from_base64(salt)
            self.master_key, verification = formats.derive_keys(security_key, salt)
        if verification != str(one(keys, me, TERMS.encKey)):
            raise RuntimeError(f"This is not the security key of {self.pod.web_id}")
        iv, sealed = one(keys, me, TERMS.iv), one(keys, me, TERMS.prvKey)
        pem = formats.open_private_key(iv, sealed, self.master_key)
        self.private_key = load_pem_private_key(pem.encode(), password=None)

    def _create_the_rest(self):
        """What is there stays as it is, so a Pod that was left half-made is completed."""
        pod, public = self.pod, self.private_key.public_key()
        body = formats.to_base64(public.public_bytes(Encoding.DER, PublicFormat.PKCS1))
        titles = {
            pod.ind_keys: {DCTERMS.title: "Individual Encryption Keys"},
            pod.public_key: {DCTERMS.title: "Public key", TERMS.pubKey: body},
            pod.log: {RDF.type: FOAF.PersonalProfileDocument, DCTERMS.title: "Permissions Log"},
        }
        for url, values in titles.items():
            self._create(url, statements(url, values))
        everyone = {pod.public_key: ["Read"], pod.log: ["Append"], pod.shared: ["Read", "Write"]}
        for url, modes in everyone.items():
            rules = Graph()
            add_rule(rules, url, "owner", ACL.agent, pod.web_id, ["Read", "Write", "Control"])
            add_rule(rules, url, "everyone", ACL.agentClass, FOAF.Agent, modes)
            self._create(url + ".acl", rules)

    # --- a reading

    def record(self, time, systolic, diastolic, heart_rate):
        """Writes one reading; returns its address and its key."""
        url = f"{self.pod.readings}bp_{time.strftime('%Y-%m-%dT%H-%M-%S')}.json.enc.ttl"
        key = self._key_of(url)
        responses = {"systolic": systolic, "diastolic": diastolic, "heart_rate": heart_rate}
        timestamp = time.isoformat(timespec="milliseconds")
        text = json.dumps({"timestamp": timestamp, "responses": {**responses, "notes": ""}})
        iv, data = formats.encrypt(text, key)
        path = url[len(self.pod.root) :]
        values = {TERMS.path: path, TERMS.iv: iv, TERMS.encData: data}
        self._put(url, statements(url, values))
        return url, key

    def _key_of(self, url):
        """A resource keeps its key for life: a new one is made only where there is none."""
        keys = self.session.read(self.pod.ind_keys)
        if (URIRef(url), TERMS.sessionKey, None) in keys:
            iv, sealed = (one(keys, URIRef(url), each) for each in (TERMS.iv, TERMS.sessionKey))
            return formats.from_base64(formats.decrypt(iv, sealed, self.master_key))
        key = os.urandom(32)
        iv, sealed = formats.encrypt(formats.to_base64(key), self.master_key)
        values = {TERMS.path: url[len(self.pod.root) :], TERMS.iv: iv, TERMS.sessionKey: sealed}
        self._patch(self.pod.ind_keys, insert=statements(url, values))
        return key

    # --- sharing

    def share(self, url, key, recipient):
        """Access to the file, its key in the recipient's inbox, a line in both logs."""
        public_key = self._public_key_of(recipient)
        self._allow_reading(url, recipient.web_id)
        share = RESOURCE_ID[formats.share_id(url, recipient.web_id)]
        values = {DATA.path: url, DATA.accessList: "read", DATA.sharedKey: formats.to_base64(key)}
        sealed = {name: formats.seal_for(public_key, value) for name, value in values.items()}
        inbox = self.session.read(recipient.inbox, accept=[404])
        insert = statements(share, sealed)
        if len(inbox) == 0:
            person = FOAF.PersonalProfileDocument
            heading = {RDF.type: person, DCTERMS.title: "Shared Encryption Keys"}
            insert += statements(recipient.inbox + "#me", heading)
        self._patch(recipient.inbox, delete=inbox.triples((share, None, None)), insert=insert)
        now = datetime.now()
        line = formats.log_line(now, url, self.pod.web_id, "grant", recipient.web_id)
        entry = LOG_ID[now.strftime("%Y%m%dT%H%M%S%f")]  # To the microsecond: no two alike.
        for log in (self.pod.log, recipient.log):
            self._patch(log, insert=statements(entry, {DATA.log: line}))

    def _public_key_of(self, recipient):
        document = self.session.read(recipient.public_key)
        body = one(document, URIRef(recipient.public_key), TERMS.pubKey)
        return load_der_public_key(formats.from_base64(body))

    def _allow_reading(self, url, web_id):
        """Keeps the rules of the file itself; takes those that it inherits for the owner's alone."""
        rules = self.session.read(url + ".acl", accept=[404])
        if len(rules) == 0:
            modes = ["Read", "Write", "Control"]
            add_rule(rules, url, "owner", ACL.agent, self.pod.web_id, modes)
        name = "reader-" + formats.share_id(url, web_id)[:8]
        add_rule(rules, url, name, ACL.agent, web_id, ["Read"])
        self._put(url + ".acl", rules)

    def read_shared(self, url):
        """The text of a document of somebody else's Pod, with the key in the own inbox."""
        document = self.session.read(url)
        inbox = self.session.read(self.pod.inbox)
        sealed = one(inbox, RESOURCE_ID[formats.share_id(url, self.pod.web_id)], DATA.sharedKey)
        key = formats.from_base64(formats.open_shared(self.private_key, sealed))
        iv, data = (one(document, URIRef(url), each) for each in (TERMS.iv, TERMS.encData))
        return formats.decrypt(iv, data, key)

    # --- writing

    def _create(self, url, graph):
        """Nothing happens where the document exists."""
        self._put(url, graph, headers={"If-None-Match": "*"}, accept=[412])

    def _put(self, url, graph, **options):
        self.session.request("PUT", url, graph.serialize(format="turtle"), "text/turtle", **options)

    def _patch(self, url, delete=(), insert=()):
        parts = [("DELETE", list(delete)), ("INSERT", list(insert))]
        update = ";\n".join(
            f"{verb} DATA {{ {' '.join(triple_text(each) for each in triples)} }}"
            for verb, triples in parts
            if triples
        )
        self.session.request("PATCH", url, update, "application/sparql-update")


def statements(subject, values):
    graph = Graph()
    for predicate, value in values.items():
        text_or_link = value if isinstance(value, URIRef) else Literal(value)
        graph.add((URIRef(subject), predicate, text_or_link))
    return graph


def add_rule(rules, url, name, whom, who, modes):
    rule = URIRef(f"{url}.acl#{name}")
    # Access rules name a resource in the server's spelling, or they hold for nothing.
    place = URIRef(formats.server_spelling(url))
    rules.add((rule, RDF.type, ACL.Authorization))
    rules.add((rule, ACL.accessTo, place))
    if url.endswith("/"):
        rules.add((rule, ACL.default, place))
    rules.add((rule, whom, URIRef(who)))
    for mode in modes:
        rules.add((rule, ACL.mode, ACL[mode]))


def one(graph, subject, predicate):
    """Two values where one belongs are as bad as none."""
    values = list(graph.objects(subject, predicate))
    if len(values) != 1:
        raise RuntimeError(f"{subject} has {len(values)} values of {predicate} instead of one")
    return values[0]


def triple_text(triple):
    return " ".join(term.n3() for term in triple) + " ."
