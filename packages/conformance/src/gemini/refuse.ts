import type { ErrorMeaning } from '../faults/fault.ts'
import type { ErrorAnswer } from '../format.ts'
import type { JsonRecord } from '../json.ts'
import type { Refusal } from '../violation.ts'

const INVALID = 'INVALID_ARGUMENT'

const ERRORS: Readonly<Record<ErrorMeaning, readonly [status: string, message: string]>> = {
  auth: ['UNAUTHENTICATED', 'API key not valid. Please pass a valid API key.'],
  forbidden: ['PERMISSION_DENIED', 'The caller does not have permission'],
  'model-missing': [
    'NOT_FOUND',
    'The model is not found for API version v1beta, or is not supported for generateContent.',
  ],
  'bad-request': [INVALID, 'Invalid JSON payload received.'],
  'too-long': [INVALID, 'The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).'],
  timeout: ['DEADLINE_EXCEEDED', 'Deadline expired before operation could complete.'],
  'too-large': [INVALID, 'Request payload size exceeds the limit: 20971520 bytes.'],
  'rate-limit': ['RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'],
  quota: ['RESOURCE_EXHAUSTED', 'You exceeded your current quota, please check your plan and billing details.'],
  internal: ['INTERNAL', 'An internal error has occurred. Please retry or report.'],
  'bad-gateway': ['INTERNAL', 'Bad gateway'],
  unavailable: ['UNAVAILABLE', 'The service is currently unavailable.'],
  overloaded: ['UNAVAILABLE', 'The model is overloaded. Please try again later.'],
}

/** The status that an error event has where it says one. */
const CODES: Readonly<Record<ErrorMeaning, number>> = {
  auth: 401,
  forbidden: 403,
  'model-missing': 404,
  'bad-request': 400,
  'too-long': 400,
  timeout: 504,
  'too-large': 400,
  'rate-limit': 429,
  quota: 429,
  internal: 500,
  'bad-gateway': 502,
  unavailable: 503,
  overloaded: 503,
}

/** One refusal in Google's shape. */
export function refuse(rule: string, path: string, message: string): Refusal {
  return { rule, path, status: 400, message, body: { error: { code: 400, message, status: INVALID } } }
}

/** Google's answer for an error that is not the request's fault. */
export function geminiError(status: number, meaning: ErrorMeaning): ErrorAnswer {
  const [name, message] = ERRORS[meaning]
  return { status, headers: {}, body: { error: { code: status, message, status: name } } }
}

/** An error inside a stream. */
export function errorOf(meaning: ErrorMeaning): JsonRecord {
  return geminiError(CODES[meaning], meaning).body
}
