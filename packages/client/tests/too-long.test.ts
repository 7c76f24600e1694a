import { CLOSE, MAX_TEXT_LENGTH, PROTOCOL_VERSION } from '@holdfast/protocol'
import { expect, test } from 'vitest'
import { type Client, createClient } from '../src/client.ts'
import type { LineEvents } from '../src/link/transport.ts'
import { createManualClock } from './support/manual-clock.ts'

/** A client whose server is the test. */
function clientAtHand() {
  const clock = createManualClock()
  const lines: {
    readonly events: LineEvents
    readonly sent: { readonly type: string; readonly commandId?: string }[]
  }[] = []
  let ids = 0
  const client = createClient({
    url: 'http://nowhere.invalid',
    transport: {
      open(events) {
        const line = { events, sent: [] as { type: string }[] }
        lines.push(line)
        return { send: (text) => void line.sent.push(JSON.parse(text)), close: () => {} }
      },
    },
    ports: { clock, random: { next: () => 0 }, newId: () => `id_${++ids}` },
  })
  const newest = () => {
    const line = lines.at(-1)
    if (!line) throw new Error('No line was opened')
    return line
  }
  return {
    client,
    clock,
    lines,
    commands: () => newest().sent.flatMap(({ commandId }) => (commandId === undefined ? [] : [commandId])),
    tell: (frame: object) => newest().events.onText(JSON.stringify(frame)),
    welcome() {
      newest().events.onOpen()
      newest().events.onText(
        JSON.stringify({ type: 'welcome', protocol: PROTOCOL_VERSION, serverId: 's', userId: 'local' }),
      )
    },
  }
}

const GOODBYE = { type: 'goodbye', code: CLOSE.protocolError.code, retry: false }

function said(client: Client, text: string): string {
  return client.conversation('c').send([{ type: 'text', text }], 'turn')
}

test('[SYNC8] what no server takes is not sent: it is refused at once with its words, and what follows is sent', () => {
  const { client, welcome, commands } = clientAtHand()
  welcome()
  const long = said(client, 'x'.repeat(MAX_TEXT_LENGTH + 1))
  // Each of these is six characters on the line.
  const wide = said(client, '\u0001'.repeat(MAX_TEXT_LENGTH))
  const short = said(client, 'hello')
  expect(commands()).toEqual([short])
  const { refused, outbox } = client.conversation('c').getSnapshot()
  expect(refused.map(({ command, problem: { code } }) => [command.commandId, code])).toEqual([
    [long, 'too-large'],
    [wide, 'too-large'],
  ])
  expect(outbox.map(({ command }) => command.commandId)).toEqual([short])
})

test('[SYNC8] a line that ends for what was sent comes back without it, and its words are given back', () => {
  const { client, clock, lines, welcome, tell, commands } = clientAtHand()
  welcome()
  const taken = said(client, 'taken')
  tell({ type: 'accepted', commandId: taken, conversationId: 'c', seq: 4 })
  const ill = said(client, 'ill')
  tell(GOODBYE)
  expect(
    client
      .conversation('c')
      .getSnapshot()
      .refused.map(({ command }) => command.commandId),
  ).toEqual([ill])
  clock.advance(10_000)
  expect(lines).toHaveLength(2)
  welcome()
  expect(client.link.getSnapshot().type).toBe('live')
  expect(commands()).toEqual([taken])
})

test('[SYNC8] a server that ends every line is not asked for ever, and asked again when the person says so', () => {
  const { client, clock, lines, welcome, tell } = clientAtHand()
  for (let count = 0; count < 3; count += 1) {
    welcome()
    tell(GOODBYE)
    clock.advance(10_000)
  }
  expect(client.link.getSnapshot()).toEqual({ type: 'ended', reason: 'protocol-error' })
  expect(lines).toHaveLength(3)
  client.retryNow()
  expect(lines).toHaveLength(4)
})
