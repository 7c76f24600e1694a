import { ENTRY_TYPES } from '@holdfast/conversation'
import { arbitraryLog } from '@holdfast/conversation/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ClientFrame } from '../src/frames/client-frames.ts'
import { ProtocolError, parseFrame } from '../src/frames/parse-frame.ts'
import { ServerFrame, WireEntry } from '../src/frames/server-frames.ts'
import { Problem, problem } from '../src/parts/problem.ts'
import type { Route } from '../src/parts/route.ts'
import { API_PATH, SOCKET_PATH } from '../src/routes/own-routes.ts'
import { routes } from '../src/routes/routes.ts'

const clientFrames: readonly ClientFrame[] = [
  { type: 'hello', protocol: 1, clientId: 'tab_1' },
  { type: 'follow', conversationId: 'conversation_1', after: 0 },
  { type: 'follow', conversationId: 'conversation_1', after: 0, tail: 300 },
  { type: 'unfollow', conversationId: 'conversation_1' },
  { type: 'ping' },
  { type: 'terminal-open', terminalId: 't1', conversationId: 'c1', isNew: true, columns: 80, rows: 24 },
  { type: 'terminal-input', terminalId: 't1', text: 'ls\r' },
  { type: 'terminal-resize', terminalId: 't1', columns: 100, rows: 30 },
  { type: 'terminal-read', terminalId: 't1', through: 12 },
  { type: 'terminal-close', terminalId: 't1', ends: true },
  { type: 'command', name: 'create-conversation', commandId: 'command_1', title: 'A title' },
  {
    type: 'command',
    name: 'send-message',
    commandId: 'command_2',
    conversationId: 'conversation_1',
    content: [{ type: 'text', text: ' words \n' }],
    lane: 'turn',
  },
  {
    type: 'command',
    name: 'stop-run',
    commandId: 'command_3',
    conversationId: 'conversation_1',
    runId: 'run_1',
    force: true,
  },
]

test('[SYNC1] a client’s frame reads back as it was written', () => {
  for (const frame of clientFrames) expect(parseFrame(ClientFrame, JSON.stringify(frame), 10_000)).toEqual(frame)
})

test('[PRJ3] entries of every kind travel without a change', () => {
  fc.assert(
    fc.property(arbitraryLog, (entries) => {
      const frame = { type: 'entries', conversationId: 'conversation_1', entries }
      expect(parseFrame(ServerFrame, JSON.stringify(frame), 10_000_000)).toEqual(frame)
    }),
    { numRuns: 50 },
  )
  expect(ENTRY_TYPES.length).toBeGreaterThan(30)
})

test('[SEC5] whatever comes over the line is a frame or a protocol error', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.constantFrom(...clientFrames).map((frame) => JSON.stringify(frame).slice(1)),
      ),
      (text) => {
        try {
          parseFrame(ClientFrame, text, 1_000)
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError)
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('[SEC5] a frame over the limit is refused before it is read', () => {
  const text = JSON.stringify({ type: 'ping' })
  expect(() => parseFrame(ClientFrame, text, text.length - 1)).toThrow(
    `Frame of ${text.length} code units is over the limit of ${text.length - 1}`,
  )
  expect(parseFrame(ClientFrame, text, text.length)).toEqual({ type: 'ping' })
})

test('[SEC5] an error of the protocol says where the frame is wrong', () => {
  const text = JSON.stringify({ type: 'follow', conversationId: 'c', after: 1.5 })
  expect(() => parseFrame(ClientFrame, text, 1_000)).toThrow(/after/)
})

test('[LOG6] an entry of an unknown kind is refused', () => {
  const entry = { conversationId: 'c', seq: 1, at: 1, v: 1, type: 'something-newer', actor: { type: 'engine' } }
  expect(WireEntry.safeParse(entry).success).toBe(false)
})

test('[SEC1] the table names each address once, and says who may call it', () => {
  const addresses = Object.values<Route>(routes).map(({ method, path }) => `${method} ${API_PATH}${path}`)
  expect(new Set(addresses).size).toBe(addresses.length)
  for (const { access, path } of Object.values<Route>(routes)) {
    if (path.startsWith('/conversations/:id')) expect(access).toBe('owner')
  }
  expect(SOCKET_PATH).toBe('/api/v1/socket')
})

test('[SEC5] a problem has the form of RFC 9457 and a code', () => {
  expect(Problem.parse(problem(409, 'command-reused', 'Command c was used'))).toEqual({
    type: 'about:blank',
    title: 'Conflict',
    status: 409,
    code: 'command-reused',
    detail: 'Command c was used',
  })
})

test('[WS29] no terminal is larger than its bounds, nor without a place for a letter', () => {
  const opening = { type: 'terminal-open', terminalId: 't1', conversationId: 'c1', isNew: true }
  const resizing = { type: 'terminal-resize', terminalId: 't1' }
  for (const frame of [opening, resizing]) {
    const isFrame = (columns: number, rows: number) => ClientFrame.safeParse({ ...frame, columns, rows }).success
    expect(isFrame(400, 200)).toBe(true)
    expect(isFrame(401, 200)).toBe(false)
    expect(isFrame(400, 201)).toBe(false)
    expect(isFrame(1, 1)).toBe(false)
    expect(isFrame(2, 0)).toBe(false)
  }
})
