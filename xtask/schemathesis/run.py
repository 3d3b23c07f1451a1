"""Schemathesis sends generated requests to a running server and compares the answers with the OpenAPI
document: no 5xx, no undocumented status, no answer that does not fit its schema.

Usage: run.py URL SECONDS. `cargo xtask api` starts the server and installs Schemathesis. Sockets and
streams are left out, since their answers do not end: a test of the server checks every message.
"""

import json
import os
import pathlib
import subprocess
import sys
import urllib.request

CHECKS = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "unsupported_method",
]


def post(url, body, token=None):
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def games(api, token):
    """Ids of games of all kinds: waiting, being played, with the engine, over."""
    me, here, open_seat, engine = ({"kind": kind} for kind in ("me", "here", "open", "engine"))
    terms = [{"seats": [me, here], "hints": True} for _ in range(6)]
    terms += [{"seats": [me, open_seat], "listed": True}, {"seats": [open_seat, open_seat, open_seat]}]
    terms += [{"seats": [me, engine | {"level": 1}], "wall": "grey", "jokers": True}]
    terms += [{"seats": [me, here, here, here], "jokers": True}, {"seats": [me, here]}]
    ids = [post(f"{api}/games", one, token)["game"]["id"] for one in terms]
    post(f"{api}/games/{ids[-1]}/commands", {"type": "resign", "seat": 1}, token)
    return ids


def main():
    url, seconds = sys.argv[1], sys.argv[2]
    api = f"{url}/api/v1"
    token = post(f"{api}/people", {"name": "Schemathesis"})["token"]
    folder = pathlib.Path(__file__).parent
    environment = os.environ | {
        "AZULEJO_GAMES": ",".join(games(api, token)),
        "SCHEMATHESIS_HOOKS": "hooks",
        "PYTHONPATH": str(folder),
    }
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{api}/openapi.json"]
    command += ["--checks", ",".join(CHECKS), "--exclude-path-regex", "/(stream|socket)$"]
    command += ["--header", f"Authorization: Bearer {token}", "--max-time", seconds]
    command += ["--phases", "examples,coverage,fuzzing", "--seed", "1", "--request-timeout", "20"]
    command += ["--continue-on-failure", "--warnings", "off"]
    return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
