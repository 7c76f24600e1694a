import type { AnswerBlock, Json } from '@holdfast/conversation'
import { asRecord, asString, type JsonRecord } from '../wire/json-reader.ts'

/** What a package says beside a block, by provider: signatures, item ids, encrypted thinking. */
export type PackageMetadata = Readonly<Record<string, Readonly<Record<string, Json>>>>

/**
 * Puts the metadata of one more part of a block over what is known of it: a later value replaces an earlier one of
 * the same name, and nothing else is lost.
 */
export function mergeMetadata(known: PackageMetadata | null, more: unknown): PackageMetadata | null {
  const record = asRecord(more)
  if (!record) return known
  const merged: Record<string, Readonly<Record<string, Json>>> = { ...known }
  for (const [provider, values] of Object.entries(record)) {
    const fields = asRecord(values)
    if (fields) merged[provider] = { ...merged[provider], ...jsonFields(fields) }
  }
  return merged
}

/** Metadata as state for the log, with the package that gave it; undefined when there is none. */
export function toPackageState(packageName: string, metadata: PackageMetadata | null): Json | undefined {
  return metadata === null ? undefined : { type: 'ai-sdk.metadata', package: packageName, metadata }
}

/** The metadata of a block for the package that gave it, and for no other. [REQ4] */
export function metadataFor(packageName: string, { providerState }: AnswerBlock): PackageMetadata | null {
  const state = asRecord(providerState)
  if (state?.type !== 'ai-sdk.metadata' || asString(state.package) !== packageName) return null
  return mergeMetadata(null, state.metadata)
}

/** What JSON can carry of the fields; undefined and functions are not sent again. */
function jsonFields(fields: JsonRecord): Readonly<Record<string, Json>> {
  return JSON.parse(JSON.stringify(fields))
}
