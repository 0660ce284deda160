import base64, hashlib, hmac, json, os, re, time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = base64.b64decode(os.environ["SIGNING_SECRET"])

def is_genuine(headers, body):
    """The HMAC-SHA256 of id.timestamp.body, within five minutes of now. body is as it came in, as bytes."""
    name, at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", at) or abs(time.time() - int(at)) > 300:
        return False
    digest = hmac.new(SECRET, f"{name}.{at}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected, one.encode()) for one in given)

class Reports(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        genuine = is_genuine(self.headers, body)
        if genuine:
            job = json.loads(body)
            print(job["orderNumber"], job["status"], flush=True)  # Save this before you answer.
        self.send_response(204 if genuine else 401)
        self.end_headers()

HTTPServer(("", 3000), Reports).serve_forever()
