import { CLOSE, PROTOCOL_VERSION, type ServerFrame } from '@holdfast/protocol'
import { expect, test } from 'vitest'
import { createLink, type LinkState } from '../src/link/link.ts'
import type { LineEvents } from '../src/link/transport.ts'
import { createManualClock } from './support/manual-clock.ts'

/** A link whose lines the test holds in its hand. */
function linkAtHand(random: () => number) {
  const clock = createManualClock()
  const lines: { events: LineEvents; sent: unknown[]; closed: boolean }[] = []
  const states: LinkState[] = []
  const frames: ServerFrame[] = []
  const openedAt: number[] = []
  const link = createLink({
    transport: {
      open(events) {
        const line = { events, sent: [] as unknown[], closed: false }
        lines.push(line)
        openedAt.push(clock.now())
        return {
          send: (text) => void line.sent.push(JSON.parse(text)),
          close() {
            line.closed = true
          },
        }
      },
    },
    clock,
    random: { next: random },
    clientId: 'tab_1',
    onState: (state) => void states.push(state),
    onFrame: (frame) => void frames.push(frame),
    onBeat: () => {},
  })
  const newest = () => {
    const line = lines.at(-1)
    if (!line) throw new Error('No line was opened')
    return line
  }
  function welcome() {
    newest().events.onOpen()
    newest().events.onText(
      JSON.stringify({ type: 'welcome', protocol: PROTOCOL_VERSION, serverId: 's', userId: 'local' }),
    )
  }
  const lose = () => newest().events.onClose({ code: null, unauthorized: false })
  return { clock, lines, states, frames, link, newest, welcome, lose, openedAt }
}

test('[SYNC1] says hello first, and is live when it is welcome', () => {
  const { newest, welcome, link } = linkAtHand(() => 0.5)
  expect(link.getState()).toEqual({ type: 'connecting', attempt: 1 })
  welcome()
  expect(newest().sent).toEqual([{ type: 'hello', protocol: PROTOCOL_VERSION, clientId: 'tab_1' }])
  expect(link.getState().type).toBe('live')
})

test('[SYNC3] comes back later and later, up to a limit, and spread by chance', () => {
  const delaysOf = (chance: number) => {
    const { clock, lose, openedAt } = linkAtHand(() => chance)
    for (let attempt = 0; attempt < 8; attempt += 1) {
      lose()
      const before = openedAt.length
      for (let waited = 0; openedAt.length === before && waited < 20_000; waited += 50) clock.advance(50)
    }
    return openedAt.slice(1).map((at, index) => at - (openedAt[index] ?? 0))
  }
  const [early, late] = [delaysOf(0), delaysOf(0.99)]
  expect(early).toEqual([500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 5_000])
  for (const [index, delay] of late.entries()) {
    expect(delay).toBeGreaterThan((early[index] ?? 0) * 1.8)
    expect(delay).toBeLessThanOrEqual(10_000)
  }
})

test('[SYNC3] gives up a line that does not answer, and a new one that is not welcome in time', () => {
  const { clock, welcome, newest, lines, link } = linkAtHand(() => 0)
  welcome()
  clock.advance(15_000)
  expect(newest().sent.at(-1)).toEqual({ type: 'ping' })
  newest().events.onText('{"type":"pong"}')
  clock.advance(15_000)
  expect(link.getState().type).toBe('live')
  clock.advance(10_000)
  expect(link.getState().type).toBe('waiting')
  expect(lines[0]?.closed).toBe(true)
  clock.advance(250)
  expect(lines).toHaveLength(2)
  clock.advance(10_000)
  expect(lines[1]?.closed).toBe(true)
})

test('[SYNC1] frames of a line that was given up change nothing', () => {
  const { clock, welcome, lines, frames, lose } = linkAtHand(() => 0)
  welcome()
  lose()
  clock.advance(1_000)
  welcome()
  lines[0]?.events.onText('{"type":"caught-up","conversationId":"c","head":1}')
  expect(frames).toEqual([])
})

test('[SYNC5] does not come back when the server speaks another version, and says so', () => {
  const { clock, newest, lines, link } = linkAtHand(() => 0)
  newest().events.onOpen()
  newest().events.onText(JSON.stringify({ type: 'goodbye', code: CLOSE.otherProtocol.code, retry: false }))
  expect(link.getState()).toEqual({ type: 'ended', reason: 'other-protocol' })
  clock.advance(60_000)
  expect(lines).toHaveLength(1)
})

test('[SEC2] does not knock again when the server does not know it', () => {
  const { clock, newest, lines, link } = linkAtHand(() => 0)
  newest().events.onClose({ code: null, unauthorized: true })
  expect(link.getState()).toEqual({ type: 'ended', reason: 'unauthorized' })
  clock.advance(60_000)
  expect(lines).toHaveLength(1)
})

test('[SEC5] ends at what is no frame', () => {
  const { welcome, newest, link } = linkAtHand(() => 0)
  welcome()
  newest().events.onText('{"type":"entries"}')
  expect(link.getState()).toEqual({ type: 'ended', reason: 'protocol-error' })
})

test('[SYNC3] tries at once when it is told to', () => {
  const { lose, lines, link } = linkAtHand(() => 0)
  lose()
  link.retryNow()
  expect(lines).toHaveLength(2)
  link.retryNow()
  expect(lines).toHaveLength(2)
})

test('[SYNC3] asks a line that seems to be there at once, and gives it up soon where nothing comes', () => {
  const { welcome, clock, newest, lines, link } = linkAtHand(() => 0)
  welcome()
  link.retryNow()
  expect(newest().sent.at(-1)).toEqual({ type: 'ping' })
  newest().events.onText(JSON.stringify({ type: 'pong' }))
  clock.advance(5_000)
  expect(link.getState().type).toBe('live')
  link.retryNow()
  clock.advance(2_500)
  expect(link.getState().type).toBe('waiting')
  clock.advance(500)
  expect(lines).toHaveLength(2)
})
