import { ProviderError } from '../model-port.ts'

/** What is said of the failures that a person can do something about. */
const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no server of that name. Check the address and the connection',
  EAI_AGAIN: 'the name could not be looked up. Check the connection',
  ECONNREFUSED: 'nothing listens there. Start the server or check the address',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
}

/** With these no line came about. [COST14] */
const UNSENT: ReadonlySet<string | null> = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** Makes the error of a failure on the way to the provider: name, connection, TLS, reset. [RUN9] */
export function networkError(cause: unknown, host: string): ProviderError {
  const isUnsent = UNSENT.has(codeOf(cause))
  return new ProviderError('network', `No answer from ${host}: ${wordsOf(cause)}`, { cause, isUnsent })
}

/** Makes the error of a line that broke when a part of the answer had come. [RUN9] */
export function brokenLineError(cause: unknown, host: string): ProviderError {
  return new ProviderError('network', `The line to ${host} broke in the middle of the answer: ${wordsOf(cause)}`, {
    cause,
  })
}

/** Whether the thrown value is a failure of the connection, and not a defect. */
export function isNetworkFailure(thrown: unknown): boolean {
  return codeOf(thrown) !== null
}

function codeOf(thrown: unknown): string | null {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : null
}

function wordsOf(cause: unknown): string {
  const code = codeOf(cause)
  return code === null ? messageOf(cause) : (WORDS[code] ?? `the connection failed (${code})`)
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : 'the connection failed'
}
