#!/usr/bin/env python3
"""Checks an export of a hub's audit log: python3 verify-audit.py EXPORT [HEADS] [--after NUMBER]

EXPORT has one entry a line, oldest first (`audit export`). HEADS is optional and has one head a line, as JSON with day, number and
hash: from D1 (`audit_heads`), or from the hub's log (events `audit.head`). An export begins with entry 1; if it is a part, give the
NUMBER before its first entry. Earlier heads are not compared. docs/audit.md has the form. If something is wrong, the program prints the
number of the first wrong entry and ends with 1.
"""
import hashlib
import json
import sys

MEMBERS = {"number", "at", "by", "role", "via", "token", "action", "subject", "result", "of", "request", "before", "after", "previous", "hash"}


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
    if not isinstance(value, list):
        raise ValueError("a kind of value that is not hashed")
    return "l" + b"".join(map(net, value)).decode()


def values_of(values):
    if values is None:
        return ""
    return "+" + b"".join(net(name) + net(value_of(values[name])) for name in sorted(values)).decode()


def hash_of(entry, previous):
    if set(entry) != MEMBERS or type(entry["of"]) not in (int, type(None)):
        raise ValueError("members that are not hashed")
    parts = [previous, str(entry["number"]), entry["at"]]
    parts += [entry[name] for name in ("by", "role", "via", "token", "action", "subject", "result")]
    parts += ["" if entry["of"] is None else str(entry["of"]), entry["request"]]
    parts += [values_of(entry["before"]), values_of(entry["after"])]
    return hashlib.sha256(b"".join(map(net, parts))).hexdigest()


def members_once(pairs):
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a member that is there twice")
    return dict(pairs)


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            yield json.loads(line, object_pairs_hook=members_once)


def heads_of(path):
    heads = {}
    for head in lines_of(path):
        if heads.setdefault(head["number"], head["hash"]) != head["hash"]:
            sys.exit("There are two heads of entry %d." % head["number"])
    return heads


def check(entries, heads, after=0):
    """The number of the last entry that is right, how many are, and what is wrong after it."""
    number, previous, count = after, None, 0
    try:
        for entry in entries:
            if type(entry["number"]) is not int or entry["number"] != number + 1:
                return number, count, "is missing"
            if previous is None:
                previous = heads.get(after, entry["previous"]) if after else "0" * 64
                if entry["previous"] != previous:
                    return number, 0, "does not follow the head that was kept" if after else "does not begin the chain"
            if entry["previous"] != previous or entry["hash"] != hash_of(entry, previous):
                return number, count, "is not what was written"
            if heads.get(number + 1, entry["hash"]) != entry["hash"]:
                return number, count, "is not the head that was kept"
            number, previous, count = number + 1, entry["hash"], count + 1
    except (ValueError, KeyError, TypeError, AttributeError):
        return number, count, "cannot be read"
    later = [head for head in heads if head > number]
    if later:
        return number, count, "is missing: entry %d is a head" % min(later)
    return number, count, None if count else "is missing"


if __name__ == "__main__":
    words = sys.argv[1:]
    begins_after = 0
    if "--after" in words:
        place = words.index("--after")
        begins_after = int(words[place + 1])
        del words[place : place + 2]
    kept = heads_of(words[1]) if len(words) > 1 else {}
    last, right, wrong = check(lines_of(words[0]), kept, begins_after)
    if wrong:
        sys.exit("Entry %d %s." % (last + 1, wrong))
    print("%d entries are right. The last is entry %d." % (right, last))
