import { describe, expect, it } from 'vitest'
import { mentionQuery, withoutQuery } from '../src/composer/mentions/mention-query.ts'
import {
  commandOffers,
  namedOffers,
  promptOffers,
  resourceOffers,
  writtenCommand,
} from '../src/composer/mentions/offers.ts'
import { expanded, variablesOf } from '../src/composer/mentions/uri-template.ts'

describe('[TOOL12] what is asked for while it is written', () => {
  it.each([
    ['/', 1, { type: 'prompt', words: '', from: 0 }],
    ['/rev', 4, { type: 'prompt', words: 'rev', from: 0 }],
    ['/rev', 2, { type: 'prompt', words: 'r', from: 0 }],
    ['/usr/bin', 8, null],
    ['look at /rev', 12, null],
    ['/rev it', 7, { type: 'prompt', words: 'rev it', from: 0 }],
    ['/rev it now', 11, null],
    ['@', 1, { type: 'resource', words: '', from: 0 }],
    ['look at @no', 11, { type: 'resource', words: 'no', from: 8 }],
    ['line\n@no', 8, { type: 'resource', words: 'no', from: 5 }],
    ['ada@example', 11, null],
    ['@done and', 9, null],
    ['words', 5, null],
  ])('%j at %i', (text, caret, query) => {
    expect(mentionQuery(text, caret)).toEqual(query)
  })

  it('is taken out of the text when something is chosen', () => {
    const text = 'look at @no please'
    const query = mentionQuery(text, 11)
    expect(query && withoutQuery(text, query)).toBe('look at please')
  })
})

describe('[TOOL12] the address of a family of resources', () => {
  it('asks for its values and is put together with them', () => {
    expect(variablesOf('notes://{folder}/{+path}')).toEqual(['folder', 'path'])
    expect(expanded('notes://{folder}/{+path}', { folder: 'a b/c', path: 'x/y z' })).toBe('notes://a%20b%2Fc/x/y%20z')
  })

  it.each(['notes://fixed', 'notes://{?query}', 'notes://{list*}', 'notes://{a,b}', 'notes://{#part}'])(
    '%s is not asked for by values',
    (uriTemplate) => {
      expect(variablesOf(uriTemplate)).toBeNull()
    },
  )
})

it('[TOOL12] what begins with the words stands first, and what holds them behind it', () => {
  const of = (name: string, description = '') => ({ name, description, arguments: [] })
  const server = {
    server: 's',
    prompts: [of('explain', 'reviews too'), of('review'), of('other')],
    resources: [{ uri: 'note://1', name: 'Notes', description: '', mediaType: null }],
    templates: [
      { uriTemplate: 'note://{id}', name: 'A note', description: '', mediaType: null },
      { uriTemplate: 'note://{?all}', name: 'All notes', description: '', mediaType: null },
    ],
  }
  expect(promptOffers([server], 'REV').map(({ name }) => name)).toEqual(['review', 'explain'])
  expect(resourceOffers([server], 'note').map(({ name }) => name)).toEqual(['Notes', 'A note'])
})

it('[CANVAS3] a command of the page is found by its beginning and by what it does', () => {
  const commands = [{ text: '/canvas clear', about: 'Empties it', takesWords: false, run: () => {} }]
  for (const words of ['', 'c', 'canvas', 'empt'])
    expect(commandOffers(commands, words).map(({ choice }) => choice)).toEqual([
      { type: 'command', text: '/canvas clear' },
    ])
  expect(commandOffers(commands, 'review')).toEqual([])
})

it('[UI1] a text is a command of the page, one that there is not, or a message', () => {
  const run = () => {}
  const commands = [
    { text: '/theme', about: '', takesWords: true, run },
    { text: '/theme dark', about: '', takesWords: false, run },
    { text: '/stop', about: '', takesWords: false, run },
  ]
  expect(writtenCommand('/theme dark ', commands)).toMatchObject({ type: 'known', command: { text: '/theme dark' } })
  expect(writtenCommand('/theme light', commands)).toMatchObject({ command: { text: '/theme' }, words: 'light' })
  expect(writtenCommand('/stop it now', commands)).toEqual({ type: 'unknown', name: '/stop' })
  expect(writtenCommand('/nothing at all', commands)).toEqual({ type: 'unknown', name: '/nothing' })
  for (const words of ['words', '/usr/bin is a folder', '// a comment', '', 'a /stop'])
    expect(writtenCommand(words, commands)).toBeNull()
})

it('[UI1] a name with a space stands between quotes, so that it is seen where it ends', () => {
  const things = [
    { kind: 'agent', id: 'agent_1', name: 'Proof Reader', about: 'reads' },
    { kind: 'file', id: 'src/a.ts', name: 'src/a.ts', about: '' },
    { kind: 'tool', id: 'read', name: 'read', about: 'reads files' },
  ] as const
  expect(namedOffers(things, '').map(({ choice }) => choice)).toEqual([
    { type: 'named', text: '@src/a.ts', part: { type: 'mention', kind: 'file', id: 'src/a.ts' } },
    { type: 'named', text: '@"Proof Reader"', part: { type: 'mention', kind: 'agent', id: 'agent_1' } },
    { type: 'named', text: '@read', part: { type: 'mention', kind: 'tool', id: 'read' } },
  ])
  // The server has looked for files already, by their whole path.
  expect(namedOffers(things, 'rea').map(({ name }) => name)).toEqual(['src/a.ts', 'Proof Reader', 'read'])
})
