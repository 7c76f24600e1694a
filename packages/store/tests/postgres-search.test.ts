import { type EntryStore, parseSearchQuery } from '@holdfast/conversation'
import { conversationCreated, userMessageSent } from '@holdfast/conversation/testing'
import { createMemoryStore } from '@holdfast/store/memory'
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, DATABASE_LIMITS, type Database } from '../src/postgres/connection/database.ts'
import { MIGRATIONS } from '../src/postgres/connection/schema.ts'
import { IMPATIENT } from '../src/postgres/connection/start-patience.ts'
import { search } from '../src/postgres/reading/search.ts'
import { searchPassages } from '../src/postgres/tables/search-passages.ts'
import { createTestDatabase } from './support/postgres-server.ts'
import { openOn } from './support/postgres-store.ts'
import { systemClock } from './support/system-clock.ts'

const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

let postgres: EntryStore
let database: Database
const { store: memory } = createMemoryStore({ clock: systemClock })

beforeAll(async () => {
  const made = await createTestDatabase()
  closing.push(() => made.drop())
  const opened = await openOn(made)
  closing.push(opened.close)
  postgres = opened.store
  const { connectionString } = made
  const schemaVersion = MIGRATIONS.length
  const poolSize = 1
  const server = made.name
  const limits = DATABASE_LIMITS
  database = createDatabase({
    connectionString,
    server,
    clock: systemClock,
    poolSize,
    schemaVersion,
    limits,
    whileBusy: IMPATIENT,
  })
  closing.push(() => database.close())
})

let logCount = 0

/** Begins the same log in both stores, whose messages are these, and whose owner has no other. */
async function messages(texts: readonly string[]): Promise<string> {
  logCount += 1
  const ownerId = `owner '${logCount}\\`
  const entries = [
    conversationCreated(ownerId),
    ...texts.map((text, index) => userMessageSent('run_1', `input_${index}`, text)),
  ]
  const append = { conversationId: `log ${logCount}`, after: 0, entries, at: 1_000 }
  await Promise.all([memory.append(append), postgres.append(append)])
  return ownerId
}

/** Both find the same, in the same order, with the same passages. */
async function expectSame(ownerId: string, typed: string): Promise<number> {
  const request = { ownerId, query: parseSearchQuery(typed), limit: 1_000 }
  const [expected, found] = await Promise.all([memory.search(request), postgres.search(request)])
  expect(found).toEqual(expected)
  return found.length
}

const word = fc.constantFrom('ha', 'hat', 'he', 'cat', 'catalog', 'Été', '漢', '字', '漢字', "o'clock", 'a\\b', '42')
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '))
const typed = fc
  .array(
    fc.oneof(
      word,
      fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `"${words.join(' ')}"`),
    ),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .chain((parts) => fc.constantFrom(parts.join(' '), `${parts.join(' ')} `))

describe('searching in PostgreSQL', () => {
  it('[PRJ5] finds what the reference finds, whatever is written and asked', async () => {
    let found = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 8 }),
        fc.array(typed, { minLength: 1, maxLength: 6 }),
        async (texts, queries) => {
          const ownerId = await messages(texts)
          for (const query of queries) found += await expectSame(ownerId, query)
        },
      ),
      { numRuns: 60 },
    )
    expect(found).toBeGreaterThan(50)
  })

  it('[PRJ5] finds words and phrases anywhere in texts longer than a passage', async () => {
    const numbers = Array.from({ length: 25_000 }, (_, number) => `w${number}`)
    const ownerId = await messages([numbers.join(' '), 'w3 w4 w5'])
    expect(await expectSame(ownerId, 'w24999 ')).toBe(1)
    expect(await expectSame(ownerId, 'w3 w5 ')).toBe(2)
    expect(await expectSame(ownerId, 'w1 w24000 ')).toBe(1)
    expect(await expectSame(ownerId, 'w1 w24000 nothing ')).toBe(0)
    await fc.assert(
      fc.asyncProperty(fc.nat(24_900), fc.integer({ min: 2, max: 99 }), async (start, length) => {
        expect(await expectSame(ownerId, `"${numbers.slice(start, start + length).join(' ')}"`)).toBeGreaterThan(0)
      }),
      {
        numRuns: 25,
        examples: [
          [9_990, 99],
          [9_901, 99],
          [9_999, 2],
          [19_850, 99],
        ],
      },
    )
    expect(await expectSame(ownerId, '"w10000 w10002"')).toBe(0)
    expect(await expectSame(ownerId, 'w2499')).toBe(1)
  })

  it('[PRJ5] finds phrases beyond the places of one word that an index entry holds', async () => {
    const ownerId = await messages([
      `${'ha '.repeat(5_000)}he`,
      `${'a b '.repeat(2_000)}c`,
      'x'.repeat(64).concat(' ').repeat(900),
    ])
    expect(await expectSame(ownerId, '"ha he"')).toBe(1)
    expect(await expectSame(ownerId, `"${'ha '.repeat(90)}he"`)).toBe(1)
    expect(await expectSame(ownerId, '"a b c"')).toBe(1)
    expect(await expectSame(ownerId, '"b b"')).toBe(0)
  })

  it('[PRJ5] indexes texts whose words are as many, as long and as different as they can be', async () => {
    const words = Array.from({ length: 6_000 }, (_, number) => String.fromCodePoint(0x10000 + number).repeat(20))
    const different = Array.from({ length: 12_000 }, (_, number) => `w${number}`.padEnd(60, 'ა'))
    const ownerId = await messages([words.join(' '), different.join(' '), '字'.repeat(40_000)])
    expect(await expectSame(ownerId, `${different[11_999]} `)).toBe(1)
    expect(await expectSame(ownerId, `"${different[5_000]} ${different[5_001]}"`)).toBe(1)
    expect(await expectSame(ownerId, '字字')).toBe(1)
  })

  it('[LOG15] reads no more than a megabyte of what it finds at once, and one entry at least', async () => {
    const ownerId = await messages([
      ...Array.from({ length: 6 }, (_, number) => `walnut ${number} ${'b '.repeat(200_000)}`),
      `walnut ${'c '.repeat(700_000)}`,
    ])
    const answers: number[] = []
    const measured: Pick<Database, 'read'> = {
      read: (work) =>
        database.read((sql) =>
          work(async <Row extends pg.QueryResultRow>(statement: string, values: readonly unknown[]) => {
            const rows = await sql<Row>(statement, values)
            answers.push(rows.reduce((sum, row) => sum + JSON.stringify(row).length, 0))
            return rows
          }),
        ),
    }
    const request = { ownerId, query: parseSearchQuery('walnut '), limit: 100 }
    expect(await search(measured, request)).toEqual(await memory.search(request))
    expect(answers).toHaveLength(5)
    expect(answers.filter((length) => length > 1_100_000)).toHaveLength(1)
  })

  it('[PRJ5] keeps every passage within what an index entry holds', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', 'c'.repeat(64), '𝒳'.repeat(32)), { maxLength: 3_000 }),
        fc.nat(400),
        (words, repeats) => {
          const all = [...words, ...Array.from({ length: repeats }, () => 'again')]
          const passages = searchPassages(all, 'owner')
          let count = 0
          for (const { words: literal, isWhole } of passages) {
            const places = [...literal.matchAll(/:([\d,]+)/g)].map((match) => (match[1] ?? '').split(','))
            for (const ofOneWord of places) expect(ofOneWord.length).toBeLessThanOrEqual(255)
            for (const place of places.flat()) expect(Number(place)).toBeLessThan(16_384)
            expect(isWhole).toBe(passages.length === 1)
            count += places.flat().length
          }
          expect(count).toBeGreaterThanOrEqual(all.length)
        },
      ),
      { numRuns: 30 },
    )
  })
})
