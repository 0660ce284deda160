import { HEADERS, TRACE_HEAD_FORM } from './headers.ts'
import { type Json, ref } from './json.ts'

function header(name: string, description: string, schema: Json): Json {
  return {
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string', ...schema },
  }
}

/** The report, which the hub sends to the `report_url` of a job. */
export function reportWebhook(): Json {
  return {
    post: {
      operationId: 'report',
      tags: ['Reports'],
      summary: 'A payment job has changed',
      description:
        'The hub POSTs the job to its `report_url` whenever its status changes, or what was paid, refunded or charged back. Reports come ' +
        'at least once: one may come twice, and an older state after a newer one. Compare `lastUpdate`. Any answer but a 2xx within ' +
        '15 s is a failure, and the hub tries again for three days.',
      security: [],
      parameters: [
        header('X-Signature', String(HEADERS['X-Signature']?.['description']), {
          pattern: '^[0-9a-f]{128}$',
        }),
        header(
          'X-Trace-Head',
          'What the trace hashes to, with a signature: keep it to prove what you were told.',
          TRACE_HEAD_FORM,
        ),
        header(
          'X-Request-Id',
          'The id of the request that the report comes of, where there was one; else one of its own.',
          { pattern: '^[A-Za-z0-9._:-]{1,128}$' },
        ),
        header('webhook-id', 'The same in each try of a report (Standard Webhooks).', { pattern: '^msg_' }),
        header('webhook-timestamp', 'When this try was made, in Unix seconds.', { pattern: '^\\d+$' }),
        header(
          'webhook-signature',
          'HMAC-SHA256 signatures as Standard Webhooks has them, one for each secret that is valid.',
          { pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$' },
        ),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: ref('schemas', 'PaymentJob') } },
      },
      responses: {
        '2XX': { description: 'You have it. The hub does not read the body.' },
        '410': { description: 'You want no more tries of this report.' },
        default: {
          description:
            'The hub tries again after 5 s, and up to ten times more in three days. It honours `Retry-After` up to 24 hours.',
        },
      },
    },
  }
}
