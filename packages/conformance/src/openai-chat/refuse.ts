import type { ErrorMeaning } from '../faults/fault.ts'
import type { ErrorAnswer } from '../format.ts'
import type { JsonRecord } from '../json.ts'
import type { Refusal } from '../violation.ts'

const INVALID = 'invalid_request_error'

interface VendorError {
  readonly type: string
  readonly code: string | null
  readonly message: string
}

const ERRORS: Readonly<Record<ErrorMeaning, VendorError>> = {
  auth: { type: INVALID, code: 'invalid_api_key', message: 'Incorrect API key provided.' },
  forbidden: {
    type: INVALID,
    code: 'insufficient_permissions',
    message: 'You have insufficient permissions for this operation.',
  },
  'model-missing': {
    type: INVALID,
    code: 'model_not_found',
    message: 'The model does not exist or you do not have access to it.',
  },
  'bad-request': { type: INVALID, code: null, message: 'We could not parse the JSON body of your request.' },
  'too-long': {
    type: INVALID,
    code: 'context_length_exceeded',
    message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
  },
  timeout: { type: 'server_error', code: null, message: 'Request timed out.' },
  'too-large': { type: INVALID, code: null, message: 'Request body is too large.' },
  'rate-limit': {
    type: 'tokens',
    code: 'rate_limit_exceeded',
    message: 'Rate limit reached for this model on tokens per min (TPM): Limit 30000. Please try again in 2s.',
  },
  quota: {
    type: 'insufficient_quota',
    code: 'insufficient_quota',
    message: 'You exceeded your current quota, please check your plan and billing details.',
  },
  internal: {
    type: 'server_error',
    code: null,
    message: 'The server had an error while processing your request. Sorry about that!',
  },
  'bad-gateway': { type: 'server_error', code: null, message: 'Bad gateway.' },
  unavailable: {
    type: 'server_error',
    code: null,
    message: 'The server is currently unavailable. Please try again later.',
  },
  overloaded: {
    type: 'server_error',
    code: 'server_is_overloaded',
    message: 'The model is currently overloaded with other requests. Sorry about that!',
  },
}

/** One refusal in OpenAI's shape. */
export function refuse({
  rule,
  path,
  message,
  code,
  status,
}: {
  readonly rule: string
  readonly path: string
  readonly message: string
  readonly code?: string
  readonly status?: number
}): Refusal {
  const error = { message, type: INVALID, param: path === '' ? null : path, code: code ?? null }
  return { rule, path, status: status ?? 400, message, body: { error } }
}

/** OpenAI's answer for an error that is not the request's fault. */
export function openaiError(status: number, meaning: ErrorMeaning): ErrorAnswer {
  return { status, headers: { 'x-request-id': 'req_strict' }, body: errorOf(meaning) }
}

/** The body of an error, which is also the data of an error event of Chat Completions. */
export function errorOf(meaning: ErrorMeaning): JsonRecord {
  const { type, code, message } = ERRORS[meaning]
  return { error: { message, type, param: null, code } }
}
