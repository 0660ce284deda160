import json, os, time, urllib.error, urllib.request

HUB = "https://hub.example.com"

def ask(path, bearer, body=None, **headers):
    headers |= {"Authorization": f"Bearer {bearer}"}
    if body is not None:
        headers["Content-Type"] = "application/json"
        body = json.dumps(body).encode()
    request = urllib.request.Request(HUB + path, data=body, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        # A problem: its code and detail say what is wrong.
        raise RuntimeError(f"{error.code} {error.read().decode(errors='replace')}") from None

access = ask("/v1/guardian", os.environ["API_KEY"])
token = access["token"]
# Keep it. Ask again some minutes before access["expiration"] (Unix seconds), and after a 401.
