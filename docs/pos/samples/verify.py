import hashlib, hmac, json, os
from http.server import BaseHTTPRequestHandler, HTTPServer

def is_genuine(body, x_signature):
    """body is the report as it came in, as bytes, before it is parsed."""
    secret = os.environ["SIGNING_SECRET"].encode()
    expected = hmac.new(secret, body, hashlib.sha512).hexdigest()
    return hmac.compare_digest(expected.encode(), x_signature.encode())

class Reports(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        genuine = is_genuine(body, self.headers.get("X-Signature", ""))
        if genuine:
            job = json.loads(body)
            print(job["orderNumber"], job["status"], flush=True)  # Save this before you answer.
        self.send_response(204 if genuine else 401)
        self.end_headers()

HTTPServer(("", 3000), Reports).serve_forever()
