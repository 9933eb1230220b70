#!/usr/bin/env bash
# How many trees a second a server answers, how long they take, and whether its memory stays as it is.
# Usage: load.sh DATABASE [SECONDS [CONNECTIONS]]; needs wrk (apt install wrk) and a quiet machine.
#
# The command is that of the repository, built with `cargo build --release -p tabiya-cli`; TABIYA names
# another. Positions are taken from the tree itself: all lines of the most frequent moves, six plies deep.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
database=$1 seconds=${2:-30} connections=${3:-8}
tabiya=${TABIYA:-$here/../../target/release/tabiya}
command -v wrk >/dev/null || { echo 'wrk is not installed: apt install wrk' >&2; exit 2; }

folder=$(mktemp -d)
"$tabiya" serve "$database" --port 0 --quiet 2>"$folder/log" &
server=$!
trap 'kill -INT "$server" 2>/dev/null; wait "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
until address=$(grep -o 'http://[0-9.:]*' "$folder/log"); do
    kill -0 "$server" || { cat "$folder/log" >&2; exit 2; }
    sleep 0.1
done

memory() {
    awk '/VmRSS|VmHWM/ { printf "%s %.0f MB  ", $1, $2 / 1024 }' "/proc/$server/status" 2>/dev/null || true
}

# The moves that lead to positions, one line each: the three most frequent of each position.
python3 - "$address" >"$folder/lines" <<'PYTHON'
import json, sys, urllib.request
address, lines, level = sys.argv[1], [""], [""]
for _ in range(6):
    following = []
    for line in level:
        with urllib.request.urlopen(f"{address}/api/tree?play={line}") as answer:
            moves = json.load(answer)["moves"]
        following += [f"{line},{move['uci']}".strip(",") for move in moves[:3] if move["games"]]
    level = following
    lines += level
print("\n".join(lines))
PYTHON

for path in /api/tree /lichess; do
    cat >"$folder/ask.lua" <<LUA
local lines = {}
for line in io.lines("$folder/lines") do lines[#lines + 1] = line end
math.randomseed(1)
request = function()
    return wrk.format("GET", "$path?play=" .. lines[math.random(#lines)])
end
done = function(summary, latency)
    local ms = function(part) return latency:percentile(part) / 1000 end
    print(string.format("%-10s %8.0f a second   p50 %.2f ms   p99 %.2f ms   most %.1f ms   %d errors",
        "$path", summary.requests / summary.duration * 1e6, ms(50), ms(99), latency.max / 1000,
        summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout))
end
LUA
    wrk --threads 1 --connections "$connections" --duration "${seconds}s" --script "$folder/ask.lua" \
        "$address" | tail -1
    memory
    echo
done
