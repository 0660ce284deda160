#!/usr/bin/env python3
"""Checks an export of a hub's audit log: python3 verify-audit.py EXPORT [HEADS]

EXPORT has an entry a line, oldest first (`audit export`). HEADS, where it is given, has a head a line as JSON with day, number and
hash: from D1 (`audit_heads`), or from the hub's log (events `audit.head`). The form is that of docs/audit.md. The exit code is 1, and
the number of the first wrong entry is told, where something is wrong.
"""
import hashlib
import json
import sys


def net(text):
    return b"%d:%s," % (len(text.encode()), text.encode())


def value_of(value):
    if value is None:
        return "z"
    if isinstance(value, bool):
        return "t" if value else "f"
    if isinstance(value, int):
        return "n%d" % value
    if isinstance(value, str):
        return "s" + value
    return "l" + b"".join(map(net, value)).decode()


def values_of(values):
    if values is None:
        return ""
    return "+" + b"".join(net(name) + net(value_of(values[name])) for name in sorted(values)).decode()


def hash_of(entry, previous):
    parts = [previous, str(entry["number"]), entry["at"]]
    parts += [entry[name] for name in ("by", "role", "via", "action", "subject", "result")]
    parts += ["" if entry["of"] is None else str(entry["of"]), entry["request"]]
    parts += [values_of(entry["before"]), values_of(entry["after"])]
    return hashlib.sha256(b"".join(map(net, parts))).hexdigest()


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def check(entries, heads):
    """The number of the last entry that is right, how many are, and what is wrong after it."""
    number, previous, count = None, None, 0
    try:
        for entry in entries:
            if number is None:
                number, previous = entry["number"] - 1, entry["previous"]
                if number == 0 and previous != "0" * 64:
                    return 0, 0, "does not begin the chain"
            if entry["number"] != number + 1:
                return number, count, "is missing"
            if entry["previous"] != previous or entry["hash"] != hash_of(entry, previous):
                return number, count, "is not what was written"
            if heads.get(number + 1, entry["hash"]) != entry["hash"]:
                return number, count, "is not the head that was kept"
            number, previous, count = number + 1, entry["hash"], count + 1
    except (ValueError, KeyError, TypeError, AttributeError):
        return number or 0, count, "cannot be read"
    later = [head for head in heads if head > (number or 0)]
    return number or 0, count, "is missing: entry %d is a head" % min(later) if later else None


if __name__ == "__main__":
    kept = lines_of(sys.argv[2]) if len(sys.argv) > 2 else []
    last, right, wrong = check(lines_of(sys.argv[1]), {head["number"]: head["hash"] for head in kept})
    if wrong:
        sys.exit("Entry %d %s." % (last + 1, wrong))
    print("%d entries are right. The last is entry %d." % (right, last))
