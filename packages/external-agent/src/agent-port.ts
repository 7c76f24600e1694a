import type { Clock } from '@holdfast/conversation'
import {
  type AskingTurn,
  type ModelFinish,
  type ModelPort,
  type ModelRequest,
  ProviderError,
  type RequestUsage,
  type StreamPorts,
} from '@holdfast/provider'
import { choiceIn } from './agent-choice.ts'
import { AgentFailure, type AgentFailureCode } from './agent-failure.ts'
import type { OpenPart } from './agent-tools.ts'
import { attachmentFor, together } from './attached.ts'
import type { PromptAnswer } from './connection.ts'
import type { Prompt, PromptEnd } from './prompt.ts'
import { createPieceWriter, type PieceWriter, readPiece } from './read-piece.ts'
import type { Seat } from './seat.ts'
import { answerItem, itemsOf, type SaidItem, spoken, tellingOf, untold } from './told.ts'
import { isNote } from './told-notes.ts'

/** What the port of an agent works with. */
export interface AgentPortDeps {
  readonly clock: Clock
  readonly providerId: string
  /** The seat at the conversation of a turn. @throws {ProviderError} for who may not use the agent. */
  readonly seatFor: (turn: AskingTurn) => Seat
  /** Names the call of the log that stands for a part of its prompt. */
  readonly openPart: (seat: Seat, part: OpenPart) => string
  /** Awaited before a prompt is sent. */
  readonly onBegin: (seat: Seat) => Promise<void>
  readonly onFinish: (seat: Seat) => void
  readonly notice: (conversationId: string, code: string, text: string) => void
}

/**
 * An agent as a model: a step is a piece of its prompt's stream, up to calls of its own tools, which the engine decides and
 * waits for like others. The prompt goes on in the next step. [AGENT1]
 */
export function createAgentPort(deps: AgentPortDeps): ModelPort {
  return {
    providerId: deps.providerId,
    takesTurnsOnly: true,
    async stream(request, ports) {
      const { turn, signal } = ports
      if (turn === undefined)
        throw new ProviderError(
          'bad-request',
          'An external agent answers turns of conversations, and nothing beside them',
          {},
        )
      const seat = deps.seatFor(turn)
      try {
        await answer(deps, { request, ports, turn, seat })
      } catch (error) {
        if (signal.aborted) return
        throw error instanceof AgentFailure ? toProviderError(error) : error
      }
    },
  }
}

interface Answering {
  readonly request: ModelRequest
  readonly ports: StreamPorts
  readonly turn: AskingTurn
  readonly seat: Seat
}

async function answer(deps: AgentPortDeps, answering: Answering): Promise<void> {
  const { request, ports, seat } = answering
  const { signal, onPart } = ports
  const items = itemsOf(request.messages)
  const writer = createPieceWriter(onPart)
  await onPart({ type: 'usage', usage: NOTHING })
  let prompt = await goOnOrBegin(deps, answering, items)
  for (;;) {
    if (prompt === null) return
    const open = prompt
    const piece = await readPiece(open, writer, {
      clock: deps.clock,
      signal,
      onPart,
      folder: seat.folder,
      open: (call) => deps.openPart(seat, { type: 'call', call, prompt: open }),
      openHouse: (call) => deps.openPart(seat, { type: 'house-call', call }),
      openPlan: () => deps.openPart(seat, { type: 'plan' }),
    })
    switch (piece.type) {
      case 'stopped':
        return seat.stop(open)
      case 'calls':
        seat.setTold(toldBy(items, writer))
        await onPart({ type: 'usage', usage: NOTHING })
        await onPart({ type: 'finish', finish: 'tool-calls' })
        return
      case 'over': {
        const next = await afterEnd(deps, { ...answering, items, writer, open, end: piece.end })
        if (next === null) return
        prompt = next
        if (signal.aborted) return seat.stop(next)
      }
    }
  }
}

/** The open prompt of this turn, or a new one with what the session has not been told. */
async function goOnOrBegin(
  deps: AgentPortDeps,
  { turn, seat, request, ports }: Answering,
  items: readonly SaidItem[],
): Promise<Prompt | null> {
  const open = seat.prompt()
  const forbidden = open?.runId === turn.runId ? open.forbidden() : null
  if (open !== null && forbidden === null && open.runId === turn.runId) {
    await tellUsage(seat, ports)
    // A call that was shown and has settled without running was denied.
    open.rejectShown()
    answerHouse(open, request.messages)
    const since = untold(seat.told() ?? [], items) ?? []
    open.saidMeanwhile.push(...since.filter((item) => item.role === 'person' && !isNote(item)))
    seat.setTold(items.map(({ key }) => key))
    return open
  }
  if (open !== null) await seat.stop(open)
  await seat.ready(choiceIn(turn.settings), ports.signal)
  if (ports.signal.aborted) return null
  let rest = untold(seat.told() ?? [], items)
  if (rest === null) {
    await seat.forget()
    await seat.ready(choiceIn(turn.settings), ports.signal)
    if (ports.signal.aborted) return null
    rest = items
  }
  if (forbidden !== null) rest = [...rest, forbiddenItem(forbidden)]
  await tellUsage(seat, ports)
  return begin(
    deps,
    { turn, seat, ports },
    { rest, items, instructions: (seat.told() ?? []).length === 0 ? request.system : '' },
  )
}

/** What became of its calls of house tools the agent is told as a model would be, denials too. [AGENT42] */
function answerHouse({ house }: Prompt, messages: ModelRequest['messages']): void {
  for (const message of messages) {
    if (message.role !== 'tool') continue
    const { callId, content, isError } = message
    house.answer(callId, {
      text: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
      isError,
    })
  }
}

/** What was begun unasked although a rule forbids it was stopped; the agent goes on without it. [AGENT36] */
function forbiddenItem(title: string): SaidItem {
  const text = `You were stopped: a rule of this conversation forbids "${title}". Do not do that, nor the same in another way. Go on without it.`
  return { ...spoken(text), key: `forbidden:${title}` }
}

/** From here on a stopped step has cost what nobody told, unless the gateway counts it. */
async function tellUsage(seat: Seat, { onPart }: StreamPorts): Promise<void> {
  await onPart({ type: 'usage', usage: seat.isMetered() ? NOTHING : UNTOLD })
}

interface Begun {
  readonly rest: readonly SaidItem[]
  readonly items: readonly SaidItem[]
  readonly instructions: string
}

async function begin(
  deps: AgentPortDeps,
  { turn, seat, ports: { blobs } }: Pick<Answering, 'turn' | 'seat' | 'ports'>,
  { rest, items, instructions }: Begun,
): Promise<Prompt> {
  const taken = seat.taken()
  const telling = await tellingOf(rest, { instructions, sent: (part) => attachmentFor(part, { blobs, taken }) })
  if (telling.isHistory)
    deps.notice(
      turn.conversationId,
      'external-agent-told',
      `${seat.agent.name} was told what had been said here without it: ${rest.filter((item) => item.role !== 'tool' && !isNote(item)).length} messages, as quotes.`,
    )
  await deps.onBegin(seat)
  const prompt = seat.begin(turn.runId, together(telling.blocks, taken))
  prompt.beside.push(...rest.filter(({ key }) => items.every((item) => item.key !== key)))
  seat.setTold(items.map(({ key }) => key))
  return prompt
}

interface Ended extends Answering {
  readonly items: readonly SaidItem[]
  readonly writer: PieceWriter
  readonly open: Prompt
  readonly end: PromptEnd
}

/** @returns the prompt that the step goes on with; null where it has come to its end. */
async function afterEnd(deps: AgentPortDeps, ended: Ended): Promise<Prompt | null> {
  const { turn, seat, ports, items, writer, open, end } = ended
  const wasStopped = seat.wasStopped()
  if (end.type === 'failed') {
    seat.finish(open)
    deps.onFinish(seat)
    if (!(end.error instanceof AgentFailure) || end.error.code !== 'gone') await seat.forget()
    throw end.error
  }
  const { answer: given } = end
  // A prompt behind a stopped one that ends with nothing was swallowed: it is sent again, once. [AGENT7]
  const isSwallowed = wasStopped && given.stopReason === 'end_turn' && !open.wasHeard()
  seat.finish(open)
  if (isSwallowed) {
    deps.notice(
      turn.conversationId,
      'external-agent-again',
      `${seat.agent.name} did not take the message after the stop. It was sent again.`,
    )
    await seat.forget()
    await seat.ready(choiceIn(turn.settings), ports.signal)
    if (ports.signal.aborted) return null
    return begin(
      deps,
      { turn, seat, ports },
      { rest: [...items, ...open.beside], items, instructions: ended.request.system },
    )
  }
  deps.onFinish(seat)
  if (open.saidMeanwhile.length > 0 && given.stopReason !== 'cancelled')
    return begin(deps, { turn, seat, ports }, { rest: open.saidMeanwhile, items, instructions: '' })
  seat.setTold(toldBy(items, writer))
  const usage = usageOf(seat, given)
  if (usage !== null) await ports.onPart({ type: 'usage', usage })
  await ports.onPart({ type: 'finish', finish: finishOf(given.stopReason) })
  return null
}

function toldBy(items: readonly SaidItem[], writer: PieceWriter): readonly string[] {
  const { text, calls } = writer.written()
  const keys = items.map(({ key }) => key)
  return text === '' && calls.length === 0 ? keys : [...keys, answerItem(text, calls).key]
}

/** What the gateway counts, or the end of the prompt: a piece that ends with calls is no request of its own. [AGENT13] */
const NOTHING: RequestUsage = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheCreation5mTokens: 0,
  cacheCreation1hTokens: 0,
  outputTokens: 0,
  thinkingTokens: 0,
  by: 'gateway',
}

const UNTOLD: RequestUsage = {
  inputTokens: null,
  cacheReadTokens: 0,
  cacheCreation5mTokens: 0,
  cacheCreation1hTokens: 0,
  outputTokens: null,
  thinkingTokens: 0,
}

/** What the agent says, nothing where the gateway counts it, and null where nobody knows. [AGENT13] */
function usageOf(seat: Seat, { usage }: PromptAnswer): RequestUsage | null {
  if (seat.isMetered()) return NOTHING
  if (usage === null) return null
  const { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens, thinkingTokens } = usage
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheCreation5mTokens: cacheCreationTokens,
    cacheCreation1hTokens: 0,
    thinkingTokens,
    by: 'agent',
  }
}

function finishOf(stopReason: string): ModelFinish {
  if (stopReason === 'max_tokens') return 'length'
  return stopReason === 'refusal' ? 'refused' : 'end'
}

const CODES: Readonly<Record<AgentFailureCode, ProviderError['code']>> = {
  'cannot-start': 'model-missing',
  'sign-in': 'auth',
  gone: 'bad-request',
  refused: 'bad-request',
}

/** Nothing is tried again by itself: an agent that failed may have done something. A person says so. */
function toProviderError(failure: AgentFailure): ProviderError {
  return new ProviderError(CODES[failure.code], failure.message, { cause: failure })
}
