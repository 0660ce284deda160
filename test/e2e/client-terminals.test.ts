import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { isInstalled } from '../support/installed.ts'
import { openPos } from './clients.ts'

/**
 * Tests the single-file clients at a terminal of the sandbox, where the customer acts on a word in the
 * order's number.
 */

const hub = inject('hub')
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payment-hub-till-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const SALE = {
  terminal: 'default',
  currency: 'EUR',
  amount: '12.50',
  report_url: 'https://shop.example.com/report',
  order_id: 7,
}

/** A till's program. It prints a line for each result. */
const PROGRAMS = {
  php: [
    'php',
    `<?php
require __DIR__ . '/client.php';
$hub = new PaymentHub(getenv('HUB'), getenv('API_KEY'), 30, __DIR__);
$sale = fn (string $play, array $more = []) => $hub->createPaymentJob($more + ['order_number' => $play] + json_decode(getenv('SALE'), true));
$terminals = $hub->listTerminals();
echo count($terminals), "\n";
$states = [];
$paid = $hub->waitFor($sale('sandbox-pin'), 60, function (array $now) use (&$states): bool {
    $states[] = $now['status'] . ' ' . $now['terminal']['state'];
    return $now['status'] !== 'PENDING';
});
echo implode("\n", array_unique(array_slice($states, array_search('PENDING card-read', $states)))), "\n";
echo $paid['amountPaid'], ' ', $paid['card']['lastFour'], "\n";
$late = $sale('sandbox-late-cancel', ['terminal' => $terminals[1]['id']]);
$hub->waitFor($late, 20, fn (array $now): bool => $now['terminal']['state'] === 'waiting-for-card');
echo $hub->cancel($late)['status'], ' ', $hub->waitFor($late, 60)['status'], "\n";
$lost = $sale('sandbox-lost', ['terminal' => $terminals[2]['id']]);
$hub->waitFor($lost, 60, fn (array $now): bool => $now['terminal']['state'] === 'unknown');
echo $hub->waitFor($lost, 0)['status'], ' ', $hub->waitFor($lost, 60)['status'], "\n";
$early = $sale('A-7');
$hub->waitFor($early, 20, fn (array $now): bool => $now['terminal']['state'] === 'waiting-for-card');
echo $hub->cancel($early)['status'], "\n";
`,
  ],
  py: [
    'python3',
    `import json, os
from client import PaymentHub
hub = PaymentHub(os.environ["HUB"], os.environ["API_KEY"])
def sale(play, **more):
    return hub.create_payment_job({**json.loads(os.environ["SALE"]), "order_number": play, **more})
terminals = hub.list_terminals()
print(len(terminals))
states = []
def see(now):
    states.append(now["status"] + " " + now["terminal"]["state"])
    return now["status"] != "PENDING"
paid = hub.wait_for(sale("sandbox-pin"), 60, see)
print("\\n".join(dict.fromkeys(states[states.index("PENDING card-read"):])))
print(paid["amountPaid"], paid["card"]["lastFour"])
late = sale("sandbox-late-cancel", terminal=terminals[1]["id"])
hub.wait_for(late, 20, lambda now: now["terminal"]["state"] == "waiting-for-card")
print(hub.cancel(late)["status"], hub.wait_for(late, 60)["status"])
lost = sale("sandbox-lost", terminal=terminals[2]["id"])
hub.wait_for(lost, 60, lambda now: now["terminal"]["state"] == "unknown")
print(hub.wait_for(lost, 0)["status"], hub.wait_for(lost, 60)["status"])
early = sale("A-7")
hub.wait_for(early, 20, lambda now: now["terminal"]["state"] == "waiting-for-card")
print(hub.cancel(early)["status"])
`,
  ],
} as const

it.for(Object.entries(PROGRAMS))(
  'the client in %s sees each state, takes a doubt for no failure, and a cancel for a wish',
  async ([name, [program, text]], { skip }) => {
    skip(!isInstalled(program))
    const client = await (await fetch(`${hub.url}/client.${name}`)).text()
    await writeFile(join(folder, `client.${name}`), client)
    await writeFile(join(folder, `till.${name}`), text)
    const { apiKey } = await openPos(hub)
    const env = { ...process.env, HUB: hub.url, API_KEY: apiKey, SALE: JSON.stringify(SALE) }
    const child = spawn(program, [join(folder, `till.${name}`)], { env })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
    await once(child, 'close')
    expect(said.trim().split('\n')).toEqual([
      '3',
      'PENDING card-read',
      'PENDING authorising',
      'SUCCESS ended',
      '12.50 4242',
      'PENDING SUCCESS',
      'PENDING SUCCESS',
      'CANCELLED',
    ])
  },
)
