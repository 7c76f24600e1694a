import { ClientFrame, parseFrame, problem } from '@holdfast/protocol'
import { expect, test } from 'vitest'
import { createClient } from '../src/client.ts'
import { createBadLine } from './support/bad-line.ts'
import { createManualClock } from './support/manual-clock.ts'
import { createSmallServer, ID } from './support/small-server.ts'

/** A client of a small server whose store can be away, and who may be loaded again. */
function storeThatGoes() {
  const clock = createManualClock()
  const server = createSmallServer()
  const away = problem(503, 'store-read-failed', 'The store of this server cannot be read now; try again')
  let isAway = false
  let tell: (text: string) => void = () => {}
  const line = createBadLine([], (send) => {
    tell = send
    const end = server.accept(send)
    return {
      ...end,
      onText(text) {
        const frame = parseFrame(ClientFrame, text, 1_000_000)
        if (isAway && frame.type === 'follow')
          send(JSON.stringify({ type: 'refused', conversationId: ID, problem: away }))
        else if (isAway && frame.type === 'command')
          send(JSON.stringify({ type: 'refused', commandId: frame.commandId, problem: away }))
        else end.onText(text)
      },
    }
  })
  let kept: string | null = null
  let ids = 0
  const open = () =>
    createClient({
      url: 'http://nowhere.invalid',
      transport: line.transport,
      ports: { clock, random: { next: () => 0 }, newId: () => `id_${++ids}` },
      outboxKeeper: {
        load: () => kept,
        save(text) {
          kept = text
        },
      },
    })
  const pass = (ms: number): void => {
    clock.advance(ms)
    line.run()
  }
  return {
    server,
    open,
    pass,
    /** The store goes: who follows is told so, as the server does. */
    goes() {
      isAway = true
      tell(JSON.stringify({ type: 'refused', conversationId: ID, problem: away }))
      line.run()
    },
    comesBack() {
      isAway = false
    },
  }
}

const BEAT_MS = 15_000

test('[SCALE33] while the store is away the thread stays, what is written waits, and both go on by themselves, once', () => {
  const { server, open, pass, goes, comesBack } = storeThatGoes()
  const client = open()
  const store = client.conversation(ID)
  store.subscribe(() => {})
  pass(0)
  expect(store.getSnapshot().caughtUp).toBe(true)
  goes()
  store.send([{ type: 'text', text: 'precious words' }], 'turn')
  pass(BEAT_MS)
  const during = store.getSnapshot()
  expect(during).toMatchObject({ problem: null, caughtUp: false, refused: [] })
  expect([during.overview.head, during.outbox.length]).toEqual([1, 1])
  comesBack()
  pass(2 * BEAT_MS)
  expect(server.log.filter(({ type }) => type === 'input-admitted')).toHaveLength(1)
  expect(store.getSnapshot()).toMatchObject({ problem: null, caughtUp: true, outbox: [] })
  server.name('Told again')
  pass(0)
  expect(store.getSnapshot().overview.head).toBe(server.log.length)
  client.close()
})

test('[SCALE33] what was written while the store is away is sent by a page that was loaded again', () => {
  const { server, open, pass, goes, comesBack } = storeThatGoes()
  const first = open()
  first.conversation(ID).subscribe(() => {})
  pass(0)
  goes()
  first.conversation(ID).send([{ type: 'text', text: 'precious words' }], 'turn')
  pass(BEAT_MS)
  first.close()
  const second = open()
  const store = second.conversation(ID)
  store.subscribe(() => {})
  pass(0)
  // Nothing was read yet: why is told.
  expect(store.getSnapshot().problem?.code).toBe('store-read-failed')
  comesBack()
  pass(2 * BEAT_MS)
  expect(server.log.filter(({ type }) => type === 'input-admitted')).toHaveLength(1)
  expect(store.getSnapshot()).toMatchObject({ problem: null, caughtUp: true, outbox: [] })
  second.close()
})
