import { BlobReference, blobsOf, ENTRY_TYPES, type EntryType, NewEntry, parseNewEntry } from '@holdfast/conversation'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'

/** Makes values in which every optional key is there, and every list has one item of each kind that it may hold. */
function createSampler() {
  let blobs = 0

  /** One value for each way in which the schema can be fulfilled at its top. */
  function samples(schema: z.core.$ZodType): unknown[] {
    if (schema === BlobReference) {
      blobs += 1
      return [{ hash: blobs.toString(16).padStart(64, '0'), sizeBytes: 1, mediaType: 'text/plain' }]
    }
    if (schema instanceof z.ZodObject) return [objectOf(schema)]
    if (schema instanceof z.ZodArray) return [samples(schema.element)]
    if (schema instanceof z.ZodUnion) return schema.options.flatMap(samples)
    if (schema instanceof z.ZodOptional || schema instanceof z.ZodExactOptional) return samples(schema.unwrap())
    if (schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) return samples(schema.unwrap())
    if (schema instanceof z.ZodLiteral) return [schema.value]
    if (schema instanceof z.ZodEnum) return [schema.options[0]]
    if (schema instanceof z.ZodNull) return [null]
    if (schema instanceof z.ZodNumber)
      return [Math.min(Math.max(1, schema.minValue ?? 1), schema.maxValue ?? Number.POSITIVE_INFINITY)]
    if (schema instanceof z.ZodBoolean) return [true]
    // Some strings have a form.
    if (schema instanceof z.ZodString) return ['words', 'own'].filter((text) => schema.safeParse(text).success)
    if (schema instanceof z.ZodURL) return ['https://example.com/']
    if (schema instanceof z.ZodRecord) return [{}]
    if (schema instanceof z.ZodCustom) return ['json']
    throw new Error(`The sampler does not know ${schema._zod.def.type}; teach it`)
  }

  function objectOf(schema: z.ZodObject): Record<string, unknown> {
    return Object.fromEntries(Object.entries(schema.shape).map(([key, value]) => [key, samples(value)[0]]))
  }

  return objectOf
}

/** The hashes anywhere in a value. */
function hashesIn(value: unknown): string[] {
  const found = BlobReference.safeParse(value)
  if (found.success) return [found.data.hash]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(hashesIn) : []
}

const sample = createSampler()
const entries = NewEntry.options.map((option) => parseNewEntry(sample(option)))

describe('the blobs of an entry', () => {
  it('[LOG11] are all that stand anywhere in it, for every kind', () => {
    expect(entries.map(({ type }) => type)).toEqual(ENTRY_TYPES)
    for (const entry of entries) {
      expect(
        blobsOf(entry)
          .map(({ hash }) => hash)
          .sort(),
        entry.type,
      ).toEqual(hashesIn(entry).sort())
    }
  })

  it('[LOG11] are found by a sampler that reaches them', () => {
    const withBlobs = entries.filter((entry) => hashesIn(entry).length > 0).map(({ type }) => type)
    const known: EntryType[] = [
      'input-admitted',
      'input-changed',
      'user-message-sent',
      'tool-call-settled',
      'tool-result-late',
      'files-changed',
    ]
    expect(withBlobs.sort()).toEqual(known.sort())
    const counts = Object.fromEntries(entries.map((entry) => [entry.type, hashesIn(entry).length]))
    expect(counts).toMatchObject({ 'user-message-sent': 3, 'tool-call-settled': 2, 'files-changed': 2 })
  })
})
