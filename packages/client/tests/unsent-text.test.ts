import { type Composer, MAX_TEXT_LENGTH, routes } from '@holdfast/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeUnsent } from '../src/conversation/merge-unsent.ts'
import { createUnsentText, type UnsentText } from '../src/conversation/unsent-text.ts'
import type { HttpApi } from '../src/link/http-api.ts'
import { RequestFailedError } from '../src/link/request-failed-error.ts'
import { createManualClock } from './support/manual-clock.ts'

/** The route's rules: a version that is not the newest is refused. */
function desk() {
  let there: Composer = { content: [], version: 0 }
  const refusals: string[] = []
  let isReached = true
  function answer(method: string, body: unknown): Composer {
    if (!isReached) throw new RequestFailedError('The server was not reached', { problem: null, status: null })
    if (method === 'GET') return there
    const wanted = routes.writeComposer.body.parse(body)
    if (wanted.version !== there.version) {
      refusals.push('conflict')
      const problem = { type: 'about:blank', title: 'Conflict', status: 409, code: 'conflict', detail: 'Read it again' }
      throw new RequestFailedError(problem.detail, { problem, status: problem.status })
    }
    there = { content: wanted.content, version: there.version + 1 }
    return there
  }
  const ask: HttpApi = async (route, schema, { body }) => schema.parse(answer(route.method, body))
  return {
    ask,
    refusals,
    words: () => there.content.map((part) => (part.type === 'text' ? part.text : part.type)),
    put(content: Composer['content']) {
      there = { content, version: there.version + 1 }
    },
    reach(yes: boolean) {
      isReached = yes
    },
  }
}

function keeper() {
  const kept = new Map<string, string>()
  return {
    kept,
    load: (id: string) => kept.get(id) ?? null,
    save(id: string, text: string | null) {
      if (text === null) kept.delete(id)
      else kept.set(id, text)
    },
  }
}

function tabOf(server: ReturnType<typeof desk>, own = keeper()) {
  const clock = createManualClock()
  const unsent = createUnsentText({ conversationId: 'c1', ask: server.ask, clock, keeper: own })
  return { unsent, clock, own }
}

/** Lets the answers that are on their way arrive. */
const arrive = () => new Promise((resolve) => setImmediate(resolve))

async function write(tab: { unsent: UnsentText; clock: ReturnType<typeof createManualClock> }, text: string) {
  tab.unsent.write(text)
  tab.clock.advance(1_000)
  await arrive()
}

test('[SYNC6] what rests is at the server, and another tab has it', async () => {
  const server = desk()
  const [one, other] = [tabOf(server), tabOf(server)]
  await write(one, 'half a thought')
  expect(server.words()).toEqual(['half a thought'])
  other.unsent.refresh()
  await arrive()
  expect(other.unsent.getSnapshot()).toBe('half a thought')
  one.unsent.write('')
  await arrive()
  expect(server.words()).toEqual([])
  other.unsent.refresh()
  await arrive()
  expect(other.unsent.getSnapshot()).toBe('')
})

test('[SYNC6] where two tabs have written, the second is told so, and both texts are kept', async () => {
  const server = desk()
  const [one, other] = [tabOf(server), tabOf(server)]
  await write(one, 'Begin')
  other.unsent.refresh()
  await arrive()
  await write(one, 'Begin, said the one')
  await write(other, 'Begin, said the other')
  expect(server.refusals).toEqual(['conflict'])
  expect(other.unsent.getSnapshot()).toBe('Begin, said the one, said the other')
  expect(server.words()).toEqual(['Begin, said the one, said the other'])
})

test('[SYNC6] what is written while the server is away is in the tab, and goes when it is back', async () => {
  const server = desk()
  server.reach(false)
  const before = tabOf(server)
  await write(before, 'written on a train')
  const after = tabOf(server, before.own)
  expect(after.unsent.getSnapshot()).toBe('written on a train')
  server.reach(true)
  after.unsent.refresh()
  await arrive()
  expect(server.words()).toEqual(['written on a train'])
})

test('[SYNC8] words that are too long for the server are not put there, and go when they are fewer', async () => {
  const server = desk()
  const tab = tabOf(server)
  await write(tab, 'w'.repeat(MAX_TEXT_LENGTH + 1))
  expect(server.refusals).toEqual([])
  expect(server.words()).toEqual([])
  expect(tabOf(server, tab.own).unsent.getSnapshot()).toHaveLength(MAX_TEXT_LENGTH + 1)
  await write(tab, 'w'.repeat(MAX_TEXT_LENGTH))
  expect(server.words()).toEqual(['w'.repeat(MAX_TEXT_LENGTH)])
})

test('[SYNC6] parts that are not words stay as they are', async () => {
  const server = desk()
  server.put([{ type: 'image', attachmentId: 'a1' }])
  await write(tabOf(server), 'look')
  expect(server.words()).toEqual(['look', 'image'])
})

test('[SYNC6] two versions become one in which no written word is missing', () => {
  const words = fc.constantFrom('', 'a', 'ab', 'b c', 'c')
  fc.assert(
    fc.property(words, words, words, (base, mineEnd, theirsEnd) => {
      const versions = { base, mine: `${base}${mineEnd}`, theirs: `${base}${theirsEnd}` }
      const merged = mergeUnsent(versions)
      expect(merged).toContain(mineEnd)
      expect(merged).toContain(theirsEnd)
    }),
  )
  expect(mergeUnsent({ base: 'sent', mine: 'sent', theirs: '' })).toBe('')
  expect(mergeUnsent({ base: 'sent', mine: 'sent and more', theirs: '' })).toBe('sent and more')
  expect(mergeUnsent({ base: '', mine: 'one', theirs: 'two' })).toBe('two\n\none')
})

test('[SYNC6] another version is read when it is heard of, and one that is here is not', async () => {
  const server = desk()
  const tab = tabOf(server)
  await write(tab, 'half a thought')
  server.put([
    { type: 'text', text: 'half a thought' },
    { type: 'error', text: 'ReferenceError' },
  ])
  tab.unsent.heard(2)
  await arrive()
  expect(tab.unsent.parts.getSnapshot()).toEqual([{ type: 'error', text: 'ReferenceError' }])
  server.reach(false)
  tab.unsent.heard(2)
  tab.unsent.heard(1)
  await arrive()
  server.reach(true)
  // A server that lost what it had said is not asked without end.
  tab.unsent.heard(9)
  await arrive()
  expect(tab.unsent.getSnapshot()).toBe('half a thought')
})

test('[SYNC6] what goes along is at the server, is taken out everywhere, and what is added meanwhile stays', async () => {
  const server = desk()
  const [one, other] = [tabOf(server), tabOf(server)]
  const file = { type: 'mention', kind: 'file', id: 'a.ts' } as const
  const link = { type: 'link', url: 'https://example.org/' } as const
  one.unsent.add(file)
  one.unsent.add({ type: 'mention', kind: 'file', id: 'a.ts' })
  await arrive()
  expect(server.words()).toEqual(['mention'])
  other.unsent.refresh()
  await arrive()
  expect(other.unsent.parts.getSnapshot()).toEqual([file])
  other.unsent.add(link)
  await arrive()
  one.unsent.remove(file)
  await arrive()
  expect(server.words()).toEqual(['link'])
  expect(one.unsent.parts.getSnapshot()).toEqual([link])
  const after = tabOf(server, one.own)
  expect(after.unsent.parts.getSnapshot()).toEqual([link])
  await write(one, 'look')
  server.put([{ type: 'text', text: 'look\n\nand at this' }, link, file])
  one.unsent.clear([link])
  await arrive()
  await arrive()
  expect([one.unsent.getSnapshot(), one.unsent.parts.getSnapshot()]).toEqual(['and at this', [file]])
})

test('[SYNC6] a paragraph that is added comes behind what is being written, not into it', () => {
  expect(mergeUnsent({ base: 'half', mine: 'half a thought', theirs: 'half\n\nA suggestion' })).toBe(
    'half a thought\n\nA suggestion',
  )
  expect(mergeUnsent({ base: 'sent', mine: '', theirs: 'sent\n\nA suggestion' })).toBe('A suggestion')
})

test('[UI23] what another version kept of words that are not sent is in the field', () => {
  for (const [kept, words] of [
    [JSON.stringify({ parts: [{ text: 'typed' }], base: 7 }), 'typed'],
    ['{"text":"typed', '{"text":"typed'],
  ] as const) {
    const own = keeper()
    own.save('c1', kept)
    expect(tabOf(desk(), own).unsent.getSnapshot()).toBe(words)
  }
})
