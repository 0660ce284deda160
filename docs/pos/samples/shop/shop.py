"""A shop with a whole integration: it takes orders, sends customers to pay, takes reports, and says how an order stands.
Put the hub's client.py next to it, and run it with HUB_URL, API_KEY and SIGNING_SECRET in its environment: python3 shop.py"""
import json, os, threading, time
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, quote, urlsplit
from client import HubError, PaymentHub, ReportError, verify_report

PORT = int(os.environ.get("PORT", "3000"))
SHOP = os.environ.get("SHOP_URL", f"http://localhost:{PORT}")
hub = PaymentHub(os.environ["HUB_URL"], os.environ["API_KEY"])

ORDERS = {}  # Keep them in your database: this shop forgets everything when it ends.
LOCK = threading.Lock()  # Two clicks and a report may come at the same time. Your database has transactions.

def order_of(wanted):
    """The order of a customer who goes to pay. "attempt" counts the payments that the customer has begun."""
    with LOCK:
        number = wanted["order_number"]
        new = {"id": int(time.time() * 1000) + len(ORDERS), "attempt": 1, "jobs": {}, "paid": False, "handled": 0}
        return ORDERS.setdefault(number, {**wanted, **new})

def pay(order):
    """Makes the payment of an order, or finds the one that exists: the key stays the same until that has ended."""
    job = hub.create_payment_job({
        "currency": order["currency"],
        "amount": order["amount"],  # A text, as in the books: never a float.
        "payment_method": "ideal" if order["currency"] == "EUR" else "creditcard",  # iDEAL | Wero takes only euros.
        "order_id": str(order["id"]),
        "order_number": order["order_number"],
        "language": "en",
        "ip_address": "203.0.113.7",  # The customer's.
        "return_url": f"{SHOP}/thanks?order_number={quote(order['order_number'])}",
        "report_url": f"{SHOP}/report",
    }, idempotency_key=f"order-{order['id']}-attempt-{order['attempt']}")
    learn(job)
    return job["payUrl"]

def learn(job):
    """Takes in what the hub says of a payment. If that is old or known, nothing changes."""
    with LOCK:
        order = ORDERS.get(job["orderNumber"])
        if order is None:
            return
        known = order["jobs"].get(job["paymentJob"])
        if known and known["lastUpdate"] >= job["lastUpdate"]:
            return
        order["jobs"][job["paymentJob"]] = job
        # Whatever ended the payment before, it is paid once it is SUCCESS. That never changes again.
        if job["status"] == "SUCCESS" and not order["paid"]:
            order["paid"] = True
            order["handled"] += 1  # Send the goods, once.
        # The customer's next try is another payment, under another key.
        if job["status"] in ("FAILURE", "CANCELLED", "EXPIRED"):
            order["attempt"] = len(order["jobs"]) + 1

class Shop(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/report":
            return self.take_report(body)
        try:
            self.answer(303, Location=pay(order_of(json.loads(body))))
        except HubError as error:
            print(error, error.request_id)
            self.answer(503, "This does not work just now. Please try again.")

    def take_report(self, body):
        """Saves what the hub reports before it answers. Do slow work afterwards."""
        try:
            learn(verify_report(body, self.headers, os.environ["SIGNING_SECRET"]))
            self.answer(204)
        except ReportError as error:
            self.answer(400, error.code)

    def do_GET(self):
        address = urlsplit(self.path)
        order = ORDERS.get(parse_qs(address.query).get("order_number", [""])[0])
        if order is None:
            return self.answer(404, "There is no such order.")
        if address.path == "/check":  # For hub certify. Leave it out of the shop that goes live.
            return self.answer(200, json.dumps(standing(order)))
        # The customer is back. Anyone can open this address, so the shop asks the hub.
        for job in list(order["jobs"]):
            learn(hub.get_payment_job(job))
        self.answer(200, "Thank you. It is paid." if order["paid"] else "We have no payment yet.")

    def answer(self, status, text="", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())

def standing(order):
    """How an order stands, and how much of it went back. The hub reports totals."""
    back = sum(Decimal(job.get("amountRefunded", "0")) for job in order["jobs"].values())
    return {"paid": order["paid"], "handled": order["handled"], "refunded": str(back)}

ThreadingHTTPServer(("", PORT), Shop).serve_forever()
