import type { ErrorCode } from './types.ts'

/** What the hub, or the client itself, says of a call that failed. */
export type Failure = {
  code: ErrorCode
  message: string
  status?: number | null
  field?: string
  errors?: readonly { field: string; error: string }[]
  requestId?: string | null
  retryAfter?: number | null
  cause?: unknown
}

/** A call that failed. Decide by `code`: the message is for people, and may change. */
export class HubError extends Error {
  override readonly name = 'HubError'
  readonly code: ErrorCode
  /** The HTTP status, or null where no answer came. */
  readonly status: number | null
  /** The first field that is wrong, or an empty text. */
  readonly field: string
  /** Every field that is wrong. */
  readonly errors: readonly { field: string; error: string }[]
  /** The id under which the hub has the request in its log, or null. */
  readonly requestId: string | null
  /** The seconds that the hub asks to be left alone for, or null. */
  readonly retryAfter: number | null

  constructor({ code, message, status, field, errors, requestId, retryAfter, cause }: Failure) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = status ?? null
    this.field = field ?? ''
    this.errors = errors ?? []
    this.requestId = requestId ?? null
    this.retryAfter = retryAfter ?? null
  }
}

/** Why a report is not taken. */
export type ReportFault = 'signature-missing' | 'signature-wrong' | 'too-old' | 'body-unreadable'

/** A report that is not the hub's, or is too old. Answer 400, and do nothing of what it says. */
export class ReportError extends Error {
  override readonly name = 'ReportError'
  readonly code: ReportFault

  constructor(code: ReportFault, message: string) {
    super(message)
    this.code = code
  }
}
