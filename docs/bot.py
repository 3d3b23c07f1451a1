"""A bot for Azulejo in thirty lines: it plays the move that brings the most points this round.

    python3 bot.py http://127.0.0.1:8137
"""
import json
import sys
import urllib.request

SERVER = sys.argv[1] + "/api/v1"
TOKEN = None


def ask(path, body=None):
    request = urllib.request.Request(SERVER + path, json.dumps(body).encode() if body is not None else None)
    request.add_header("Content-Type", "application/json")
    if TOKEN:
        request.add_header("Authorization", "Bearer " + TOKEN)
    return urllib.request.urlopen(request)


TOKEN = json.load(ask("/people", {"name": "Python bot"}))["token"]
seats = [{"kind": "me"}, {"kind": "engine", "level": 1}]
game = json.load(ask("/games", {"seats": seats}))["game"]["id"]
for line in ask(f"/games/{game}/stream"):
    state = json.loads(line).get("game") if line.strip() else None
    if state and state["your_turn"]:
        best = max(state["moves"], key=lambda move: move["change"])
        move = {"type": "move", "move": best["move"], "id": f"m{state['number']}", "after": state["number"]}
        ask(f"/games/{game}/commands", move)
    if state and state["status"] == "over":
        print("over:", state["result"]["scores"], "I am seat", state["your_seats"][0])
