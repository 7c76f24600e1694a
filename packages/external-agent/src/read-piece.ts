import type { Clock } from '@holdfast/conversation'
import type { ModelPart } from '@holdfast/provider'
import { inputOf, toolNameOf } from './call-input.ts'
import type { HouseCall } from './house-calls.ts'
import { AGENT_LIMITS } from './parts/limits.ts'
import { type AgentCall, isOver, type Prompt, type PromptEnd } from './prompt.ts'

/** Where the parts of one answer go, with what was said of it so far. */
export interface PieceOutlets {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onPart: (part: ModelPart) => Promise<void> | undefined
  /** Names the call of the log that stands for one of the agent from here on. */
  readonly open: (call: AgentCall) => string
  /** Names the call of the log that one of a house tool is. */
  readonly openHouse: (call: HouseCall) => string
  /** Stands in the log for a plan; it has nothing to wait for. */
  readonly openPlan: () => string
  /** The folder that paths are told from; null for none. */
  readonly folder: string | null
}

/** Writes blocks, one after the other. */
export interface PieceWriter {
  said(as: 'text' | 'thinking', text: string): Promise<void>
  call(made: { readonly callId: string; readonly name: string; readonly inputText: string }): Promise<void>
  endBlock(): Promise<void>
  /** All text so far, and the calls. */
  written(): { readonly text: string; readonly calls: readonly { callId: string; name: string; inputText: string }[] }
}

/** Makes the writer of one answer. */
export function createPieceWriter(onPart: PieceOutlets['onPart']): PieceWriter {
  let block = -1
  let open: 'text' | 'thinking' | null = null
  let text = ''
  const calls: { callId: string; name: string; inputText: string }[] = []

  async function endBlock(): Promise<void> {
    if (open === null) return
    open = null
    await onPart({ type: 'block-ended', block })
  }

  return {
    endBlock,
    async said(as, words) {
      if (open !== as) {
        await endBlock()
        block += 1
        open = as
        await onPart({ type: 'block-started', block, start: { type: as } })
      }
      if (as === 'text') text += words
      await onPart({ type: 'block-delta', block, text: words })
    },
    async call(made) {
      await endBlock()
      block += 1
      calls.push(made)
      const { callId, name, inputText } = made
      await onPart({ type: 'block-started', block, start: { type: 'tool-call', callId, name } })
      await onPart({ type: 'block-delta', block, text: inputText })
      await onPart({ type: 'block-ended', block })
    },
    written: () => ({ text, calls }),
  }
}

/** What a piece of a prompt's stream ended with. */
export type PieceEnd =
  | { readonly type: 'calls' }
  | { readonly type: 'stopped' }
  | { readonly type: 'over'; readonly end: PromptEnd }

/**
 * Hands on what comes of a prompt until it makes calls, ends or is stopped. Calls are handed on together, once each of them
 * waits for a yes, has ended, or shows that it runs without a question. Those of house tools, which the agent waits for,
 * go first and by themselves. [AGENT1, AGENT6, AGENT42]
 */
export async function readPiece(prompt: Prompt, writer: PieceWriter, outlets: PieceOutlets): Promise<PieceEnd> {
  const { clock, signal } = outlets
  const gathered: AgentCall[] = []
  let lastAt = clock.monotonicMs()
  const house = createHouseWait(prompt, clock)
  for (;;) {
    if (signal.aborted) return { type: 'stopped' }
    const event = prompt.peek()
    const end = event === null ? prompt.ended() : null
    if (event?.type !== 'said' && house.msLeft() === 0) {
      prompt.putBack(gathered)
      await handOnHouse(prompt.house.takeWaiting(), writer, outlets)
      return { type: 'calls' }
    }
    if (event?.type === 'call') {
      prompt.take()
      lastAt = clock.monotonicMs()
      if (!gathered.includes(event.call)) gathered.push(event.call)
      continue
    }
    if (
      gathered.length > 0 &&
      (event !== null || end !== null || quietMsLeft(gathered, clock.monotonicMs() - lastAt) <= 0)
    ) {
      await handOn(gathered, writer, outlets)
      return { type: 'calls' }
    }
    if (event?.type === 'said') {
      prompt.take()
      await writer.said(event.as, event.text)
      continue
    }
    if (event?.type === 'plan') {
      prompt.take()
      await writer.call({
        callId: outlets.openPlan(),
        name: 'agent_plan',
        inputText: JSON.stringify({ steps: event.steps }),
      })
      return { type: 'calls' }
    }
    if (end !== null) {
      await writer.endBlock()
      return { type: 'over', end }
    }
    const quietMs = gathered.length === 0 ? null : quietMsLeft(gathered, clock.monotonicMs() - lastAt)
    await prompt.changes.next({ limitMs: house.msLeft() ?? quietMs, signal })
  }
}

/** What was said before a call of a house tool comes another way than the call, and a little later. */
function createHouseWait(prompt: Prompt, clock: Clock): { readonly msLeft: () => number | null } {
  let since: number | null = null
  return {
    /** Null while there is none. */
    msLeft() {
      since = prompt.house.hasWaiting() ? (since ?? clock.monotonicMs()) : null
      return since === null ? null : Math.max(0, since + AGENT_LIMITS.settledMs - clock.monotonicMs())
    },
  }
}

/** How much longer nothing has to come until calls are handed on. */
function quietMsLeft(calls: readonly AgentCall[], quietMs: number): number {
  return Math.max(...calls.map(patienceMs)) - quietMs
}

function patienceMs(call: AgentCall): number {
  if (call.permission !== null || isOver(call)) return AGENT_LIMITS.settledMs
  if (call.status !== 'pending') return AGENT_LIMITS.unaskedMs
  return isWritten(call) ? AGENT_LIMITS.unaskedPendingMs : AGENT_LIMITS.unwrittenMs
}

function isWritten({ rawInput, content, paths }: AgentCall): boolean {
  const hasInput = typeof rawInput === 'object' && rawInput !== null && Object.keys(rawInput).length > 0
  return hasInput || content.length > 0 || paths.length > 0
}

async function handOn(calls: readonly AgentCall[], writer: PieceWriter, { open, folder }: PieceOutlets): Promise<void> {
  for (const call of calls) {
    const inputText = JSON.stringify(inputOf(call, folder))
    await writer.call({ callId: open(call), name: toolNameOf(call), inputText })
  }
}

async function handOnHouse(
  calls: readonly HouseCall[],
  writer: PieceWriter,
  { openHouse }: PieceOutlets,
): Promise<void> {
  for (const call of calls) {
    const inputText = JSON.stringify(call.input)
    await writer.call({ callId: openHouse(call), name: call.name, inputText })
  }
}
