import { ENTRY_TYPES, type TranscriptRole } from '@holdfast/conversation'
import { describe, expect, it } from 'vitest'
import { readText } from './walls/repository.ts'

/** Complete by its type: a role that is added does not compile until it stands here. */
const ROLES: Readonly<Record<TranscriptRole, true>> = {
  user: true,
  assistant: true,
  'title-request': true,
  title: true,
  'summary-request': true,
  summary: true,
  accounting: true,
  notice: true,
  error: true,
}

/** The first column of the table under a heading. */
function rowsUnder(heading: string): string[] {
  const section = readText('docs/GLOSSARY.md').split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...section.matchAll(/^\| `?([a-z-]+)`? \|/gm)].map((match) => match[1] ?? '').slice(1)
}

describe('the glossary', () => {
  it('[ARCH12] lists every kind of entry once, in the order of the code', () => {
    expect(rowsUnder('Kinds of entries')).toEqual(ENTRY_TYPES)
  })

  it('[ARCH12] lists every role of the transcript', () => {
    expect(rowsUnder('Roles of the transcript')).toEqual(Object.keys(ROLES))
  })
})
