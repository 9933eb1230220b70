#!/usr/bin/env bash
# schemathesis asks everything that /api/openapi.json describes, with whatever comes to its mind, and
# looks whether the answers are as described. Usage: describe.sh SCHEMATHESIS ADDRESS
set -euo pipefail
schemathesis=$1 address=$2
# Events never end; what is refused and what is not is told by other tests.
"$schemathesis" run "$address/api/openapi.json" --url "$address" \
    --exclude-path /api/events \
    --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance \
    --phases examples,fuzzing --mode all --max-examples "${EXAMPLES:-25}" --seed 1 --request-timeout 20 \
    --generation-database none --no-color
