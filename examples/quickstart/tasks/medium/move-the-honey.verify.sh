#!/usr/bin/env bash
set -e
diff <(node ../../show-stock.mjs) - <<'STOCK'
Flour, 30, A
Honey, 7, C
STOCK
grep -qw C "$PROCTOR_AGENT_OUTPUT"
