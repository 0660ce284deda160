#!/usr/bin/env bash
# Guess: a router decodes the parameters of a path: of /orders/A%2F1%20b, :id is "A/1 b".
# What is so: itty-router gives "A%2F1%20b", while its query is decoded. Hono decodes both.
# Who is hurt: shops on Workers whose order numbers have a slash or a space: the lookup by number finds nothing.
# Seen on 2026-11-28 with itty-router@5.0.24 and hono@4.13.19.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts itty-router@5.0.24 hono@4.13.19
cat > look.mjs <<'JS'
import assert from 'node:assert/strict'
import { Hono } from 'hono'
import { AutoRouter } from 'itty-router'
const itty = AutoRouter().get('/orders/:id', ({ params, query }) => [params.id, query.also])
const hono = new Hono().get('/orders/:id', (context) => {
  return context.json([context.req.param('id'), context.req.query('also')])
})
const request = () => new Request('https://shop.example/orders/A%2F1%20b?also=A%2F1%20b')
const seen = { itty: await (await itty.fetch(request())).json(), hono: await (await hono.fetch(request())).json() }
console.log(seen)
assert.deepEqual(seen, { itty: ['A%2F1%20b', 'A/1 b'], hono: ['A/1 b', 'A/1 b'] })
JS
node look.mjs
