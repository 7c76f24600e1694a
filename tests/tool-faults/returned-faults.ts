import { Readable } from 'node:stream'
import type { FaultCase } from './fault-case.ts'
import { ownToolCase, thenable } from './own-tool.ts'

const ESCAPE = String.fromCharCode(27)
const nothing = () => {}
const refuse = () => {
  throw new Error('no')
}

function circle(): unknown {
  const made: Record<string, unknown> = { name: 'circle' }
  made['self'] = made
  return made
}

function deep(levels: number): unknown {
  let made: unknown = 'bottom'
  for (let level = 0; level < levels; level++) made = { inside: made }
  return made
}

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

/** An object that has itself anew under every name, without end. */
function endless(): object {
  return new Proxy(
    {},
    {
      ownKeys: () => ['left', 'right'],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
      get: (_, key) => (typeof key === 'string' ? endless() : undefined),
    },
  )
}

class EndlessMap extends Map<string, string> {
  override *[Symbol.iterator](): MapIterator<[string, string]> {
    for (;;) yield ['again', 'and again']
  }
}

const saying = (text: unknown, more: object = {}) => ({
  type: 'tool-return',
  text,
  isError: false,
  images: [],
  ...more,
})
const picture = (bytes: unknown, mediaType: unknown = 'image/png') => ({ bytes, mediaType })
const FIRST_BYTES = [137, 80, 78, 71]

/** Made before anything is called: what a tool does with the thread that it runs on is its own. */
const MILLION_NUMBERS = Array.from({ length: 1_000_000 }, (_, index) => index)
const MANY_MEMBERS = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`m${index}`, 1]))
const BASE64 = Buffer.alloc(37_500_000, 7).toString('base64')

/** What a tool returns, made when it is called, and what the model reads of it. */
const RETURNS: readonly (readonly [string, () => unknown, RegExp])[] = [
  ['nothing', () => undefined, /^The tool returned nothing\.$/],
  ['an empty text', () => '', /^The tool returned nothing\.$/],
  ['only terminal sequences', () => `${ESCAPE}[31m${ESCAPE}[0m`, /^The tool returned nothing\.$/],
  ['null', () => null, /^null$/],
  ['a number that is none', () => Number.NaN, /^NaN$/],
  ['a big integer', () => ({ n: 12n }), /^\{"n":12\}$/],
  ['a cycle', circle, /\[circular\]/],
  ['a cycle through a list and a map', () => [new Map([['a', [circle()]]])], /\[circular\]/],
  ['10,000 levels', () => deep(10_000), /\[deeper\]/],
  ['a function', () => ({ run: nothing }), /\[function\]/],
  ['a symbol', () => Symbol('a'), /\[symbol\]/],
  ['a map and a set', () => ({ map: new Map([[{ a: 1 }, new Set([1])]]) }), /\[1\]/],
  ['a map without end', () => new EndlessMap(), /again/],
  ['an object without end', endless, /\[deeper\]/],
  ['a weak map', () => new WeakMap(), /\{\}/],
  ['an iterator without end', () => new EndlessMap()[Symbol.iterator](), /\{\}/],
  ['bytes', () => ({ bytes: new Uint8Array(5) }), /\[5 bytes\]/],
  ['a buffer of 50 MB', () => Buffer.alloc(50_000_000), /\[50000000 bytes\]/],
  ['a getter that throws', () => Object.defineProperty({}, 'a', { get: refuse, enumerable: true }), /not readable: no/],
  ['a proxy that throws', () => new Proxy({}, { ownKeys: refuse }), /not readable: no/],
  ['a date that is none', () => ({ at: new Date(Number.NaN) }), /\[no date\]/],
  ['an error as a value', () => ({ problem: new TypeError('bad') }), /TypeError: bad/],
  ['a JSON method that throws', () => ({ a: 1, toJSON: refuse }), /"a":1/],
  ['words that throw', () => ({ toString: refuse, valueOf: refuse }), /\[function\]/],
  ['an open stream', () => Readable.from(['never read']), /\{/],
  ['an answer of the web', () => new Response('body'), /\{/],
  ['a list with a billion holes', () => new Array(1_000_000_000), /undefined/],
  ['a million numbers', () => MILLION_NUMBERS, /characters are left out/],
  ['100,000 members', () => MANY_MEMBERS, /left out/],
  ['100 MB of text', () => 'line of text\n'.repeat(8_000_000), /of 104000000 characters are left out here/],
  ['50 MB of base64', () => BASE64, /of 50000000 characters are left out here/],
  ['one word of a million letters', () => 'x'.repeat(1_000_000), /of 1000000 characters are left out here/],
  ['half a surrogate pair', () => 'a\ud800b', /^a\ufffdb$/],
  ['only zero bytes', () => '\0\0\0', /^\ufffd+$/],
  ['text of invalid UTF-8', () => Buffer.from([0x61, 0xff, 0xfe, 0x62]).toString('utf8'), /^a\ufffd+b$/],
  ['terminal sequences', () => `${ESCAPE}[31mred${ESCAPE}[0m ${ESCAPE}]0;title\u0007end`, /^red end$/],
  ['a terminal sequence without end', () => `a${ESCAPE}]0;${'t'.repeat(100_000)}`, /^a/],
  ['control bytes', () => 'a\0b\u0008c\td', /^a\ufffdb\ufffdc\td$/],
  ['marks without end', () => `a${'\u0301'.repeat(100_000)}`, /left out/],
  ['turned text', () => 'safe\u202egnihton', /safe/],
  ['a promise in a promise', () => Promise.resolve(Promise.resolve('inner')), /^inner$/],
  ['two answers', () => new Promise((resolve) => [resolve('first'), resolve('second')]), /^first$/],
  ['a text that is a return by name only', () => saying(7), /"type":"tool-return"/],
  ['a return without pictures', () => ({ type: 'tool-return', text: 'words', isError: false }), /words/],
  ['a picture that is none', () => saying('see', { images: [picture('bytes')] }), /see/],
  ['a picture of no bytes', () => saying('see', { images: [picture(new Uint8Array(0))] }), /see/],
  [
    '40 pictures',
    () => saying('see', { images: Array.from({ length: 40 }, () => picture(new Uint8Array(FIRST_BYTES))) }),
    /see/,
  ],
]

/** Returns that are failures, or that not even their kind can be read of. */
const FAILING: readonly (readonly [string, () => unknown, RegExp])[] = [
  ['a proxy that is revoked', revoked, /proxy that has been revoked/],
  [
    'a getter for its type that throws',
    () => Object.defineProperty({}, 'type', { get: refuse, enumerable: true }),
    /^Error: no$/,
  ],
  ['a failure of its own', () => saying('no such file', { isError: true }), /^no such file$/],
  ['a failure without words', () => saying('', { isError: true }), /^The tool returned nothing\.$/],
  ['a promise that breaks its word', () => thenable(refuse), /Error: no/],
  ['a promise that fails with a promise', () => thenable((_, fail) => fail(Promise.resolve('x'))), /The tool threw/],
]

/** Whatever comes back is one bounded result. [TOOL5] */
export const RETURNED_FAULTS: readonly FaultCase[] = [
  ...RETURNS.map(([name, make, says]) => ownToolCase(`returns ${name}`, make, { outcome: 'ok', says })),
  ...FAILING.map(([name, make, says]) => ownToolCase(`returns ${name}`, make, { outcome: 'error', says })),
]
