import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RawJson, type WireJson, writeJson } from '../src/wire/json-text.ts'

const { value } = fc.letrec<{ value: WireJson }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(fc.string({ unit: 'binary' }), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.string(), fc.oneof(tie('value'), fc.constant(undefined)), { maxKeys: 3 }),
    fc.constantFrom(new RawJson('{"1":1.50,"0":2}'), new RawJson('[ ]'), new RawJson('""')),
  ),
}))

/** The text by the plainest way: each member by itself. */
function plainly(one: WireJson): string {
  if (one instanceof RawJson) return one.text
  if (Array.isArray(one)) return `[${one.map(plainly).join(',')}]`
  if (typeof one !== 'object' || one === null) return JSON.stringify(one)
  const members = Object.entries(one).flatMap(([key, member]) =>
    member === undefined ? [] : [`${JSON.stringify(key)}:${plainly(member)}`],
  )
  return `{${members.join(',')}}`
}

it('[REQ1, RUN10] writes every value as its members one by one would be, with raw parts as they came', () => {
  const seed = Date.now()
  fc.assert(
    fc.property(value, (one) => {
      expect(writeJson(one)).toBe(plainly(one))
    }),
    { seed, numRuns: 500 },
  )
})
