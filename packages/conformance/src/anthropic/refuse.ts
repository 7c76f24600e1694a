import type { ErrorMeaning } from '../faults/fault.ts'
import type { ErrorAnswer } from '../format.ts'
import type { JsonRecord } from '../json.ts'
import type { Refusal } from '../violation.ts'

const INVALID = 'invalid_request_error'

const ERROR_TYPES: Readonly<Record<ErrorMeaning, string>> = {
  auth: 'authentication_error',
  forbidden: 'permission_error',
  'model-missing': 'not_found_error',
  'bad-request': INVALID,
  'too-long': INVALID,
  timeout: 'timeout_error',
  'too-large': 'request_too_large',
  'rate-limit': 'rate_limit_error',
  quota: 'billing_error',
  internal: 'api_error',
  'bad-gateway': 'api_error',
  unavailable: 'api_error',
  overloaded: 'overloaded_error',
}

const MESSAGES: Readonly<Record<ErrorMeaning, string>> = {
  auth: 'x-api-key header is required',
  forbidden: 'Your API key does not have permission to use the specified resource.',
  'model-missing': 'model: unknown',
  'bad-request': 'messages.0.content: Input should be a valid list',
  'too-long': 'prompt is too long: 210000 tokens > 200000 maximum',
  timeout: 'Request timed out',
  'too-large': 'Request exceeds the maximum size',
  'rate-limit':
    'This request would exceed your organization’s rate limit of 50,000 input tokens per minute. Please try again later.',
  quota:
    'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
  internal: 'Internal server error',
  'bad-gateway': 'Bad gateway',
  unavailable: 'Service temporarily unavailable',
  overloaded: 'Overloaded',
}

/** One refusal in Anthropic's shape. */
export function refuse(rule: string, path: string, message: string): Refusal {
  return { rule, path, status: 400, message, body: errorBody(INVALID, message) }
}

/** Anthropic's answer for an error that is not the request's fault. */
export function anthropicError(status: number, meaning: ErrorMeaning): ErrorAnswer {
  return { status, headers: { 'request-id': 'req_strict' }, body: errorOf(meaning) }
}

/** The body of an error, which is also the data of an error event. */
export function errorOf(meaning: ErrorMeaning): JsonRecord {
  return errorBody(ERROR_TYPES[meaning], MESSAGES[meaning])
}

function errorBody(type: string, message: string): JsonRecord {
  return { type: 'error', error: { type, message }, request_id: 'req_strict' }
}
