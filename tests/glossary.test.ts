import { ENTRY_TYPES, type TranscriptItemOf, type TranscriptRole } from '@holdfast/conversation'
import { describe, expect, it } from 'vitest'
import { find, readText } from './walls/repository.ts'

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

/** Complete by its type too: a code that is added does not compile until it stands here. */
const CODES: Readonly<Record<TranscriptItemOf<'accounting' | 'notice'>['code'], true>> = {
  'path-rewound': true,
  'conversation-archived': true,
  'notice-raised': true,
  'checkpoint-undone': true,
  'window-moved': true,
  'agent-switched': true,
  'files-restored': true,
}

/** The first column of the table under a heading. */
function rowsUnder(heading: string): string[] {
  const section = readText('docs/GLOSSARY.md').split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...section.matchAll(/^\| `?([a-z-]+)`? \|/gm)].map((match) => match[1] ?? '').slice(1)
}

/** Words that are not used for something and are the right ones for something else, and for what. */
const OTHER_SENSE: Readonly<Record<string, string>> = {
  backup: 'a copy of a whole store, kept elsewhere',
  command: 'what a person or a page asks of a conversation, and what the shell runs',
  file: 'a file of a disk',
  new: 'what is still to be made',
  record: 'what a store keeps beside the logs, and what a server got',
  request: 'a request to a model or to a server',
  version: 'the version of a format or of a program',
}

/** Names that use a word all the same, with the reason. */
const NAMES: readonly { readonly word: string; readonly names: RegExp; readonly reason: string }[] = [
  {
    word: 'chat',
    names: /ChatRequest$|^(checkOpenai|create|list)?Chat|^PLAIN_CHAT$/,
    reason: 'the vendor calls it chat completions',
  },
  {
    word: 'chunk',
    names: /^(DraftChunk|chunkRequest|summaryChunks)$/,
    reason: 'a part of something that is too large at once, not a delta',
  },
  {
    word: 'event',
    names: /^(create|start)EventStream|^(send|Line)Events$|^(Followed|Import)Event$/,
    reason: 'what a stream or a line brings, not an entry',
  },
  { word: 'policy', names: /^PermissionPolicy$/, reason: 'all rules of a conversation together, which decide' },
  {
    word: 'prompt',
    names: /^[pP]romptCache$|^(ServerPrompt|readPrompt|PromptOrder)$/,
    reason: 'the cache of vendors, and a prompt of MCP',
  },
  { word: 'thread', names: /^ThreadWindow$/, reason: 'what of the thread is in the page' },
]

/** The rows of the tables of words: what is meant, and what is not used for it. */
function wordsOfTable(): readonly { readonly word: string; readonly not: readonly string[] }[] {
  const section = readText('docs/GLOSSARY.md').split('## Words\n')[1]?.split('\n## ')[0] ?? ''
  const rows = [...section.matchAll(/^\| ([^|]+) \| [^|]* \| ([^|]*)\|$/gm)].filter(([, word]) => word !== 'word')
  return rows.map(([, word = '', not = '']) => ({
    word,
    not: not
      .split(',')
      .map((one) => one.trim().toLowerCase())
      .filter((one) => one !== ''),
  }))
}

/** The words that a name is made of, in lower case. */
function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
}

/** Names in which a word is used that the glossary does not use. */
function glossaryOffences(names: readonly string[]): string[] {
  const table = wordsOfTable()
  const own = new Set(table.flatMap(({ word }) => word.split(/[ ,()]+/)))
  const wrong = table.flatMap(({ not }) => not).filter((word) => !own.has(word) && !(word in OTHER_SENSE))
  return [...new Set(wrong)].flatMap((word) =>
    names
      .filter((name) => ` ${wordsOf(name)} `.includes(` ${word} `) || ` ${wordsOf(name)} `.includes(` ${word}s `))
      .filter((name) => !NAMES.some((one) => one.word === word && one.names.test(name)))
      .map((name) => `${name}: the glossary does not say ${word}`),
  )
}

describe('the glossary', () => {
  it('[ARCH12] lists every kind of entry once, in the order of the code', () => {
    expect(rowsUnder('Kinds of entries')).toEqual(ENTRY_TYPES)
  })

  it('[ARCH12] lists every role of the transcript', () => {
    expect(rowsUnder('Roles of the transcript')).toEqual(Object.keys(ROLES))
  })

  it('[ARCH12] lists every code of the transcript', () => {
    expect(rowsUnder('Codes of the transcript')).toEqual(Object.keys(CODES))
  })

  it('[ARCH12] has the words of every public name: none is made of one that stands for something else', () => {
    const names = find(['docs/api/*.txt']).flatMap((file) => readText(file).split('\n'))
    expect(glossaryOffences(names.map((name) => name.replace(/^type /, '')))).toEqual([])
  })

  it('[ARCH12] says what each word is, once, in one of its groups', () => {
    const words = wordsOfTable().map(({ word }) => word)
    expect(words.length).toBeGreaterThan(100)
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([])
  })

  it('[ARCH12] sees a word that is not used, alone, in the plural and inside a name', () => {
    expect(glossaryOffences(['LOCKS', 'LockOptions', 'openDataset', 'Blocks', 'PermissionPolicy'])).toEqual([
      'LOCKS: the glossary does not say lock',
      'LockOptions: the glossary does not say lock',
      'openDataset: the glossary does not say dataset',
    ])
  })
})
