import { boundariesBetween, boundariesOf, canonicalText, validateRequest } from '@holdfast/context'
import type { Entry, EntryLog, EntryOf } from '@holdfast/conversation'
import type { ModelRequest } from '@holdfast/provider'
import type { ModelChoice } from '../../../src/api/ports.ts'
import { receiptOf } from '../../../src/preview/receipt.ts'
import { sha256 } from '../parts/sha256.ts'
import type { Violate } from './violation.ts'

/** What the wire formats refuse. Given by whoever can speak them. */
export interface FormatChecks {
  /** What the format of the model refuses in the request as its adapter writes it; empty when it takes it. */
  ofModel(request: ModelRequest): readonly string[]
  /** Whether the model would refuse to think as it is asked to: the engine finds out by asking. [RUN13] */
  refusesThinking(request: ModelRequest): boolean
  /** What any format that there is refuses in the request, without thinking. */
  ofAll(request: ModelRequest): Promise<readonly string[]>
}

/** A step that was written down. */
interface AnnouncedStep {
  readonly entry: EntryOf<'step-started'>
  /** Its request as it was made, or null. */
  text: string | null
  /** When anything was heard of it last, in virtual milliseconds. */
  heardMs: number
}

/** A request as it was made. */
export interface MadeRequest {
  readonly request: ModelRequest
  readonly replica: string
  readonly hash: string
}

/** The requests of one log. */
export interface RequestRules {
  take(entry: Entry): void
  /** The step of a request that nobody has made yet; null when none announces it. */
  announced(made: MadeRequest): EntryOf<'step-started'> | null
  /** Checks a request of an announced step. */
  made(stepId: string, made: MadeRequest): Promise<void>
  /** Something came in answer to the request of a step. */
  heard(stepId: string): void
  /** How many were made. */
  count(): number
  last(): ModelRequest | null
}

/** Checks every request: announced, built from the durable log alone, valid, and grown out of the one before. */
export function createRequestRules(parts: {
  readonly conversationId: string
  readonly violate: Violate
  readonly entries: readonly Entry[]
  /** The words that people sent on the path before an entry, oldest first. */
  readonly wordsBefore: (seq: number) => readonly string[]
  /** The version of the canvas after an entry. */
  readonly canvasVersionAt: (seq: number) => number
  readonly formats: FormatChecks
  readonly models: () => readonly ModelChoice[]
  readonly nowMs: () => number
}): RequestRules {
  const { conversationId, violate, entries, wordsBefore, canvasVersionAt, formats, models, nowMs } = parts
  const steps: AnnouncedStep[] = []
  let last: ModelRequest | null = null

  async function isBuiltFromLog({ entry }: AnnouncedStep, text: string): Promise<void> {
    const model = models().find(({ modelId }) => modelId === entry.modelId)
    if (!model) {
      violate('RUN13', `Step ${entry.stepId} asks ${entry.modelId}, which does not exist`)
      return
    }
    const receipt = await receiptOf(
      { store: readerOf(entries), models, sha256 },
      { conversationId, stepId: entry.stepId },
    )
    if (!receipt?.isExact || receipt.request === null || canonicalText(receipt.request) !== text)
      violate(
        entry.purpose === 'turn' ? 'REQ1' : 'RUN17',
        `The request of step ${entry.stepId} is not what the log up to ${entry.seq - 1} gives`,
      )
  }

  /** A limit on silence counts the time that really passed since the last event. [RUN6] */
  function fellSilent({ stepId, seq, error }: EntryOf<'step-failed'>): void {
    const seconds = /sent nothing for (\d+) seconds/.exec(error.message)?.[1]
    const step = steps.find(({ entry }) => entry.stepId === stepId)
    if (seconds === undefined || !step) return
    const silentMs = nowMs() - step.heardMs
    if (silentMs < Number(seconds) * 1_000 - 1)
      violate('RUN6', `Step ${stepId} was given up for silence at ${seq}, ${silentMs} ms after its last event`)
  }

  function growsOutOfTheLast({ entry }: AnnouncedStep, text: string): void {
    const last = steps.findLast(
      (other) => other.text !== null && other.entry.purpose === 'turn' && other.entry.seq < entry.seq,
    )
    if (!last?.text || entry.purpose !== 'turn') return
    const range = { afterSeq: last.entry.seq, toSeq: entry.seq }
    if (boundariesBetween(boundariesOf(entries.slice(0, entry.seq)), range).length > 0) return
    if (!text.startsWith(last.text))
      violate('REQ5', `The request of step ${entry.stepId} does not begin with that of ${last.entry.stepId}`)
  }

  /** A request has the words of the path that no summary and no window leaves out, all and no others. [PRJ6, WIN8] */
  function saysThePath({ entry }: AnnouncedStep, { messages }: ModelRequest): void {
    if (entry.purpose !== 'turn') return
    const sent = messages.flatMap((message) =>
      message.role === 'user' ? message.parts.flatMap((part) => (part.type === 'text' ? wordsIn(part.text) : [])) : [],
    )
    const wanted = wordsBefore(entry.seq).flatMap(wordsIn)
    if (JSON.stringify(sent) !== JSON.stringify(wanted))
      violate('PRJ6', `The request of step ${entry.stepId} says ${sent.join(', ')}; the path says ${wanted.join(', ')}`)
  }

  /** What the model knows of the canvas is not older than its turn, and never newer than the log. [REQ6, CANVAS3] */
  function tellsTheCanvas({ entry }: AnnouncedStep, text: string): void {
    if (entry.purpose !== 'turn') return
    const begun = entries.find((other) => other.type === 'run-started' && other.runId === entry.runId)
    const least = canvasVersionAt(begun?.seq ?? 0)
    const told = Number([...text.matchAll(/Canvas, version (\d+)/g)].at(-1)?.[1] ?? 0)
    if (told < least || told > canvasVersionAt(entry.seq))
      violate('REQ6', `The request of step ${entry.stepId} tells version ${told} of the canvas, which has ${least}`)
  }

  return {
    take(entry) {
      if (entry.type === 'step-started') steps.push({ entry, text: null, heardMs: nowMs() })
      if (entry.type === 'step-failed') fellSilent(entry)
    },
    heard(stepId) {
      const step = steps.find(({ entry }) => entry.stepId === stepId)
      if (step) step.heardMs = nowMs()
    },
    announced({ hash, replica }) {
      const open = steps.filter(({ entry, text }) => text === null && entry.requestHash === hash)
      return (open.find(({ entry }) => entry.stepId.includes(`_${replica}_`)) ?? open[0])?.entry ?? null
    },
    count: () => steps.filter(({ text }) => text !== null).length,
    last: () => last,
    async made(stepId, { request }) {
      last = request
      const step = steps.find(({ entry }) => entry.stepId === stepId)
      if (!step) return
      const text = canonicalText(request)
      for (const { text: words } of validateRequest(request)) violate('REQ1', `Step ${stepId}: ${words}`)
      for (const words of formats.ofModel(request)) violate('REQ2', `Step ${stepId} is refused: ${words}`)
      growsOutOfTheLast(step, text)
      saysThePath(step, request)
      tellsTheCanvas(step, text)
      step.text = text
      await isBuiltFromLog(step, text)
    },
  }
}

/** What people of the simulation write, each time something else. */
function wordsIn(text: string): string[] {
  return text.match(/(?:Message|Rewritten|Instead) command_\d+/g) ?? []
}

/** A log as a store gives it. */
function readerOf(entries: readonly Entry[]): Pick<EntryLog, 'read'> {
  const head = entries.length
  return {
    read: async ({ after, before, limit }) =>
      before === undefined
        ? { entries: entries.slice(after, after + limit), head }
        : { entries: entries.slice(Math.max(0, before - 1 - limit), before - 1), head },
  }
}
