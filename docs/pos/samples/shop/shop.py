"""Takes reports: verifies them, keeps the newest of each order, and says how an order stands.
Run it with SIGNING_SECRET in its environment: python3 shop.py"""
import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

SECRET = base64.b64decode(os.environ["SIGNING_SECRET"])
JOBS = {}  # The newest report of each order. Keep it in your database.

def is_genuine(headers, body):
    """Standard Webhooks: the HMAC-SHA256 of id.timestamp.body, at most five minutes old."""
    name, at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not at.isdigit() or abs(time.time() - int(at)) > 300:
        return False
    digest = hmac.new(SECRET, f"{name}.{at}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected, one.encode()) for one in given)

class Shop(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if not is_genuine(self.headers, body):
            return self.answer(401, {})
        job = json.loads(body)
        known = JOBS.get(job["orderNumber"])
        # The same report may come twice, and an older one after a newer one.
        if known is None or job["lastUpdate"] > known["lastUpdate"]:
            JOBS[job["orderNumber"]] = job  # Save it before you answer. Do slow work afterwards.
        self.answer(200, {})

    def do_GET(self):
        """How an order stands: for the customer who is back, and for hub certify."""
        number = parse_qs(urlsplit(self.path).query).get("order_number", [""])[0]
        job = JOBS.get(number, {})
        self.answer(200, {"paid": job.get("status") == "SUCCESS", "refunded": job.get("amountRefunded", "0")})

    def answer(self, status, content):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(content).encode())

    def log_message(self, *_):
        pass

ThreadingHTTPServer(("", int(os.environ.get("PORT", "3000"))), Shop).serve_forever()
