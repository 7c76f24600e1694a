import type { ContentFault, ErrorMeaning, Fault, FaultEffect, Place } from './fault.ts'

/** Every place, in the order of a stream. */
export const PLACES: readonly Place[] = [
  'before-first-event',
  'in-text',
  'in-thinking',
  'in-tool-arguments',
  'after-last-delta',
]

const AT_START: readonly Place[] = ['before-first-event']
const IN_DELTAS: readonly Place[] = ['in-text', 'in-thinking', 'in-tool-arguments']
const IN_TOOL: readonly Place[] = ['in-tool-arguments']

function status(code: number, meaning: ErrorMeaning, retryAfterSeconds?: number): Fault {
  const after = retryAfterSeconds === undefined ? '' : '-retry-after'
  const effect = { type: 'status', status: code, meaning } as const
  return {
    name: `status-${code}-${meaning}${after}`,
    effect: retryAfterSeconds === undefined ? effect : { ...effect, retryAfterSeconds },
    places: AT_START,
    outcome: 'error',
  }
}

function address(which: 'refused' | 'unknown-host' | 'not-tls'): Fault {
  return {
    name: `address-${which}`,
    effect: { type: 'address', address: which },
    places: AT_START,
    outcome: 'error',
  }
}

type Named<T extends FaultEffect['type']> = Extract<FaultEffect, { type: T; what: string }>['what']

function connection(what: Named<'connection'>, places: readonly Place[], outcome: Fault['outcome']): Fault {
  return { name: what, effect: { type: 'connection', what }, places, outcome }
}

function body(what: Named<'body'>, outcome: Fault['outcome']): Fault {
  return { name: what, effect: { type: 'body', what }, places: AT_START, outcome }
}

function event(what: Named<'event'>, places: readonly Place[], outcome: Fault['outcome']): Fault {
  return { name: what, effect: { type: 'event', what }, places, outcome }
}

function content(what: ContentFault, places: readonly Place[]): Fault {
  return { name: what, effect: { type: 'content', what }, places, outcome: 'whole' }
}

const RETRY_AFTER_SECONDS = 2

/** Everything that can go wrong, as data: walk it with PLACES and FORMATS. */
export const FAULTS: readonly Fault[] = [
  status(400, 'bad-request'),
  status(400, 'too-long'),
  status(401, 'auth'),
  status(403, 'forbidden'),
  status(404, 'model-missing'),
  status(408, 'timeout'),
  status(413, 'too-large'),
  status(429, 'rate-limit'),
  status(429, 'rate-limit', RETRY_AFTER_SECONDS),
  status(429, 'quota'),
  status(500, 'internal'),
  status(502, 'bad-gateway'),
  status(503, 'unavailable'),
  status(503, 'unavailable', RETRY_AFTER_SECONDS),
  status(529, 'overloaded'),
  status(529, 'overloaded', RETRY_AFTER_SECONDS),
  address('refused'),
  address('unknown-host'),
  address('not-tls'),
  connection('reset-before-headers', AT_START, 'error'),
  connection('no-answer', AT_START, 'silent'),
  connection('reset', PLACES, 'cut'),
  connection('cut-in-event', PLACES, 'cut'),
  connection('cut-between-events', PLACES, 'cut'),
  connection('clean-end', PLACES, 'cut'),
  connection('hang', PLACES, 'silent'),
  connection('pings-only', PLACES, 'silent'),
  connection('drip', PLACES, 'silent'),
  body('wrong-content-type', 'error'),
  body('html', 'error'),
  body('gzip', 'whole'),
  body('gzip-cut', 'cut'),
  body('empty-200', 'error'),
  body('json-instead-of-stream', 'error'),
  body('error-in-200', 'error'),
  event('error-event', PLACES, 'cut'),
  event('overloaded-event', PLACES, 'cut'),
  event('no-stop-event', ['after-last-delta'], 'cut'),
  event('invalid-utf8', IN_DELTAS, 'whole'),
  event('invalid-json', PLACES, 'whole'),
  event('unknown-event', PLACES, 'whole'),
  event('start-twice', IN_DELTAS, 'whole'),
  content('zero-output', AT_START),
  content('refusal', ['before-first-event', 'in-text', 'in-thinking', 'after-last-delta']),
  content('only-thinking', ['in-thinking']),
  content('unsigned-thinking', ['in-thinking']),
  content('huge-delta', IN_DELTAS),
  content('million-deltas', IN_DELTAS),
  content('unknown-block', ['in-text']),
  content('arguments-invalid-json', IN_TOOL),
  content('arguments-not-an-object', IN_TOOL),
  content('arguments-5-mb', IN_TOOL),
  content('arguments-duplicate-keys', IN_TOOL),
  content('arguments-proto', IN_TOOL),
  content('duplicate-ids', IN_TOOL),
  content('id-of-an-earlier-turn', IN_TOOL),
  content('empty-id', IN_TOOL),
  content('missing-id', IN_TOOL),
  content('unknown-tool', IN_TOOL),
  content('index-out-of-order', IN_DELTAS),
  content('max-tokens-in-call', IN_TOOL),
  content('usage-missing', ['after-last-delta']),
  content('usage-negative', ['after-last-delta']),
  content('usage-early', ['after-last-delta']),
  content('model-name-changed', AT_START),
]

/** The fault of that name. @throws where there is none. */
export function faultNamed(name: string): Fault {
  const found = FAULTS.find((fault) => fault.name === name)
  if (found === undefined) throw new RangeError(`There is no fault named ${name}; FAULTS lists them all`)
  return found
}
