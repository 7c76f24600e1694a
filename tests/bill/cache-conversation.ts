import type { Reply, RequestRecord } from '@holdfast/conformance'
import { createTimeFact, type FactSource } from '@holdfast/engine'
import { defineTool } from '@holdfast/tool'
import * as z from 'zod'
import type { WireFormat } from '../states/wire-formats.ts'
import { openMetered, PERSON } from './metered-engine.ts'
import { wordsOf } from './words.ts'

/** How the facts that change are told, and how far the cache is asked for. */
export type CacheManner =
  /** As Holdfast does: notes in the conversation, and cache marks where the format has them. */
  | 'noted'
  /** As a plain loop does, the AI SDK's default among them: facts in the system text, and no marks. */
  | 'in-system'

/** A conversation to hold. */
export interface CacheConversation {
  readonly turnCount: number
  /** 60 turns need one checkpoint in 100,000. */
  readonly windowTokens: number
  readonly manner: CacheManner
}

/** What a conversation read from the provider's cache. */
export interface CacheFigures {
  readonly requestCount: number
  readonly promptTokens: number
  readonly readTokens: number
  /** What an ideal cache reads of the same prompts. */
  readonly idealReadTokens: number
  readonly checkpointCount: number
  readonly noteCount: number
  /** Requests that read less than the one before had made readable, and were not the first after a boundary. */
  readonly breaks: readonly string[]
  /** What the provider refused, which must be nothing. */
  readonly refusals: readonly string[]
}

const TURN_MS = 4 * 60_000
const BOARD_EVERY = 3
const MAX_OUTPUT_TOKENS = 4_000

/**
 * Holds a conversation of so many turns, four minutes apart, and reads from the provider's own records what its cache
 * gave. Every turn but each fourth calls tools in one or two steps; the time is noted as it passes and a board of facts
 * changes every third turn.
 *
 * *Ideal* is the sum, over all requests, of the longest beginning that a prompt shares to the byte with any of the 64
 * prompts before it: a cache without marks, minimum, steps and expiry. What a request is the first to say is not in
 * it, and what a checkpoint replaces is not either; so a prefix that is broken without need lowers both figures, and
 * `breaks` names it.
 */
export async function holdCacheConversation(
  format: WireFormat,
  { turnCount, windowTokens, manner }: CacheConversation,
): Promise<CacheFigures> {
  const board = createBoard()
  const time = createTimeFact({ timeZone: 'UTC' })
  const settings = { instructions: SYSTEM, parameters: { thinkingBudgetTokens: 2_048 } }
  const metered = await openMetered({
    format,
    windowTokens,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    settings: manner === 'noted' ? settings : { ...settings, cacheMode: 'off' },
    tools: [readTool, searchTool],
    allowedTools: ['read_page', 'search_notes'],
    facts: manner === 'noted' ? [time, board.source] : [],
    autoTitles: true,
  })
  const { provider, engine, clock, conversationId } = metered
  try {
    provider.when(({ body }) => lastWordsOf(body).includes('<title-request>'), { parts: [text('Rows of a ledger')] })
    provider.when(({ body }) => lastWordsOf(body).includes('<summary-request>'), { parts: [text(wordsOf(900, 800))] })
    for (let turn = 0; turn < turnCount; turn++) {
      if (turn % BOARD_EVERY === 0) board.set(wordsOf(turn, 120))
      if (manner === 'in-system') {
        const facts = `${new Date(clock.engine.now()).toISOString()}\n${board.text()}`
        const changes = { instructions: `${facts}\n\n${SYSTEM}` }
        await engine.changeSettings({ commandId: metered.nextCommand(), actor: PERSON, conversationId, changes })
      }
      provider.script(...repliesOf(turn))
      await metered.send(`Question ${turn}. ${wordsOf(turn, 90)}`)
      await metered.untilQuiet()
      clock.putForward(TURN_MS)
    }
    const log = await metered.log()
    const requests = await metered.requests()
    const problems = metered.faults.map(String)
    const isFirstAfter = (seq: number, conversation: string): boolean => {
      const before = log.findLast((entry) => entry.seq < seq && BOUNDARIES.has(entry.type))
      const earlier = requests.some(({ step }) => step.seq > (before?.seq ?? 0) && step.seq < seq)
      return conversation === conversationId && before !== undefined && !earlier
    }
    return {
      requestCount: requests.length,
      promptTokens: sum(requests.map(({ counted }) => promptOf(counted))),
      readTokens: sum(requests.map(({ counted }) => counted.usage?.cacheReadTokens ?? 0)),
      idealReadTokens: sum(requests.map(({ counted }) => counted.idealReadTokens ?? 0)),
      checkpointCount: log.filter(({ type }) => type === 'checkpoint-made').length,
      noteCount: log.filter(({ type }) => type === 'context-noted').length,
      breaks: requests.flatMap(({ step, counted }) => {
        const { cacheBreak, number } = counted
        if (cacheBreak === undefined || isFirstAfter(step.seq, step.conversationId)) return []
        return [`request ${number} lost ${cacheBreak.lostTokens} tokens: ${cacheBreak.reason} ${cacheBreak.path ?? ''}`]
      }),
      refusals: [...problems, ...requests.flatMap(({ counted }) => refusalOf(counted))],
    }
  } finally {
    await metered.close()
  }
}

const BOUNDARIES: ReadonlySet<string> = new Set([
  'checkpoint-made',
  'window-moved',
  'settings-changed',
  'tools-changed',
])

const SYSTEM = `You keep the ledgers of a harbour. ${wordsOf(500, 1_400)}`

const readTool = defineTool({
  name: 'read_page',
  description: `Reads a page of a ledger. ${wordsOf(600, 150)}`,
  input: z.object({ page: z.number() }),
  category: 'read',
  annotations: { readOnly: true },
  argumentRoles: { page: 'plain' },
  run: ({ page }) => wordsOf(page + 1_000, 700),
})

const searchTool = defineTool({
  name: 'search_notes',
  description: `Searches the notes of the harbour. ${wordsOf(601, 150)}`,
  input: z.object({ words: z.string() }),
  category: 'read',
  annotations: { readOnly: true },
  argumentRoles: { words: 'plain' },
  run: ({ words }) => wordsOf(words.length + 2_000, 500),
})

/** One to three steps; a step of calls thinks first and calls one or two tools. */
function repliesOf(turn: number): readonly Reply[] {
  const thinking = { type: 'thinking', text: wordsOf(turn + 3_000, 60) } as const
  const read = { type: 'tool-call', name: 'read_page', input: { page: turn } } as const
  const search = { type: 'tool-call', name: 'search_notes', input: { words: wordsOf(turn, 5) } } as const
  const calling: readonly Reply[] = [{ parts: [thinking, read, search] }, { parts: [thinking, text('More.'), read] }]
  return [...calling.slice(0, turn % 4 === 0 ? 0 : (turn % 2) + 1), { parts: [thinking, text(wordsOf(turn, 250))] }]
}

/** What stands on a board that everybody sees. */
function createBoard(): { readonly source: FactSource; text(): string; set(words: string): void } {
  let words = ''
  return {
    source: { section: 'canvas', budgetTokens: 500, textNow: async () => words },
    text: () => words,
    set(next) {
      words = next
    },
  }
}

function text(words: string): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text: words }
}

/** The end of a request's body, where its last message stands in every format. */
function lastWordsOf(body: unknown): string {
  return JSON.stringify(body).slice(-40_000)
}

function promptOf({ usage }: RequestRecord): number {
  if (usage === undefined) return 0
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWrite5mTokens + usage.cacheWrite1hTokens
}

function refusalOf({ number, status, violations }: RequestRecord): readonly string[] {
  if (status === 200) return []
  return [`request ${number} got ${status}: ${violations.map(({ rule, message }) => `${rule}: ${message}`).join('; ')}`]
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
