#!/usr/bin/env bash
# Guess: a whole number bound to SQL from JavaScript is an INTEGER of SQLite.
# What is so: node:sqlite, and the SQL of Durable Objects and D1 in Miniflare, bind it as REAL: 1050 in a TEXT column
#   is "1050.0", 'order-' || ? ends in .0, ? / 100 is 10.5, and json_object writes 1050.0. A BigInt is an INTEGER in
#   node:sqlite.
# Who is hurt: shops whose order numbers are digits: the lookup by "1050" finds nothing; and whole-number sums that
#   turn fractional.
# Seen on 2026-11-28 with Node 24.21.0 (npm's node-linux-…) and miniflare@4.20260730.0.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts \
  "node24@npm:node-linux-$(node -p process.arch)@24.21.0" miniflare@4.20260730.0
cat > look.mjs <<'JS'
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { Miniflare } from 'miniflare'
const table = 'CREATE TABLE orders (id TEXT)'
const insert = 'INSERT INTO orders VALUES (?)'
const ask = `SELECT (SELECT id FROM orders) AS id, typeof(?1) AS type, 'order-' || ?1 AS text, ?1 / 100 AS quotient,
  json_object('amount', ?1) AS json`
const fraction = { id: '1050.0', type: 'real', text: 'order-1050.0', quotient: 10.5, json: '{"amount":1050.0}' }

const database = new DatabaseSync(':memory:')
database.exec(table)
database.prepare(insert).run(1050)
const ofNode = { ...database.prepare(ask).get(1050) }
const ofBigInt = database.prepare('SELECT typeof(?) AS type').get(1050n).type

const miniflare = new Miniflare({
  modules: true,
  compatibilityDate: '2026-07-01',
  d1Databases: ['D1'],
  durableObjects: { SHOP: { className: 'Shop', useSQLite: true } },
  bindings: { table, insert, ask },
  script: `import { DurableObject } from 'cloudflare:workers'
    export class Shop extends DurableObject {
      ask() {
        const { sql } = this.ctx.storage
        sql.exec(this.env.table)
        sql.exec(this.env.insert, 1050)
        return sql.exec(this.env.ask, 1050).one()
      }
    }
    export default {
      async fetch(request, env) {
        await env.D1.exec(env.table)
        await env.D1.prepare(env.insert).bind(1050).run()
        const d1 = await env.D1.prepare(env.ask).bind(1050).first()
        const object = await env.SHOP.get(env.SHOP.idFromName('shop')).ask()
        return Response.json({ d1, object })
      },
    }`,
})
const ofWorkers = await (await miniflare.dispatchFetch('http://127.0.0.1/')).json()
await miniflare.dispose()
console.log({ 'node:sqlite': ofNode, 'BigInt in node:sqlite': ofBigInt, ...ofWorkers })
assert.deepEqual(ofNode, fraction)
assert.equal(ofBigInt, 'integer')
assert.deepEqual(ofWorkers, { d1: fraction, object: fraction })
process.exit()
JS
node_modules/node24/bin/node --disable-warning=ExperimentalWarning look.mjs
