import type { ProviderErrorCode } from '@holdfast/conversation'
import { ProviderError, type ProviderErrorDetail } from '../model-port.ts'
import { LONGEST_WAIT_MS } from '../next-retry.ts'
import { type ErrorFacts, readErrorBody } from './error-body.ts'
import { ERROR_RULES, type ErrorRule, type Vendor } from './error-rules.ts'
import { namedWindow } from './named-window.ts'
import { notAModel } from './not-a-stream.ts'
import { retryAfterOf } from './retry-after.ts'
import { withoutKeys } from './without-keys.ts'

/** What is known of a refusal. */
export interface ProviderAnswer {
  readonly vendor: Vendor
  /** HTTP status; null for an error that came inside a stream. */
  readonly status: number | null
  readonly bodyText: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Milliseconds since the Unix epoch, for headers that name a date. */
  readonly nowMs: number
}

/** Makes the error of a refusal: one of ten codes, by status, type and body. [RUN9] */
export function classifyProviderError(answer: ProviderAnswer): ProviderError {
  if (answer.status !== null && answer.status >= 300 && answer.status < 400)
    return notAModel('a redirect', answer.status)
  const facts = withHeaderType(readErrorBody(answer.bodyText), answer.headers['x-amzn-errortype'])
  const code = codeOf(answer, facts)
  const status = answer.status === null ? '' : ` ${answer.status}`
  const words = facts.message === '' ? '(no message)' : withoutKeys(facts.message)
  const retryAfterMs = retryAfterOf(answer.headers, answer.nowMs) ?? facts.retryDelayMs
  return new ProviderError(code, `The provider answered${status} ${code}: ${words}${whenAgain(retryAfterMs)}`, {
    status: answer.status,
    retryAfterMs,
    detail: code === 'bad-request' || code === 'internal' ? detailOf(facts) : null,
    windowTokens: code === 'too-long' ? namedWindow(`${facts.message} ${facts.body}`) : null,
  })
}

/** What is said of a wait that is not kept; nothing for one that is. [RUN28] */
function whenAgain(retryAfterMs: number | null): string {
  if (retryAfterMs === null || retryAfterMs <= LONGEST_WAIT_MS) return ''
  const minutes = Math.ceil(retryAfterMs / 60_000)
  const wait = minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
  return `. It asks to be asked again in ${wait}, which is longer than is waited for: try again then`
}

function codeOf({ vendor, status }: ProviderAnswer, facts: ErrorFacts): ProviderErrorCode {
  const rule = ERROR_RULES.find((candidate) => holds(candidate, { vendor, status, facts }))
  if (rule) return rule.code
  return status !== null && status >= 400 && status < 500 ? 'bad-request' : 'internal'
}

function holds(
  rule: ErrorRule,
  at: { readonly vendor: Vendor; readonly status: number | null; readonly facts: ErrorFacts },
): boolean {
  const { vendor, status, facts } = at
  if (rule.vendors && !rule.vendors.includes(vendor)) return false
  if (rule.statuses && (status === null || !rule.statuses.includes(status))) return false
  if (rule.types && !facts.types.some((type) => rule.types?.includes(type))) return false
  if (rule.words && !rule.words.test(facts.message)) return false
  return !rule.body || rule.body.test(facts.body)
}

/** Bedrock names the type in a header: `ThrottlingException:http://…`. */
function withHeaderType(facts: ErrorFacts, header: string | readonly string[] | undefined): ErrorFacts {
  if (typeof header !== 'string') return facts
  const type = header.split(':')[0]
  return type === undefined ? facts : { ...facts, types: [...facts.types, type.toLowerCase()] }
}

function detailOf({ message, types }: ErrorFacts): ProviderErrorDetail | null {
  if (
    /signature[`']? in [`']?thinking|bound to a different conversation|thinking[`']? .{0,60}blocks? .{0,40}cannot be modified/i.test(
      message,
    )
  )
    return 'thinking-signature'
  if (types.some((type) => type.startsWith('reasoning') || type.startsWith('thinking'))) return 'thinking-parameters'
  return /\bthinking\b|budget_tokens|thinking_?(?:budget|config)|reasoning[._](?:effort|max_tokens)/i.test(message)
    ? 'thinking-parameters'
    : null
}
