import { createHash } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type BlobReference, doInParts } from '@holdfast/conversation'
import type { BlobSink } from '@holdfast/tool'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanText } from '../src/run/clean-text.ts'
import { textOfValue } from '../src/run/text-of-value.ts'
import { startCall, textOf } from './support/call-harness.ts'
import { systemClock } from './support/system-clock.ts'

const circle: Record<string, unknown> = { name: 'circle' }
circle['self'] = circle
const ESCAPE = String.fromCharCode(27)
const throwing = {
  get value() {
    throw new Error('no')
  },
}
const hostileError = new Error('x')
Object.defineProperty(hostileError, 'message', {
  get() {
    throw new Error('not even this')
  },
})
const nothing = () => {}

/** An object that has itself anew under every name. */
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

const RETURNS: readonly (readonly [string, unknown, string])[] = [
  ['nothing', undefined, 'The tool returned nothing.'],
  ['an empty text', '', 'The tool returned nothing.'],
  ['only terminal sequences', `${ESCAPE}[31m${ESCAPE}[0m`, 'The tool returned nothing.'],
  ['an object without end', endless(), '[deeper]'],
  ['a list that is too long', new Array(1_000_000_000), 'over 250000 parts'],
  ['null', null, 'null'],
  ['a big integer', { n: 12n }, '{"n":12}'],
  ['a cycle', circle, '[circular]'],
  ['a function', { run: nothing }, '[function]'],
  ['a symbol', Symbol('a'), '[symbol]'],
  ['a map and a set', { map: new Map([[{ a: 1 }, new Set([1])]]) }, '[1]'],
  ['bytes', { bytes: new Uint8Array(5) }, '[5 bytes]'],
  ['a getter that throws', throwing, '[not readable: no]'],
  [
    'a proxy that throws',
    new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('trap')
        },
      },
    ),
    '[not readable: trap]',
  ],
  ['a date that is none', { at: new Date(Number.NaN) }, '[no date]'],
  ['an error as a value', { problem: new TypeError('bad') }, 'TypeError: bad'],
  ['half a surrogate pair', 'a\ud800b', 'a\ufffdb'],
  ['terminal sequences', `${ESCAPE}[31mred${ESCAPE}[0m ${ESCAPE}]0;title\u0007end`, 'red end'],
  ['control bytes', 'a\0b\u0008c\td\r\n', 'a\ufffdb\ufffdc\td\r\n'],
  ['a promise in a promise', Promise.resolve(Promise.resolve('inner')), 'inner'],
  ['a number that is none', Number.NaN, 'NaN'],
]

const THROWS: readonly (readonly [string, unknown, string])[] = [
  ['an error', new Error('broken'), 'Error: broken'],
  ['a text', 'just words', 'The tool threw just words'],
  ['nothing', undefined, 'The tool threw undefined'],
  ['null', null, 'The tool threw null'],
  ['an object', { code: 7 }, 'The tool threw {"code":7}'],
  ['an error that cannot be read', hostileError, 'An error that cannot be read: not even this'],
  ['a cycle', circle, '[circular]'],
]

/** Keeps what it is given, or the hash of it. */
function memorySink(): BlobSink & { readonly kept: { hash: string; sizeBytes: number; largestPiece: number }[] } {
  const kept: { hash: string; sizeBytes: number; largestPiece: number }[] = []
  return {
    kept,
    async keep(content, { mediaType }): Promise<BlobReference> {
      const digest = createHash('sha256')
      let sizeBytes = 0
      let largestPiece = 0
      for await (const piece of content) {
        digest.update(piece)
        sizeBytes += piece.byteLength
        largestPiece = Math.max(largestPiece, piece.byteLength)
      }
      const hash = digest.digest('hex')
      kept.push({ hash, sizeBytes, largestPiece })
      return { hash, sizeBytes, mediaType }
    },
  }
}

describe('whatever a tool does', () => {
  it.each(RETURNS)('[TOOL5] returning %s is one bounded result', async (_, value, words) => {
    const result = await startCall(() => value).result
    expect(result.outcome).toBe('ok')
    expect(textOf(result)).toContain(words)
  })

  it.each(THROWS)('[TOOL5] throwing %s at once or later is an error for the model', async (_, thrown, words) => {
    for (const run of [
      () => {
        throw thrown
      },
      () => Promise.reject(thrown),
    ]) {
      const result = await startCall(run).result
      expect(result.outcome).toBe('error')
      expect(textOf(result)).toContain(words)
    }
  })

  it('[TOOL5] says that a tool failed when the tool says so', async () => {
    const result = await startCall(() => ({ type: 'tool-return', text: 'no such file', isError: true, images: [] }))
      .result
    expect(result).toMatchObject({ outcome: 'error', content: [{ text: 'no such file' }] })
  })

  it('[TOOL5] keeps head and tail of a long output, marked, and the whole as a blob', async () => {
    const blobSink = memorySink()
    const text = `first${'x'.repeat(100_000)}last`
    const result = await startCall(() => text, { rest: { blobSink } }).result
    const words = textOf(result)
    expect(words.length).toBeLessThan(50_300)
    expect(words).toMatch(/^first/)
    expect(words).toContain('[… 50009 of 100009 characters are left out here …]')
    expect(words).toContain('last\n\n[The whole text is kept.]')
    expect(result.blob).toMatchObject({ sizeBytes: 100_009, mediaType: 'text/plain' })
  })

  it('[TOOL5] bounds 100 MB of text and 50 MB of base64 in memory that stays small', async () => {
    setFlagsFromString('--expose-gc')
    const collect: unknown = runInNewContext('gc')
    const texts = ['line of text\n'.repeat(8_000_000), Buffer.alloc(37_500_000, 7).toString('base64')]
    for (const text of texts) {
      text.charCodeAt(text.length - 1)
      if (typeof collect === 'function') collect()
      const before = process.memoryUsage().rss
      const blobSink = memorySink()
      const result = await startCall(() => text, { rest: { blobSink } }).result
      const grownMb = (process.memoryUsage().rss - before) / 1_048_576
      expect(textOf(result).length).toBeLessThan(50_400)
      expect(blobSink.kept).toMatchObject([{ sizeBytes: 33_554_432 }])
      expect(blobSink.kept[0]?.largestPiece).toBeLessThan(200_000)
      expect(grownMb).toBeLessThan(200)
    }
  })

  it('[TOOL5] a sink that fails or hangs costs the rest, not the call', async () => {
    const text = 'x'.repeat(60_000)
    const failing: BlobSink = { keep: () => Promise.reject(new Error('disk full')) }
    const failed = await startCall(() => text, { rest: { blobSink: failing } }).result
    expect(failed.outcome).toBe('ok')
    expect(textOf(failed)).toContain('[The rest could not be kept: Error: disk full]')
    const hanging = startCall(() => text, { rest: { blobSink: { keep: () => new Promise(() => {}) } } })
    await hanging.clock.advance(10_000)
    expect((await hanging.result).outcome).toBe('ok')
    expect(hanging.clock.waitingCount()).toBe(0)
  })

  it('[TOOL5] keeps pictures as blobs, and says so where it cannot', async () => {
    const picture = {
      type: 'tool-return',
      text: 'see',
      isError: false,
      images: [{ bytes: new Uint8Array([1, 2]), mediaType: 'image/png' }],
    }
    const kept = await startCall(() => picture, { rest: { blobSink: memorySink() } }).result
    expect(kept.content).toMatchObject([
      { type: 'text', text: 'see' },
      { type: 'image', blob: { sizeBytes: 2, mediaType: 'image/png' } },
    ])
    expect(textOf(await startCall(() => picture).result)).toContain('Picture 1, 2 bytes, was not kept')
  })

  it('[RUN34] holds nobody else up while a value without end is written out', async () => {
    let longestMs = 0
    let last = performance.now()
    const beside = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - last)
      last = performance.now()
    }, 0)
    const began = performance.now()
    const { result } = startCall(endless, { rest: { clock: systemClock } })
    expect(textOf(await result)).toContain('[deeper]')
    const tookMs = performance.now() - began
    clearInterval(beside)
    longestMs = Math.max(longestMs, performance.now() - last)
    expect(longestMs).toBeLessThan(Math.max(50, tookMs / 4))
  })

  it('[TOOL5] writes out any value within its limit and never throws', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.anything({
          withBigInt: true,
          withMap: true,
          withSet: true,
          withTypedArray: true,
          withDate: true,
          withNullPrototype: true,
          withSparseArray: true,
        }),
        fc.integer({ min: 1, max: 200 }),
        async (value, limit) => {
          const text = await doInParts(textOfValue(value, limit), systemClock)
          if (typeof value !== 'string') expect(text.length).toBeLessThan(limit + 2_000)
        },
      ),
    )
  })

  it('[TOOL5] leaves no control character and no half of a pair in any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: fc.constantFrom('\u001b', '[', '3', 'm', ']', '\u0007', 'a', '\ud800') }),
        (a, b) => {
          const clean = cleanText(a + b)
          expect(clean.isWellFormed()).toBe(true)
          expect(
            [...clean].every(
              (letter) =>
                letter === '\t' ||
                letter === '\n' ||
                letter === '\r' ||
                (letter >= ' ' && !(letter >= '\u007f' && letter < '\u00a0')),
            ),
          ).toBe(true)
        },
      ),
    )
  })

  it('[TOOL5] leaves plain text as it was', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => cleanText(text) === text))
  })
})
