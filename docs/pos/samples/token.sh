# API_KEY is in the environment.
TOKEN=$(curl -sf https://hub.example.com/v1/guardian -H "Authorization: Bearer $API_KEY" |
  sed 's/.*"token":"\([^"]*\)".*/\1/')
