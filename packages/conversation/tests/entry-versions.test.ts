import {
  ENTRY_TYPES,
  MalformedEntryError,
  NewerEntryError,
  newestVersion,
  parseKnownFields,
  parseNewEntry,
  placeEntry,
  readStoredEntry,
  UPCASTS,
} from '@holdfast/conversation'
import { arbitraryLog, titleChanged } from '@holdfast/conversation/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const place = { conversationId: 'a', seq: 7, at: 1_000 }
const placed = placeEntry(titleChanged('Tides', 'user'), place)

/** Titles had a name in version 1 and no source in version 2. */
const upcasts = {
  'title-changed': [
    ({ name, ...stored }: Readonly<Record<string, unknown>>) => ({ ...stored, title: name }),
    (stored: Readonly<Record<string, unknown>>) => ({ ...stored, source: 'auto' }),
  ],
}
const { title: _title, source: _source, ...bare } = { ...placed, source: '', title: '' }

describe('the version of an entry', () => {
  it('[LOG6] is the newest of its kind when it is written', () => {
    expect(placed.v).toBe(1)
    expect(newestVersion('title-changed', upcasts)).toBe(3)
    expect(newestVersion('run-started', upcasts)).toBe(1)
  })

  it('[LOG6] goes up step by step when it is read', () => {
    const newest = { ...placed, v: 3, source: 'auto' }
    expect(readStoredEntry({ ...bare, v: 1, name: 'Tides' }, upcasts)).toEqual(newest)
    expect(readStoredEntry({ ...bare, v: 2, title: 'Tides' }, upcasts)).toEqual(newest)
    expect(readStoredEntry({ ...bare, v: 3, title: 'Tides', source: 'auto' }, upcasts)).toEqual(newest)
  })

  it('[LOG6] is refused when it is newer than what is known here', () => {
    const read = () => readStoredEntry({ ...placed, v: 2 }, UPCASTS)
    expect(read).toThrow(NewerEntryError)
    expect(read).toThrow('Entry 7 of conversation a is version 2 of title-changed; 1 is known here')
    expect(() => readStoredEntry({ ...placed, v: 4 }, upcasts)).toThrow(NewerEntryError)
  })

  it('[LOG6] is refused when its kind is not known here', () => {
    const read = () => readStoredEntry({ ...placed, type: 'mood-changed' }, UPCASTS)
    expect(read).toThrow(NewerEntryError)
    expect(read).toThrow('unknown kind mood-changed')
    expect(() => readStoredEntry({ ...placed, type: 'toString' }, UPCASTS)).toThrow(NewerEntryError)
  })

  it('[LOG6] is checked after it was brought up to date', () => {
    expect(() => readStoredEntry({ ...bare, v: 1, name: 5 }, upcasts)).toThrow(MalformedEntryError)
  })

  it('[LOG7] is refused when it is none', () => {
    for (const stored of [
      null,
      5,
      'text',
      [],
      {},
      { ...placed, v: 0 },
      { ...placed, v: '1' },
      { ...placed, seq: 1.5 },
    ]) {
      expect(() => readStoredEntry(stored, UPCASTS)).toThrow(MalformedEntryError)
    }
  })

  it('[LOG1] gives back what was written, for every kind of entry', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(arbitraryLog, (log) => {
        for (const entry of log) {
          seen.add(entry.type)
          expect(readStoredEntry(JSON.parse(JSON.stringify(entry)), UPCASTS)).toEqual(entry)
          expect(placeEntry(parseKnownFields(entry), entry)).toEqual(entry)
        }
      }),
    )
    expect(seen.size).toBeGreaterThan(20)
  })
})

describe('a new entry', () => {
  it('[LOG3] is refused with the path of each fault', () => {
    expect(() => parseNewEntry({ ...titleChanged('Tides', 'user'), title: '', source: 'dream' })).toThrow(
      /title[\s\S]*source/,
    )
    for (const value of [null, undefined, 5, [], {}, { type: 'mood-changed' }, { type: '__proto__' }]) {
      expect(() => parseNewEntry(value)).toThrow(MalformedEntryError)
    }
  })

  it('[LOG3] is refused with a field that its kind does not have, which would be missing from the log', () => {
    const misspelt = { ...titleChanged('Tides', 'user'), moood: 'good', actor: { type: 'engine', name: 'x' } }
    expect(() => parseNewEntry(misspelt)).toThrow('Not an entry: title-changed has no "actor.name", no "moood"')
    expect(parseNewEntry({ ...titleChanged('Tides', 'user'), mood: undefined })).toEqual(titleChanged('Tides', 'user'))
  })

  it('[LOG6] of another program is read by the fields that are known', () => {
    const foreign = { ...titleChanged('Tides', 'user'), seq: 99, mood: 'good' }
    expect(parseKnownFields(foreign)).toEqual(titleChanged('Tides', 'user'))
  })

  it('[SEC5] is refused when it is nested deeper than the stack', () => {
    let input: unknown = 1
    for (let depth = 0; depth < 50_000; depth++) input = [input]
    const entry = {
      type: 'tool-call-started',
      actor: { type: 'engine' },
      runId: 'r',
      stepId: 's',
      callId: 'c',
      name: 'n',
      input,
      effects: false,
    }
    expect(() => parseNewEntry(entry)).toThrow(MalformedEntryError)
  })

  it('[LOG3] names only settings that exist, with values that they can have', () => {
    const changed = (changes: object) => () =>
      parseNewEntry({ type: 'settings-changed', actor: { type: 'engine' }, changes })
    expect(changed({ modelId: 'm', instructions: null })).not.toThrow()
    expect(changed({ mood: 'good' })).toThrow(MalformedEntryError)
    expect(changed({ mood: null })).toThrow(MalformedEntryError)
    expect(changed({ toString: null })).toThrow(MalformedEntryError)
    expect(changed({ toolMode: 'sometimes' })).toThrow(MalformedEntryError)
  })

  it('[LOG1] is of a kind that the list of kinds has once', () => {
    expect(new Set(ENTRY_TYPES).size).toBe(ENTRY_TYPES.length)
    expect(ENTRY_TYPES).toContain('body-erased')
  })
})
