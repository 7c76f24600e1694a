import { type ClientFrame, type Problem, problem, type ServerFrame } from '@holdfast/protocol'
import { expect, test } from 'vitest'
import { createClient } from '../src/client.ts'
import { createBadLine } from './support/bad-line.ts'
import { createManualClock } from './support/manual-clock.ts'
import { createSmallServer, ID } from './support/small-server.ts'

const READ = problem(503, 'store-read-failed', 'The database cannot be reached')
const WRITE = problem(503, 'store-write-failed', 'The database cannot be reached')

/** A client of a server whose store is away when the test says so. */
function scene() {
  const clock = createManualClock()
  const server = createSmallServer()
  const asked: ClientFrame[] = []
  let kept: string | null = null
  let ids = 0
  let away: 'no' | 'refused' | 'kept-but-refused' = 'no'
  let answer: Problem = WRITE
  const line = createBadLine([], (sendText) => {
    const end = server.accept(sendText)
    const send = (frame: ServerFrame) => sendText(JSON.stringify(frame))
    return {
      onClose: end.onClose,
      onText(text) {
        const frame: ClientFrame = JSON.parse(text)
        asked.push(frame)
        if (away === 'no') end.onText(text)
        else if (frame.type === 'follow') send({ type: 'refused', conversationId: ID, problem: READ })
        else if (frame.type === 'command') {
          // Its entry was written, and the answer of the database was lost.
          if (away === 'kept-but-refused') server.accept(() => {}).onText(text)
          send({ type: 'refused', commandId: frame.commandId, problem: answer })
        } else end.onText(text)
      },
    }
  })
  function startClient() {
    return createClient({
      url: 'http://nowhere.invalid',
      transport: line.transport,
      ports: { clock, random: { next: () => 1 }, newId: () => `id_${++ids}` },
      outboxKeeper: {
        load: () => kept,
        save(text: string) {
          kept = text
        },
      },
    })
  }
  return {
    server,
    asked,
    line,
    startClient,
    setAway(next: typeof away, by: Problem = WRITE) {
      away = next
      answer = by
    },
    /** Lets time pass while the line works. */
    pass(ms: number) {
      for (let left = ms; left > 0; left -= 250) {
        clock.advance(Math.min(left, 250))
        line.run()
      }
    },
    admitted: () => server.log.flatMap((entry) => (entry.type === 'input-admitted' ? [entry.content] : [])),
  }
}

const words = (text: string) => [{ type: 'text' as const, text }]

test('[SYNC21] a follow that the store could not answer is asked again, each time later, and what is there stays', () => {
  const { asked, line, pass, server, setAway, startClient } = scene()
  const client = startClient()
  const store = client.conversation(ID)
  line.run()
  const leave = store.subscribe(() => {})
  line.run()
  const follows = () => asked.filter(({ type }) => type === 'follow').length
  setAway('refused')
  line.cut()
  pass(500)
  const seen = store.getSnapshot()
  expect(seen).toMatchObject({ problem: null, outage: { code: 'store-read-failed' }, caughtUp: false })
  expect(seen.overview.head).toBe(server.log.length)
  let before = follows()
  for (const waitMs of [500, 1_000, 2_000, 4_000]) {
    pass(waitMs - 1)
    expect(follows(), `before ${waitMs} ms`).toBe(before)
    pass(1)
    expect(follows(), `after ${waitMs} ms`).toBe(before + 1)
    before += 1
  }
  setAway('no')
  server.name('Named while it was away')
  pass(10_000)
  expect(store.getSnapshot()).toMatchObject({ outage: null, caughtUp: true })
  expect(store.getSnapshot().overview.title?.text).toBe('Named while it was away')
  // Whoever leaves asks no more.
  setAway('refused')
  leave()
  line.run()
  before = follows()
  pass(60_000)
  expect(follows()).toBe(before)
  client.close()
})

test('[SYNC22] a message that the store could not take stays in the outbox, over a reload too, and is sent once, in order', () => {
  const { admitted, line, pass, setAway, startClient } = scene()
  const first = startClient()
  line.run()
  first.conversation(ID).subscribe(() => {})
  line.run()
  setAway('refused')
  first.conversation(ID).send(words('precious'), 'turn')
  line.run()
  expect(first.conversation(ID).getSnapshot()).toMatchObject({
    refused: [],
    outage: { code: 'store-write-failed' },
    outbox: [{ command: { content: words('precious') } }],
  })
  first.close()
  line.run()
  const second = startClient()
  line.run()
  second.conversation(ID).subscribe(() => {})
  line.run()
  setAway('no')
  second.conversation(ID).send(words('and another'), 'turn')
  line.run()
  pass(60_000)
  expect(admitted()).toEqual([words('precious'), words('and another')])
  expect(second.conversation(ID).getSnapshot()).toMatchObject({ refused: [], outage: null, outbox: [] })
  second.close()
})

test('[SYNC22] a message that was written before the answer was lost is there once', () => {
  const { admitted, line, pass, setAway, startClient } = scene()
  const client = startClient()
  line.run()
  client.conversation(ID).subscribe(() => {})
  line.run()
  setAway('kept-but-refused')
  client.conversation(ID).send(words('once'), 'turn')
  line.run()
  setAway('no')
  pass(60_000)
  expect(admitted()).toEqual([words('once')])
  expect(client.conversation(ID).getSnapshot()).toMatchObject({ refused: [], outage: null, outbox: [] })
  client.close()
})

test('[SYNC22] a command that was refused for another reason stays refused', () => {
  const { admitted, line, pass, setAway, startClient } = scene()
  const client = startClient()
  line.run()
  client.conversation(ID).subscribe(() => {})
  line.run()
  setAway('refused', problem(413, 'too-large', 'Too large'))
  client.conversation(ID).send(words('long'), 'turn')
  line.run()
  setAway('no')
  pass(60_000)
  expect(admitted()).toEqual([])
  expect(client.conversation(ID).getSnapshot()).toMatchObject({
    outbox: [],
    refused: [{ problem: { code: 'too-large' } }],
  })
  client.close()
})
