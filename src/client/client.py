"""The payment hub's client for Python 3.8 and newer. It needs only this file.

    hub = PaymentHub("https://hub.example.com", os.environ["API_KEY"])
    job = hub.create_payment_job(order, idempotency_key="order-1001-attempt-1")
    paid = hub.wait_for(job, seconds=300)

One PaymentHub serves a whole program, threads included: it keeps the access token. It repeats a
request that is safe to repeat after a fault of the network, a 429 or a 5xx. A call that fails raises
a HubError: decide by its code.
"""

import base64
import calendar
import email.utils
import hashlib
import hmac
import http.client
import json
import math
import random
import re
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
        """An order at a terminal has a `terminal`. In the answer amountPaid is the number 0, not a text, until paid."""
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
        end, now, etag, may_wait, in_vain = time.monotonic() + seconds, None, None, True, 0
        while True:
            # The hub answers once the job has changed, or without a job after the wait.
            wait = max(0, min(50, int(end - time.monotonic()))) if now and may_wait else 0
            prefer = f"wait={wait}" if wait else None
            asks = {"Prefer": prefer, "If-None-Match": etag, "X-Request-Id": str(uuid.uuid4())}
            read, asked, may_wait = None, 0, True
            try:
                read, got = self._once("GET", _path(job), None, _given(**asks), wait + 15)
                etag = got.get("ETag")
                # Something on the way may not let the hub wait.
                in_vain = 0 if now is None or "Preference-Applied" in got else in_vain + 1
            except HubError as error:
                if not _is_passing(error) or (now is None and time.monotonic() >= end):
                    raise
                may_wait = error.code != "too-many-watchers"
                asked, in_vain = min(error.retry_after, 60) if may_wait else 0, in_vain + 1
            now, left = read or now, max(0, end - time.monotonic())
            if now and (left <= 0 or (read and until(now))):
                return now
            if in_vain:
                time.sleep(min(left, max(0.7 + _backoff(in_vain), asked)))

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
        end, tries = time.monotonic() + self._timeout, 0
        headers = {"X-Request-Id": str(uuid.uuid4()), **(headers or {})}
        while True:
            tries += 1
            try:
                patience = max(1, min(20, end - time.monotonic()))
                return self._once(method, path, body, headers, patience)[0]
            except HubError as error:
                pause = max(error.retry_after, _backoff(tries))
                if not _is_passing(error) or tries == 6 or time.monotonic() + pause > end:
                    raise
                time.sleep(pause)

    def _once(self, method, path, body, headers, patience):
        """Returns the body of an answer, or None for a 304, and its headers."""
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
                content = _object(answer.read())
                if content is None:
                    raise _problem(answer, {})
                return content, answer.headers
        except urllib.error.HTTPError as refused:
            if refused.code == 304:
                return None, refused.headers
            try:
                content = refused.read()
            except (OSError, http.client.HTTPException):
                content = b""  # The refusal broke off: its status and its Retry-After count all the same.
            raise _problem(refused, _object(content) or {}) from None
        except (OSError, http.client.HTTPException) as fault:
            raise HubError("no-answer", str(fault)) from fault


def verify_report(body, headers, secret, tolerance=300):
    """Returns the job of a report that the hub has signed; `body` is its raw bytes.

    `secret` is the signing secret, or a list of both while you change it. Refuses a report that the
    hub signed more than `tolerance` seconds ago or ahead. Raises a ReportError.
    """
    body = body.encode() if isinstance(body, str) else body
    given = {name.lower(): value if isinstance(value, str) else value[0] for name, value in headers.items()}
    message, time_, signatures = (given.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not (message and signatures and re.fullmatch("[0-9]+", time_)):
        raise ReportError("signature-missing")
    if abs(time.time() - float(time_)) > tolerance:
        raise ReportError("too-old")
    signed = f"{message}.{time_}.".encode(errors="replace") + body
    for one in [secret] if isinstance(secret, str) else secret:
        try:
            key = base64.b64decode(re.sub("^whsec_", "", one), validate=True)
        except ValueError:
            continue
        expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        for signature in signatures.split(" "):
            if key and hmac.compare_digest(f"v1,{expected}".encode(), signature.encode(errors="replace")):
                content = _object(body)
                if content is None:
                    raise ReportError("body-unreadable")
                return content
    raise ReportError("signature-wrong")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, so that the token goes only to the hub."""

    def redirect_request(self, *_):
        return None


_OPENER = urllib.request.build_opener(_NoRedirects)


def _object(content):
    """Returns the JSON object of a body, or None."""
    try:
        parsed = json.loads(content)
    except ValueError:
        return None
    return parsed if isinstance(parsed, dict) else None


def _problem(answer, content):
    code, status, headers = content.get("code"), answer.code, answer.headers
    if status < 400 or not isinstance(code, str):
        code, content = "answer-unreadable", {"detail": f"What answered {status} is not the hub. Is base_url right?"}
    detail = content.get("detail") or content.get("title") or ""
    now = _http_date(headers.get("Date", "")) or time.time()
    return HubError(code, detail, status, content.get("errors") or (), headers.get("X-Request-Id"),
                    _retry_after(headers.get("Retry-After", ""), now))


def _retry_after(text, now):
    """Returns the seconds that a Retry-After asks to wait, a day at most, or 0 (RFC 9110, section 10.2.3)."""
    seconds = float(text) if re.fullmatch("[0-9]+", text) else (_http_date(text) or now) - now
    return max(0, math.ceil(min(seconds, 86400)))


def _http_date(text):
    """Reads the three forms of an HTTP date (RFC 9110, section 5.6.7)."""
    form = r"\w+,? (\d\d[ -]\w{3}[ -]\d{2,4}|\w{3} [ \d]\d) \d\d:\d\d:\d\d( GMT| \d{4})"
    parts = email.utils.parsedate(text) if re.fullmatch(form, text, re.ASCII) else None
    return calendar.timegm(parts) if parts else None


def _is_passing(error):
    return error.code == "no-answer" or error.status == 429 or (error.status or 0) >= 500


def _backoff(tries):
    """Returns the pause (s) after the nth try in vain: it doubles up to ten seconds, less up to a half by chance."""
    return min(0.3 * 2**tries, 10) * random.uniform(0.5, 1)


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
