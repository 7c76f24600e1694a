import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanTitle, isTooDeep, readJson } from '../src/log/bounded.ts'
import { DamagedDocumentError, type JsonMember, jsonMembers } from '../src/source/json-members.ts'
import { splitValues } from '../src/source/split-values.ts'
import { asText, textLines } from '../src/source/text-lines.ts'
import { pieces } from './support/import-into.ts'

/** Text in chunks that end at these places. */
function cutAt(text: string, cuts: readonly number[]): AsyncGenerator<string> {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((one, other) => one - other), text.length]
  return pieces(places.slice(1).map((end, index) => text.slice(places[index], end)))
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

/** What the members of a document put together again. */
function assembled(members: readonly JsonMember[]): unknown {
  const [first] = members
  if (first?.key === null) return members.map(({ text }) => readJson(text ?? ''))
  const fields = new Map<string, unknown>()
  for (const { key, text, isElement } of members) {
    const value = readJson(text ?? '')
    const known = fields.get(key ?? '')
    if (isElement) fields.set(key ?? '', [...(Array.isArray(known) ? known : []), value])
    else fields.set(key ?? '', value)
  }
  return Object.fromEntries(fields)
}

const cuts = fc.array(fc.nat(2_000), { maxLength: 6 })
const value = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' })

describe('the members of a JSON document', () => {
  it('[LOG5] are its values, however the text is cut and laid out', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.array(value, { minLength: 1, maxLength: 5 }),
          fc.dictionary(fc.string({ minLength: 1 }), value, { minKeys: 1, maxKeys: 5, noNullPrototype: true }),
        ),
        fc.constantFrom(undefined, 1, '\t'),
        cuts,
        async (document, indent, places) => {
          const text = JSON.stringify(document, null, indent)
          // A list without elements has no members, and a list of one field of the prototype's name is no plain object.
          const expected: unknown = JSON.parse(text, (_, field: unknown) => field)
          fc.pre(!text.includes('__proto__'))
          const isList = Array.isArray(expected)
          const filled = isList
            ? expected
            : Object.fromEntries(
                Object.entries(Object(expected)).filter(([, field]) => !(Array.isArray(field) && field.length === 0)),
              )
          fc.pre(isList || Object.keys(Object(filled)).length > 0)
          expect(assembled(await all(jsonMembers(cutAt(text, places), 100_000)))).toEqual(filled)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('[SEC5] passes over a value that is too long or too deep without keeping it, and goes on', async () => {
    const text = `[1,"${'x'.repeat(500)}",{"a":${'['.repeat(300)}${']'.repeat(300)}},\n2]`
    const members = await all(jsonMembers(cutAt(text, [50, 200, 900]), 400))
    expect(members.map(({ text: own, fault, line }) => [own, fault, line])).toEqual([
      ['1', null, 1],
      [null, 'too-long', 1],
      [null, 'too-deep', 1],
      ['2', null, 2],
    ])
  })

  it.each(['{"a":[1,2', '[1,2}}', '"words"', '{"a":1} {"b":2}', '{1:2}', '7'])(
    '[LOG7] says where a document is damaged, after what was good: %s',
    async (text) => {
      await expect(all(jsonMembers(pieces([text]), 100))).rejects.toBeInstanceOf(DamagedDocumentError)
    },
  )
})

describe('the lines of a source', () => {
  it('[LOG5] are those of the whole text, however it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ maxLength: 10 })), cuts, async (parts, places) => {
        const text = parts.join('\n')
        const lines = (await all(textLines(cutAt(text, places), 1_000))).map((line) => line.text)
        const expected = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
        expect(lines.join('\n')).toBe(
          text.endsWith('\n') || text === '' ? expected.slice(0, -1).join('\n') : expected.join('\n'),
        )
      }),
    )
  })

  it('[SEC5] keep nothing of a line of half a gigabyte but its length', async () => {
    setFlagsFromString('--expose-gc')
    const collect: unknown = runInNewContext('gc')
    /** What is kept, without what waits to be collected. */
    const used = (): number => {
      if (typeof collect === 'function') collect()
      return process.memoryUsage().heapUsed + process.memoryUsage().external
    }
    const before = used()
    let most = 0
    const source = (function* () {
      yield 'first\n'
      for (let count = 1; count <= 64; count++) {
        if (count % 8 === 0) most = Math.max(most, used() - before)
        yield Buffer.alloc(8 * 1024 * 1024, 'x').toString('latin1')
      }
      yield '\nlast'
    })()
    const lines = await all(textLines(pieces(source), 1_000_000))
    expect(lines).toEqual([
      { number: 1, text: 'first', length: 5 },
      { number: 2, text: null, length: 512 * 1024 * 1024 },
      { number: 3, text: 'last', length: 4 },
    ])
    expect(most).toBeLessThan(64 * 1024 * 1024)
  })

  it('[LOG5] are whole characters also where bytes are cut inside of one', async () => {
    const bytes = Buffer.from('\ufeffGrüße 世界 👩‍🚀')
    const single = pieces([...bytes].map((byte) => Uint8Array.of(byte)))
    expect((await all(asText(single))).join('')).toBe('Grüße 世界 👩‍🚀')
  })
})

describe('values of a source', () => {
  it('[LOG7] are cut where two writers ran them together', () => {
    expect(splitValues('{"a":"}{"}{"b":[1]} {"c"')).toEqual(['{"a":"}{"}', '{"b":[1]}', ' {"c"'])
  })

  it('[SEC5] are not read where they nest too deeply', () => {
    expect(isTooDeep('['.repeat(201))).toBe(true)
    expect(isTooDeep(`${'[]'.repeat(500)}"${'['.repeat(500)}"`)).toBe(false)
    expect(readJson('['.repeat(1_000_000))).toBeUndefined()
  })

  it('[SEC3] give titles of one bounded line', () => {
    expect(cleanTitle(' a\u0000\n\u202eb\t<script> ')).toBe('a b <script>')
    expect(cleanTitle('\u200b \n')).toBeNull()
    expect(cleanTitle(`${'x'.repeat(199)}👩‍🚀`)).toBe('x'.repeat(199))
  })
})
