import type { Reply, ReplyPart } from '@holdfast/conformance'
import type { Entry, EntryType } from '@holdfast/conversation'
import type { LiveMessage } from '@holdfast/engine'
import { defineTool, type Tool } from '@holdfast/tool'
import * as z from 'zod'
import { until } from '../states/until.ts'
import { type Metered, PERSON } from './metered-engine.ts'
import { wordsOf } from './words.ts'

/** Deltas per second of an answer that is to be cut: slow enough to be met in the middle. */
const SLOW_DELTAS_PER_SECOND = 200
/** Characters of a block after which it counts as begun. */
const BEGUN_CHARS = 30
/** Deltas after which an answer counts as begun. */
const BEGUN_DELTAS = 3

/** What the acts of a conversation work with. */
export interface BillStage {
  readonly metered: Metered
  /** Number of the act, from 0. */
  readonly act: number
  /** What answers a title and a summary; an act may put another for its own time. */
  readonly beside: { title: Reply; summary: Reply }
  /** Says something that has not been said, and waits until all is quiet. */
  tell(...replies: readonly Reply[]): Promise<void>
  /** Says something, stops what follows in a moment, and waits until all is quiet. */
  stopAt(reached: Reached, ...replies: readonly Reply[]): Promise<void>
  /** Stops what runs, and waits until all is quiet. */
  stop(): Promise<void>
  /** A name for commands of the engine, with who gives them. */
  command(): { readonly commandId: string; readonly actor: typeof PERSON; readonly conversationId: string }
}

/** A moment of a turn. */
export type Reached =
  | { readonly type: 'block'; readonly of: 'thinking' | 'text' | 'tool-call'; readonly inSubAgent?: true }
  | { readonly type: 'entry'; readonly of: EntryType }
  /** The provider has one request more, and has answered nothing of it. */
  | { readonly type: 'request' }
  /** The provider writes the answer to one request more: for requests beside the turn, which are not shown as they come. */
  | { readonly type: 'answer' }

/** Puts up the stage for the next act. */
export function createStage(metered: Metered, act: number, beside: BillStage['beside']): BillStage {
  const { engine, provider, conversationId } = metered
  const command: BillStage['command'] = () => ({ commandId: metered.nextCommand(), actor: PERSON, conversationId })
  const stop: BillStage['stop'] = async () => {
    await engine.stopRun({ ...command(), runId: null, force: false })
    await quiet(metered)
  }
  const say = (): Promise<void> => metered.send(`Line ${act}. ${wordsOf(act, 30)}`)
  return {
    metered,
    act,
    beside,
    command,
    stop,
    async tell(...replies) {
      provider.script(...replies)
      await say()
      await quiet(metered)
    },
    async stopAt(reached, ...replies) {
      provider.script(...replies)
      const moment = whenReached(metered, reached)
      await say()
      await moment
      await stop()
    },
  }
}

/** Waits until nothing runs and the provider has seen the end of every request. */
export async function quiet(metered: Metered): Promise<void> {
  await metered.untilQuiet()
  await Promise.all(metered.provider.requests.map(({ done }) => done))
}

/** Resolves in the moment; it is listened for from now on. */
export function whenReached(metered: Metered, reached: Reached): Promise<void> {
  if (reached.type === 'request' || reached.type === 'answer') return whenProviderHas(metered, reached.type)
  const kinds = new Map<string, string>()
  let isThere = false
  const leave = metered.hear((message) => {
    isThere ||= isReached(message, { reached, kinds, conversationId: metered.conversationId })
  })
  return until(`a turn is in its ${reached.of}`, () => (isThere ? true : null)).then(leave, (error: unknown) => {
    leave()
    throw error
  })
}

async function whenProviderHas({ provider }: Metered, what: 'request' | 'answer'): Promise<void> {
  const before = provider.requests.length
  await until(`the provider has the ${what}`, () => {
    const request = provider.requests[before]
    return request && (what === 'request' || request.deltaMs.length > BEGUN_DELTAS) ? true : null
  })
}

interface Looking {
  readonly reached: Exclude<Reached, { type: 'request' | 'answer' }>
  /** Kinds of the blocks that have begun. */
  readonly kinds: Map<string, string>
  readonly conversationId: string
}

function isReached(message: LiveMessage, { reached, kinds, conversationId }: Looking): boolean {
  if (message.type === 'entries')
    return reached.type === 'entry' && message.entries.some((entry) => isOf(entry, reached.of))
  if (message.type !== 'delta' || reached.type !== 'block') return false
  const { stepId, block, start, offset, text } = message.delta
  const key = `${stepId}:${block}`
  if (start) kinds.set(key, start.type)
  const isThere = (message.conversationId === conversationId) === (reached.inSubAgent === undefined)
  // A call that comes whole is in the middle of its answer while words follow it.
  const isBegun = offset + text.length >= BEGUN_CHARS
  return isThere && isBegun && kinds.get(key) === reached.of
}

function isOf(entry: Entry, type: EntryType): boolean {
  return entry.type === type
}

/** Text of about so many tokens. */
export function words(act: number, tokens: number): ReplyPart {
  return { type: 'text', text: wordsOf(act + 50, tokens) }
}

/** Thinking of about so many tokens. */
export function thought(act: number, tokens: number): ReplyPart {
  return { type: 'thinking', text: wordsOf(act + 80, tokens) }
}

/** A call of a tool. */
export function call(name: string, input: Readonly<Record<string, string | number>>): ReplyPart {
  return { type: 'tool-call', name, input }
}

/** An answer that takes its time. */
export function slowly(...parts: readonly ReplyPart[]): Reply {
  return { parts, deltasPerSecond: SLOW_DELTAS_PER_SECOND }
}

/** A tool that reads, one that lasts until it is stopped, and one that nobody has allowed. */
export const BILL_TOOLS: readonly Tool[] = [
  defineTool({
    name: 'read_page',
    description: 'Reads a page.',
    input: z.object({ page: z.number(), why: z.string().optional() }),
    category: 'read',
    annotations: { readOnly: true },
    argumentRoles: { page: 'plain', why: 'plain' },
    run: ({ page }) => wordsOf(page, 120),
  }),
  defineTool({
    name: 'watch_harbour',
    description: 'Watches until it is told to stop.',
    input: z.object({ row: z.number() }),
    category: 'execute',
    annotations: { destructive: false },
    argumentRoles: { row: 'plain' },
    run: (_, { signal }) =>
      new Promise<string>((resolve) => {
        if (signal.aborted) resolve('Stopped.')
        signal.addEventListener('abort', () => resolve('Stopped.'), { once: true })
      }),
  }),
  defineTool({
    name: 'publish',
    description: 'Publishes a page for everybody.',
    input: z.object({ page: z.number() }),
    category: 'execute',
    annotations: { destructive: false, openWorld: false },
    argumentRoles: { page: 'plain' },
    run: ({ page }) => `Page ${page} is published.`,
  }),
]
