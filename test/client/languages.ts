import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { join } from 'node:path'
import { HubError, ReportError, createHub, verifyReport } from '../../src/client/client.ts'
import { isInstalled } from '../support/installed.ts'

/** A call of a client. `timeout` and `wait` are in seconds. */
export type Call = { url: string; timeout?: number } & (
  | { does: 'read' | 'create' }
  | { does: 'wait'; wait: number }
  | { does: 'verify'; report: { headers: Record<string, string | string[]>; body: string }; secret: string }
)

/** What came of it: how the job stands, or the error. */
export type Outcome = { status?: unknown; code?: string; http?: number | null; retryAfter?: number }

const CLIENTS = join(import.meta.dirname, '../../src/client')

const PHP = `
require '${CLIENTS}/client.php';
function outcome(array $call): array
{
    $hub = new PaymentHub($call['url'], 'a key', $call['timeout'] ?? 30);
    try {
        $job = match ($call['does']) {
            'read' => $hub->getPaymentJob('1'),
            'create' => $hub->createPaymentJob(['order_number' => 'A-1'], 'a-key'),
            'wait' => $hub->waitFor('1', $call['wait']),
            'verify' => PaymentHub::verifyReport($call['report']['body'], $call['report']['headers'], $call['secret']),
        };
        return ['status' => $job['status']];
    } catch (HubError $error) {
        return ['code' => $error->problem, 'http' => $error->status ?: null, 'retryAfter' => $error->retryAfter];
    } catch (ReportError $error) {
        return ['code' => $error->getMessage()];
    }
}
echo json_encode(array_map('outcome', json_decode(stream_get_contents(STDIN), true)));`

const PYTHON = `
import json, sys
sys.path.insert(0, "${CLIENTS}")
sys.dont_write_bytecode = True
from client import HubError, PaymentHub, ReportError, verify_report
def does(call):
    hub = PaymentHub(call["url"], "a key", call.get("timeout", 30))
    if call["does"] == "read":
        return hub.get_payment_job("1")
    if call["does"] == "create":
        return hub.create_payment_job({"order_number": "A-1"}, "a-key")
    if call["does"] == "wait":
        return hub.wait_for("1", call["wait"])
    return verify_report(call["report"]["body"].encode(), call["report"]["headers"], call["secret"])
def outcome(call):
    try:
        return {"status": does(call)["status"]}
    except HubError as error:
        return {"code": error.code, "http": error.status, "retryAfter": error.retry_after}
    except ReportError as error:
        return {"code": error.code}
print(json.dumps([outcome(call) for call in json.load(sys.stdin)]))`

function jobOf(call: Call): Promise<{ status: string }> {
  const hub = createHub({ baseUrl: call.url, apiKey: 'a key', timeout: (call.timeout ?? 30) * 1000 })
  switch (call.does) {
    case 'read':
      return hub.getPaymentJob('1')
    case 'create':
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the double reads no order
      return hub.createPaymentJob({ order_number: 'A-1' } as never, { idempotencyKey: 'a-key' })
    case 'wait':
      return hub.waitFor('1', { timeout: call.wait * 1000 })
    case 'verify':
      return verifyReport(call.report, call.secret)
  }
}

async function outcomeOf(call: Call): Promise<Outcome> {
  try {
    return { status: (await jobOf(call)).status }
  } catch (error) {
    if (error instanceof ReportError) return { code: error.code }
    if (!(error instanceof HubError)) throw error
    return { code: error.code, http: error.status, retryAfter: error.retryAfter ?? 0 }
  }
}

function inProgram(program: string, ...words: string[]) {
  return async (calls: readonly Call[]): Promise<Outcome[]> => {
    const running = promisify(execFile)(program, words)
    running.child.stdin?.end(JSON.stringify(calls))
    return JSON.parse((await running).stdout) as Outcome[]
  }
}

/** The clients that this machine can run. Each makes the calls it gets; a program makes one after the other. */
export const LANGUAGES: Readonly<Record<string, (calls: readonly Call[]) => Promise<Outcome[]>>> = {
  TypeScript: (calls) => Promise.all(calls.map(outcomeOf)),
  ...(isInstalled('php') ? { PHP: inProgram('php', '-d', 'display_errors=stderr', '-r', PHP) } : {}),
  ...(isInstalled('python3') ? { Python: inProgram('python3', '-c', PYTHON) } : {}),
}
