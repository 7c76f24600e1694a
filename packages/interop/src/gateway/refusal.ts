import type { GatewayVendor } from './asked-path.ts'

/** Why something is not passed on, before it is put in the shape of a vendor. */
export interface Refusal {
  readonly why: 'no-key' | 'forbidden' | 'not-found' | 'too-large' | 'bad-request' | 'no-answer'
  readonly message: string
}

/** Statuses that the vendors' clients try again by themselves only where that may help. */
const STATUS: Readonly<Record<Refusal['why'], number>> = {
  'no-key': 401,
  forbidden: 403,
  'not-found': 404,
  'too-large': 413,
  'bad-request': 400,
  'no-answer': 502,
}

const ANTHROPIC: Readonly<Record<Refusal['why'], string>> = {
  'no-key': 'authentication_error',
  forbidden: 'permission_error',
  'not-found': 'not_found_error',
  'too-large': 'request_too_large',
  'bad-request': 'invalid_request_error',
  'no-answer': 'api_error',
}

const OPENAI: Readonly<Record<Refusal['why'], string | null>> = {
  'no-key': 'invalid_api_key',
  forbidden: 'holdfast_refused',
  'not-found': 'unknown_url',
  'too-large': 'request_too_large',
  'bad-request': null,
  'no-answer': null,
}

const GOOGLE: Readonly<Record<Refusal['why'], string>> = {
  'no-key': 'UNAUTHENTICATED',
  forbidden: 'PERMISSION_DENIED',
  'not-found': 'NOT_FOUND',
  'too-large': 'INVALID_ARGUMENT',
  'bad-request': 'INVALID_ARGUMENT',
  'no-answer': 'UNAVAILABLE',
}

/** A refusal as the vendor's own client reads it. [AGENT26] */
export function refusalOf(vendor: GatewayVendor, { why, message }: Refusal) {
  const status = STATUS[why]
  const body = bodyOf(vendor, { why, message })
  // Both SDKs obey it; what a person refused is not asked again.
  const headers: Record<string, string> = why === 'no-answer' ? {} : { 'x-should-retry': 'false' }
  return { status, headers, body }
}

function bodyOf(vendor: GatewayVendor, { why, message }: Refusal) {
  switch (vendor) {
    case 'anthropic':
      return { type: 'error', error: { type: ANTHROPIC[why], message } }
    case 'openai': {
      const type = why === 'no-answer' ? 'server_error' : 'invalid_request_error'
      return { error: { message, type, param: null, code: OPENAI[why] } }
    }
    case 'google':
      return { error: { code: STATUS[why], message, status: GOOGLE[why] } }
  }
}
