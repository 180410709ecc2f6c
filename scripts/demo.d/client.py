"""HTTP as an app or a service uses it: one connection that stays open, JSON, and a credential with each request."""

import base64
import hashlib
import hmac
import http.client
import json
import time
import urllib.parse
from collections import namedtuple


class Answer(namedtuple("Answer", "status headers body")):
    def json(self):
        return json.loads(self.body)

    def expect(self, *statuses):
        """Answers itself when the status is one of these."""
        if self.status not in statuses:
            raise RuntimeError(f"the hub answered {self.status}: {self.body[:300].decode(errors='replace')}")
        return self


class Client:
    def __init__(self, address, authorization=None):
        """`authorization` is called for each request and answers the field's value."""
        self.address = address
        self.authorization = authorization
        self.connection = http.client.HTTPConnection(address, timeout=20)

    def request(self, method, path, document=None, body=None, headers=None):
        fields = dict(headers or {})
        if document is not None:
            body = json.dumps(document)
            fields.setdefault("Content-Type", "application/json")
        if self.authorization:
            fields["Authorization"] = self.authorization()
        try:
            return self._once(method, path, body, fields)
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
            # The server ends connections that were idle; what was asked then was not taken.
            self.connection.close()
            return self._once(method, path, body, fields)

    def _once(self, method, path, body, fields):
        self.connection.request(method, path, body=body, headers=fields)
        response = self.connection.getresponse()
        return Answer(response.status, response.headers, response.read())

    def get(self, path, **fields):
        return self.request("GET", path, headers=fields)

    def post(self, path, document=None, **more):
        return self.request("POST", path, document, **more)

    def upload(self, path, notification, name, kind, content):
        """A form with a document and a file, as `curl -F` sends it."""
        boundary = "form-of-the-demo"
        parts = [
            ('name="notification"\r\nContent-Type: application/json', json.dumps(notification).encode()),
            (f'name="content"; filename="{name}"\r\nContent-Type: {kind}', content),
        ]
        body = b"".join(
            f"--{boundary}\r\nContent-Disposition: form-data; {head}\r\n\r\n".encode() + data + b"\r\n" for head, data in parts
        )
        headers = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
        return self.request("POST", path, body=body + f"--{boundary}--\r\n".encode(), headers=headers)

    def put(self, path, document):
        return self.request("PUT", path, document)


def signed(address, name, secret, seconds=300):
    """An authorization by a service's key, as Azure's clients make it."""
    resource = urllib.parse.quote(f"http://{address}/", safe="")

    def authorization():
        expiry = int(time.time()) + seconds
        code = hmac.digest(secret.encode(), f"{resource}\n{expiry}".encode(), hashlib.sha256)
        signature = urllib.parse.quote(base64.b64encode(code), safe="")
        return f"SharedAccessSignature sr={resource}&sig={signature}&se={expiry}&skn={name}"

    return authorization


def basic(name, secret):
    field = "Basic " + base64.b64encode(f"{name}:{secret}".encode()).decode()
    return lambda: field


def bearer(secret):
    return lambda: f"Bearer {secret}"
