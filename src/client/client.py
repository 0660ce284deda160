"""The payment hub's client for Python 3.8 and newer. It needs only this file.

    hub = PaymentHub("https://hub.example.com", os.environ["API_KEY"])
    job = hub.create_payment_job(order, idempotency_key="order-1001-attempt-1")
    paid = hub.wait_for(job, seconds=300)

One PaymentHub serves a whole program, threads included: it keeps the access token. It repeats a
request that is safe to repeat after a fault of the network, a 429 or a 5xx. A call that fails raises
a HubError: decide by its code.
"""

import base64
import binascii
import hashlib
import hmac
import http.client
import json
import random
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid


class HubError(Exception):
    """A call that failed. `code` is one of the hub's errors, or `no-answer`, `answer-unreadable`."""

    def __init__(self, code, message, status=None, errors=(), request_id=None, retry_after=0):
        super().__init__(f"{code}: {message}")
        self.code, self.status, self.errors = code, status, list(errors)
        self.request_id, self.retry_after = request_id, retry_after


class ReportError(Exception):
    """A report that is not the hub's, or is too old. Answer 400, and ignore it."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


class PaymentHub:
    def __init__(self, base_url, api_key, timeout=30):
        """`timeout` is how many seconds a call may take with all its retries."""
        self._url, self._key, self._timeout = base_url.rstrip("/"), api_key, timeout
        self._token, self._expires, self._lock = None, 0.0, threading.Lock()

    def payment_methods(self, language=None):
        return self._call("GET", "/v2/paymentmethods" + _query(language=language))

    def list_terminals(self):
        """Lists the card terminals that this point of sale may use."""
        return self._call("GET", "/v2/terminals")["terminals"]

    def create_payment_job(self, order, idempotency_key=None):
        """The order has a `terminal` if the customer pays at one."""
        return self._write("/v2/paymentjobs", {"timestamp": int(time.time()), **order}, idempotency_key)

    def get_payment_job(self, job):
        return self._call("GET", _path(job))

    def list_payment_jobs(self, **query):
        """Takes order_number, order_id, status, from_, to, limit and after."""
        named = {name.rstrip("_"): value for name, value in query.items()}
        return self._call("GET", "/v2/paymentjobs" + _query(**named))

    def wait_for(self, job, seconds=900, until=None):
        """Returns the job once it is no longer PENDING or has money to capture, or as it stands after the time.

        `until` is called with each job that comes meanwhile, and returns true to end the wait itself. A job
        at a terminal stays PENDING while its state there is `unknown`: it has not failed.
        """
        until = until or _is_settled
        end, wait, headers, now = time.monotonic() + seconds, 0, {}, None
        while True:
            read, etag = self._ask("GET", _path(job), None, headers, wait + 20)
            if read is None:
                time.sleep(0.7)  # Something on the way may not let the hub wait.
            now = read or now
            wait = min(50, int(end - time.monotonic()))
            if until(now) or wait <= 0:
                return now
            # The hub answers the next read once the job has changed, or without a job after the wait.
            headers = {"Prefer": f"wait={wait}", **_given(**{"If-None-Match": etag})}

    def capture(self, job, amount=None, final=None, description=None, idempotency_key=None):
        """Captures an amount of reserved money, or all that is left. `final` releases the rest."""
        body = _given(amount=amount, final=final, description=description)
        return self._write(_path(job) + "/captures", body, idempotency_key)

    def captures(self, job):
        return self._call("GET", _path(job) + "/captures")["captures"]

    def release(self, job):
        """Releases reserved money that is not captured. Also accepts a job whose money is already released."""
        return self._end(job, "release", "capture-nothing-left", lambda now: "amountReleased" in now)

    def refund(self, job, amount=None, description=None, idempotency_key=None):
        """Gives an amount back, or all that is left."""
        body = _given(amount=amount, description=description)
        return self._write(_path(job) + "/refunds", body, idempotency_key)

    def refunds(self, job):
        return self._call("GET", _path(job) + "/refunds")["refunds"]

    def cancel(self, job):
        """Also accepts a job that is already cancelled. At a terminal, keep waiting while it is PENDING."""
        return self._end(job, "cancel", "cancel-too-late", lambda now: now["status"] == "CANCELLED")

    def reports(self, job):
        return self._call("GET", _path(job) + "/reports")["reports"]

    def resend_report(self, job):
        return self._call("POST", _path(job) + "/reports/resend")["reports"]

    def failing_reports(self, after=None):
        return self._call("GET", "/v2/reports" + _query(failing="1", after=after))

    def _end(self, job, action, late, is_done):
        """Ends a payment. Accepts one that has already ended so, because the first answer may be lost."""
        try:
            return self._call("POST", f"{_path(job)}/{action}")
        except HubError as error:
            now = self.get_payment_job(job) if error.code == late else None
            if now and is_done(now):
                return now
            raise

    def _write(self, path, body, idempotency_key):
        """The client's own key is lost with the process: give one if you may repeat the call after a crash."""
        headers = {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}
        return self._call("POST", path, body, headers)

    def _call(self, method, path, body=None, headers=None):
        return self._ask(method, path, body, headers, 20)[0]

    def _ask(self, method, path, body, headers, patience):
        """Returns the body of an answer, or None for a 304, and its ETag."""
        end, tries = time.monotonic() + max(self._timeout, patience), 0
        headers = {"X-Request-Id": str(uuid.uuid4()), **(headers or {})}
        while True:
            tries += 1
            try:
                return self._once(method, path, body, headers, patience)
            except HubError as error:
                is_passing = error.code == "no-answer" or error.status == 429 or (error.status or 0) >= 500
                pause = max(error.retry_after, min(0.3 * 2**tries, 10) * random.uniform(0.5, 1))
                if not is_passing or tries == 6 or time.monotonic() + pause > end:
                    raise
                time.sleep(pause)

    def _once(self, method, path, body, headers, patience):
        token = self._fresh_token()
        try:
            return self._send(method, path, token, body, headers, patience)
        except HubError as error:
            if error.status != 401:
                raise
            with self._lock:  # The hub has ended the token. Another thread may have a new one.
                if self._token == token:
                    self._token = None
            return self._send(method, path, self._fresh_token(), body, headers, patience)

    def _fresh_token(self):
        with self._lock:
            if self._token is None or time.time() > self._expires:
                access, _ = self._send("GET", "/v1/guardian", self._key, None, {}, 20)
                # Ten minutes early; at least an hour, in case this clock is ahead.
                self._expires = max(access["expiration"] - 600, time.time() + 3600)
                self._token = access["token"]
            return self._token

    def _send(self, method, path, bearer, body, headers, patience):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._url + path, data, method=method, headers={
            "Authorization": f"Bearer {bearer}",
            **({} if data is None else {"Content-Type": "application/json"}),
            **headers,
        })
        try:
            with _OPENER.open(request, timeout=patience) as answer:
                return json.load(answer), answer.headers.get("ETag")
        except urllib.error.HTTPError as refused:
            if refused.code == 304:
                return None, refused.headers.get("ETag")
            raise _problem(refused) from None
        except ValueError:
            raise HubError("answer-unreadable", "This is no answer of the hub. Is base_url right?") from None
        except (OSError, http.client.HTTPException) as fault:
            raise HubError("no-answer", str(fault)) from fault


def verify_report(body, headers, secret, tolerance=300):
    """Returns the job of a report that the hub has signed; `body` is its raw bytes.

    `secret` is the signing secret, or a list of both while you change it. Refuses a report that the
    hub signed more than `tolerance` seconds ago. Raises a ReportError.
    """
    given = {name.lower(): value for name, value in headers.items()}
    message, time_, signatures = (given.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not (message and signatures and time_.isascii() and time_.isdigit()):
        raise ReportError("signature-missing")
    if abs(time.time() - int(time_)) > tolerance:
        raise ReportError("too-old")
    signed = f"{message}.{time_}.".encode() + body
    for one in [secret] if isinstance(secret, str) else secret:
        try:
            key = base64.b64decode(one, validate=True)
        except binascii.Error:
            continue
        expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        for signature in signatures.split(" "):
            if key and hmac.compare_digest(f"v1,{expected}".encode(), signature.encode()):
                return json.loads(body)
    raise ReportError("signature-wrong")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, so that the token goes only to the hub."""

    def redirect_request(self, *_):
        return None


_OPENER = urllib.request.build_opener(_NoRedirects)


def _problem(answer):
    request_id, after = answer.headers.get("X-Request-Id"), answer.headers.get("Retry-After", "")
    try:
        problem = json.loads(answer.read())
        code, detail = problem["code"], problem["detail"]
    except (ValueError, LookupError, TypeError, OSError):
        return HubError("answer-unreadable", f"What answered {answer.code} is not the hub.", answer.code)
    seconds = int(after) if after.isdigit() else 0
    return HubError(code, detail, answer.code, problem.get("errors", ()), request_id, seconds)


def _is_settled(job):
    return job["status"] != "PENDING" or "captureBefore" in job


def _path(job):
    name = job if isinstance(job, str) else job["paymentJob"]
    return "/v2/paymentjobs/" + urllib.parse.quote(name, safe="")


def _given(**values):
    return {name: value for name, value in values.items() if value is not None}


def _query(**parameters):
    given = _given(**parameters)
    return "?" + urllib.parse.urlencode(given) if given else ""
