import { readdirSync, readFileSync } from 'node:fs'
import { BUILDER_VERSION, canonicalText, composeRequest, validateRequest } from '@holdfast/context'
import { parseNewEntry } from '@holdfast/conversation'
import { logOf } from '@holdfast/conversation/testing'
import { describe, expect, it } from 'vitest'
import { sourceOf } from './built.ts'

const FOLDER = new URL('golden/', import.meta.url)

interface Golden {
  readonly builderVersion: number
  readonly to: { readonly providerId: string; readonly modelId: string }
  readonly entries: readonly object[]
  /** The canonical text, line by line. */
  readonly request: readonly string[]
}

/** Logs and the requests that builder version 1 makes of them. A file is never changed; a new version adds files. */
describe('golden requests', () => {
  const files = readdirSync(FOLDER).sort()

  it('[REQ1] exist for the version that is built', () => {
    expect(files.some((name) => name.startsWith(`v${BUILDER_VERSION}-`))).toBe(true)
  })

  it.each(files)('[REQ1] %s is built to the byte', (name) => {
    const golden: Golden = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'))
    expect(golden.builderVersion).toBe(BUILDER_VERSION)
    const request = composeRequest(sourceOf(logOf('golden', golden.entries.map(parseNewEntry)), golden.to)).request
    expect(canonicalText(request).split('\n')).toEqual([...golden.request, ''])
    expect(validateRequest(request)).toEqual([])
  })
})
