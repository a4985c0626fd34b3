"""A mail server for tests: prints each mail as a line of JSON, and refuses what is told on its command line.

mail-server.py PORT CERTIFICATE KEY MODE, where MODE is plain, tls or starttls. User "u", password "p".
"""

import json
import ssl
import sys
import time

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, SMTP


class Mails:
    """Keeps nothing: who started this reads what is printed."""

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("nobody@"):
            return "550 no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        mail = {
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "content": envelope.content.decode("utf8"),
            "isEncrypted": server.transport.get_extra_info("sslcontext") is not None,
            "isKnown": bool(session.authenticated),
        }
        print(json.dumps(mail), flush=True)
        return "250 taken"


def authenticate(server, session, envelope, mechanism, data):
    is_known = data.login == b"u" and data.password == b"p"
    return AuthResult(success=is_known, handled=is_known)


class Server(Controller):
    def factory(self):
        context = self.context if self.mode == "starttls" else None
        return SMTP(
            self.handler,
            authenticator=authenticate,
            auth_require_tls=False,
            tls_context=context,
            require_starttls=self.mode == "starttls",
            enable_SMTPUTF8=True,
        )


port, certificate, key, mode = sys.argv[1:]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
server = Server(
    Mails(),
    hostname="127.0.0.1",
    port=int(port),
    ssl_context=context if mode == "tls" else None,
)
server.mode = mode
server.context = context
server.start()
print("ready", flush=True)
while True:
    time.sleep(60)
