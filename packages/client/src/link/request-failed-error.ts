import type { Problem } from '@holdfast/protocol'

/** The server was asked something and did not do it: it refused, or was not reached. */
export class RequestFailedError extends Error {
  override readonly name = 'RequestFailedError'
  readonly code: string
  /** What the server said; null when it was not reached. */
  readonly problem: Problem | null
  /** The status of its answer; null when there was none. */
  readonly status: number | null

  constructor(
    message: string,
    details: { readonly problem: Problem | null; readonly status: number | null; readonly cause?: unknown },
  ) {
    super(message, { cause: details.cause })
    this.code = details.problem?.code ?? 'not-reached'
    this.problem = details.problem
    this.status = details.status
  }
}
