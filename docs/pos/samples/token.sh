# API_KEY is in the environment.
HUB=https://hub.example.com
ask() { curl -sS --fail-with-body "$HUB$1" -H "Authorization: Bearer $2" "${@:3}"; }
member() { grep -o "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }

ACCESS=$(ask /v1/guardian "$API_KEY") || { echo "$ACCESS" >&2; exit 1; }
TOKEN=$(echo "$ACCESS" | member token)
# Keep it. Ask again some minutes before its "expiration" (Unix seconds), and after a 401.
