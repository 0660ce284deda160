# API_KEY is in the environment.
ACCESS=$(curl -sS --fail-with-body https://hub.example.com/v1/guardian -H "Authorization: Bearer $API_KEY") ||
  { echo "$ACCESS" >&2; false; }
TOKEN=$(echo "$ACCESS" | sed 's/.*"token":"\([^"]*\)".*/\1/')
