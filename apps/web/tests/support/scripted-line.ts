import { type Entry, type NewEntry, noTotals, overview, placeEntry } from '@holdfast/conversation'
import {
  ClientFrame,
  type LedgerAnswer,
  MAX_CLIENT_FRAME_LENGTH,
  parseFrame,
  type ServerFrame,
} from '@holdfast/protocol'
import type { BrowserContext, WebSocketRoute } from 'playwright-core'

export const SCRIPTED_ID = 'conversation_scripted'

type Command = Extract<ClientFrame, { type: 'command' }>

/** A server's end of the socket that says what the test tells it to: every state of a run can be shown. */
export interface ScriptedLine {
  readonly log: readonly Entry[]
  /** What the page has asked for, oldest first. */
  readonly commands: readonly Command[]
  append(entries: readonly NewEntry[]): void
  /** Streams words of the first block of a step. */
  say(stepId: string, words: string): void
  send(frame: ServerFrame): void
}

/** What the scripted server says of the context of its conversation. */
export const SCRIPTED_USE = {
  modelId: 'acme/large',
  usedTokens: 92_118,
  reservedTokens: 24_000,
  windowTokens: 200_000,
  percent: 46,
  measured: true,
  heldBy: 'conversation',
  breakdown: {
    system: 3_204,
    tools: { '': 4_032, github: 9_870 },
    categories: { messages: 48_601, 'tool-results': 24_096, summary: 1_903, canvas: 412 },
  },
  level: 'calm',
  thinkingLeftOutSeqs: [],
} as const

/** What the scripted server says the next message costs. */
const SCRIPTED_PRICE = {
  modelId: 'acme/large',
  priceReference: 'list',
  price: {
    now: { ...priceOf(92_300, 90_000), promptUsd: 0.034, usd: { low: 0.05, high: 0.09 } },
    cold: { ...priceOf(92_300, 0), promptUsd: 0.34, usd: { low: 0.36, high: 0.4 } },
    cache: { state: 'cold', keptTokens: 90_000, warmUntil: { '5m': 0, '1h': null }, keptToSeq: null },
  },
  isSummaryDue: false,
  change: null,
} as const

const SCRIPTED_LEDGER: LedgerAnswer = {
  total: noTotals,
  own: noTotals,
  subAgents: noTotals,
  subAgentCosts: [],
  wrongTotals: [],
  byModel: {},
  byPurpose: {},
  cacheLosses: { breakCount: 0, lostTokens: 0, lostUsd: 0, unpricedCount: 0, newest: [] },
  records: [],
  next: null,
}

function priceOf(promptTokens: number, cacheReadTokens: number) {
  const written = { cacheCreation5mTokens: promptTokens - cacheReadTokens, cacheCreation1hTokens: 0 }
  return { promptTokens, inputTokens: 0, cacheReadTokens, ...written, outputTokens: { low: 100, high: 900 } }
}

/** Takes the place of the server's socket in every tab of the context. `at` places the entries in time. */
export async function scriptLine(context: BrowserContext, at: () => number): Promise<ScriptedLine> {
  const log: Entry[] = []
  const commands: Command[] = []
  const followers = new Set<WebSocketRoute>()
  const said = new Map<string, string>()

  function sendAll(frame: ServerFrame): void {
    for (const socket of followers) socket.send(JSON.stringify(frame))
  }

  await context.route(new RegExp(`/conversations/${SCRIPTED_ID}/context$`), (route) =>
    route.fulfill({ json: SCRIPTED_USE }),
  )
  await context.route(new RegExp(`/conversations/${SCRIPTED_ID}/ledger\\?`), (route) =>
    route.fulfill({ json: SCRIPTED_LEDGER }),
  )
  await context.route(new RegExp(`/conversations/${SCRIPTED_ID}/price$`), (route) =>
    route.fulfill({ json: SCRIPTED_PRICE }),
  )
  await context.route(new RegExp(`/conversations/${SCRIPTED_ID}/permissions/[^/]+/preview$`), (route) =>
    route.fulfill({ json: { folder: '/home/ann/signup', before: null } }),
  )
  await context.route(new RegExp(`/conversations/${SCRIPTED_ID}/composer$`), (route) =>
    route.fulfill({ json: { content: [], version: 0 } }),
  )
  await context.route(new RegExp(`/conversations/${SCRIPTED_ID}/entries\\?`), (route) => {
    const query = new URL(route.request().url()).searchParams
    const before = Number(query.get('before'))
    const entries = log.slice(Math.max(0, before - 1 - Number(query.get('limit'))), before - 1)
    return route.fulfill({ json: { entries, head: log.length } })
  })
  await context.routeWebSocket(/\/api\/v1\/socket/, (socket) => {
    const send = (frame: ServerFrame) => socket.send(JSON.stringify(frame))
    socket.onClose(() => followers.delete(socket))
    socket.onMessage((message) => {
      const frame = parseFrame(ClientFrame, String(message), MAX_CLIENT_FRAME_LENGTH)
      switch (frame.type) {
        case 'hello':
          send({ type: 'welcome', protocol: 1, serverId: 'server_scripted', userId: 'local' })
          return
        case 'follow': {
          followers.add(socket)
          const { conversationId } = frame
          const isLong = frame.tail !== undefined && log.length - frame.after > frame.tail
          const after = isLong ? log.length - (frame.tail ?? 0) : frame.after
          if (isLong) {
            send({
              type: 'overview',
              conversationId,
              overview: overview.reduce(overview.initial, log),
              from: after + 1,
            })
          }
          send({ type: 'entries', conversationId, entries: log.slice(after) })
          for (const [stepId, text] of said) {
            const blocks = [{ start: { type: 'text' as const }, text, complete: false }]
            send({ type: 'draft', conversationId, stepId, blocks, offset: text.length })
          }
          send({ type: 'caught-up', conversationId, head: log.length })
          return
        }
        case 'unfollow':
          followers.delete(socket)
          return
        case 'terminal-open':
        case 'terminal-input':
        case 'terminal-read':
        case 'terminal-resize':
        case 'terminal-close':
          throw new Error('This server has no terminals')
        case 'ping':
          send({ type: 'pong' })
          send({ type: 'caught-up', conversationId: SCRIPTED_ID, head: log.length })
          return
        case 'command':
          commands.push(frame)
          // Its entry is the next one that the test appends.
          send({ type: 'accepted', commandId: frame.commandId, conversationId: SCRIPTED_ID, seq: log.length + 1 })
      }
    })
  })

  return {
    log,
    commands,
    append(entries) {
      const placed = entries.map((entry, index) =>
        placeEntry(entry, { conversationId: SCRIPTED_ID, seq: log.length + index + 1, at: at() }),
      )
      log.push(...placed)
      sendAll({ type: 'entries', conversationId: SCRIPTED_ID, entries: placed })
    },
    say(stepId, words) {
      const before = said.get(stepId) ?? ''
      said.set(stepId, before + words)
      const start = before === '' ? { start: { type: 'text' as const } } : {}
      const place = { stepId, block: 0, offset: before.length }
      sendAll({ type: 'delta', conversationId: SCRIPTED_ID, ...place, text: words, ...start })
    },
    send: sendAll,
  }
}
