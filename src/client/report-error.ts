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
