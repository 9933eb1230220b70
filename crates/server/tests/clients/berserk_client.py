"""Lichess's own client for Python, pointed at our server, plays through an opening.

berserk is GPL: it is run here and nowhere else. Usage: berserk_client.py ADDRESS
"""

import sys

import berserk

explorer = berserk.Client(explorer_url=sys.argv[1]).opening_explorer

# The most frequent move again and again, as people click through a tree.
line = []
while True:
    answer = explorer.get_lichess_games(play=line, top_games=1, recent_games=1)
    games = answer["white"] + answer["draws"] + answer["black"]
    if not answer["moves"]:
        break
    assert all(game["uci"] for game in answer["topGames"] + answer["recentGames"])
    best = answer["moves"][0]
    assert best["white"] + best["draws"] + best["black"] <= games, best
    line.append(best["uci"])
assert line[:2] == ["e2e4", "e7e5"], line
assert len(line) == 4, line

petrov = explorer.get_lichess_games(
    position="rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
    speeds=["blitz"],
    ratings=["2200"],
    since="2024-01",
    until="2024-12",
    history=True,
)
assert (petrov["white"], petrov["draws"], petrov["black"]) == (0, 1, 0), petrov
assert petrov["history"] == [{"month": "2024-05", "white": 0, "draws": 1, "black": 0}], petrov

masters = explorer.get_masters_games(play=["e2e4", "e7e5"], since=1850, until=1860, top_games=5)
assert masters["opening"]["eco"] == "C20", masters
assert [game["id"] for game in masters["topGames"]] == ["1"], masters
pgn = explorer.get_otb_master_game(masters["topGames"][0]["id"])
assert "2. f4 exf4 1-0" in pgn, pgn

tal = explorer.get_player_games(player="Tal", color="black", play=["g1f3"])
assert (tal["black"], tal["moves"][0]["uci"]) == (1, "e7e5"), tal
assert len(list(explorer.stream_player_games(player="Tal", color="white"))) == 1

try:
    explorer.get_lichess_games(play=["e2e5"])
except berserk.exceptions.ResponseError as error:
    assert error.status_code == 400, error
else:
    raise AssertionError("an illegal move was taken")
