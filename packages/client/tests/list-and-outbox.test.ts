import type { ConversationRow } from '@holdfast/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createClient } from '../src/client.ts'
import { createConversationList, mergedRows } from '../src/conversation/conversation-list.ts'
import { createBadLine } from './support/bad-line.ts'
import { createManualClock } from './support/manual-clock.ts'
import { createSmallServer, ID } from './support/small-server.ts'

function row(id: string, head: number, updatedAt: number): ConversationRow {
  return {
    id,
    title: null,
    firstWords: null,
    forkedFromId: null,
    agentId: null,
    modelId: null,
    workspaceId: null,
    worktreeId: null,
    state: 'idle',
    archived: false,
    messageCount: 0,
    queuedCount: 0,
    permissionCount: 0,
    unread: false,
    createdAt: 0,
    updatedAt,
    head,
  }
}

test('[SYNC4] rows come to the same list in whatever order pages and changes arrive', () => {
  const rows = [row('a', 1, 1), row('a', 2, 5), row('b', 4, 3), row('b', 3, 9), row('c', 1, 4)]
  fc.assert(
    fc.property(fc.shuffledSubarray(rows, { minLength: rows.length }), fc.nat(rows.length), (shuffled, cut) => {
      const list = mergedRows(mergedRows([], shuffled.slice(0, cut)), shuffled.slice(cut))
      expect(list.map(({ id, head }) => [id, head])).toEqual([
        ['a', 2],
        ['c', 1],
        ['b', 4],
      ])
    }),
  )
})

test('[SYNC4] a deleted conversation leaves the list, and no late row brings it back', () => {
  const list = createConversationList({ url: 'http://nowhere.invalid' }, (tell) => tell())
  list.merge([row('a', 1, 1), row('b', 1, 2)])
  list.remove(['a'])
  list.merge([row('a', 2, 9), row('c', 1, 3)])
  expect(list.store.getSnapshot().rows.map(({ id }) => id)).toEqual(['c', 'b'])
})

test('[SYNC2] a client that starts again sends what its earlier life had not got through, once', () => {
  const clock = createManualClock()
  const server = createSmallServer()
  let kept: string | null = null
  const keeper = {
    load: () => kept,
    save(text: string) {
      kept = text
    },
  }
  let ids = 0
  function startClient() {
    const line = createBadLine([], server.accept)
    const client = createClient({
      url: 'http://nowhere.invalid',
      transport: line.transport,
      ports: { clock, random: { next: () => 0 }, newId: () => `id_${++ids}` },
      outboxKeeper: keeper,
    })
    return { line, client }
  }
  const first = startClient()
  first.client.conversation(ID).send([{ type: 'text', text: 'typed in the dark' }], 'turn')
  first.client.close()
  const second = startClient()
  second.line.run()
  second.client.conversation(ID).subscribe(() => {})
  second.line.run()
  const admitted = server.log.filter(({ type }) => type === 'input-admitted')
  expect(admitted).toHaveLength(1)
  expect(second.client.conversation(ID).getSnapshot().outbox).toEqual([])
  expect(kept).toBe('[]')
  second.client.close()
})

test('[UI23] one kept command that cannot be read takes no other with it: it stays kept, and its words are offered', () => {
  const clock = createManualClock()
  const server = createSmallServer()
  const send = (commandId: string, text: string) => ({
    type: 'command',
    name: 'send-message',
    commandId,
    conversationId: ID,
    lane: 'turn',
    content: [{ type: 'text', text }],
  })
  const unknown = { ...send('c_2', 'of another version'), lane: 'some-day', note: { draft: { text: 'and a note' } } }
  const wordless = { type: 'command', name: 'wave', commandId: 'c_3', conversationId: ID }
  const listed = JSON.stringify([send('c_1', 'typed before'), unknown, wordless, 17])
  for (const { text, words, sent } of [
    { text: listed, words: [[ID, 'of another version\n\nand a note']], sent: 1 },
    { text: '[{"type":"comm', words: [[null, '[{"type":"comm']], sent: 0 },
    { text: JSON.stringify({ version: 9, text: 'typed' }), words: [[null, 'typed']], sent: 0 },
    { text: 'null', words: [], sent: 0 },
  ]) {
    let kept = text
    const line = createBadLine([], server.accept)
    const before = server.log.filter(({ type }) => type === 'input-admitted').length
    let ids = 0
    const client = createClient({
      url: 'http://nowhere.invalid',
      transport: line.transport,
      ports: { clock, random: { next: () => 0 }, newId: () => `id_${before}_${++ids}` },
      outboxKeeper: {
        load: () => kept,
        save(next: string) {
          kept = next
        },
      },
    })
    line.run()
    client.conversation(ID).subscribe(() => {})
    line.run()
    expect(server.log.filter(({ type }) => type === 'input-admitted')).toHaveLength(before + sent)
    const offered = client.unreadCommands.getSnapshot().filter((one) => one.words !== '')
    expect(offered.map((one) => [one.conversationId, one.words])).toEqual(words)
    client.conversation(ID).holdQueue()
    for (const one of offered) expect(JSON.parse(kept)).toContainEqual(one.kept)
    for (const { id } of offered) client.forgetUnread(id)
    for (const one of offered) expect(JSON.parse(kept)).not.toContainEqual(one.kept)
    client.close()
  }
})
