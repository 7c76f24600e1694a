import {
  type ActivePath,
  activePath,
  addTotals,
  type InputPart,
  isInRanges,
  type LedgerTotals,
  ledger,
  type NewEntry,
  noTotals,
  pathRanges,
  placeEntry,
} from '@holdfast/conversation'
import type { NoteSkip } from '../import/skip.ts'
import type { ArchiveBlobs } from './archive-blobs.ts'
import { cleanTitle } from './bounded.ts'
import type { SourceIds } from './ids-of.ts'
import {
  type DatedEntry,
  giveResult,
  growStep,
  hasOpenCalls,
  type PendingStep,
  pendingStep,
  stepEntries,
  stepStart,
} from './pending-step.ts'
import type { LogView, SourceEvent } from './source-event.ts'
import { inputParts, resultParts } from './write-parts.ts'

/** What a writer needs beside the events. */
export interface LogWriterDeps {
  readonly ids: SourceIds
  readonly ownerId: string
  readonly format: string
  readonly blobs: ArchiveBlobs
  /** When a source names no time, in milliseconds since the Unix epoch. */
  readonly importedAt: number
  readonly note: NoteSkip
}

/**
 * Turns what another program's log says into entries that the engine could have written: one run for each exchange,
 * one outcome for each call, one end for each run, and a path that goes back only to the ends of exchanges. [RUN1, TOOL2, PRJ6]
 */
export interface LogWriter extends LogView {
  write(event: SourceEvent): Promise<void>
  /** Closes what is open. */
  close(): void
  /** Counts an entry that stands in the log at this place and does not come from the source. */
  pass(entry: NewEntry): void
  /** What was written since it was last asked. */
  take(): DatedEntry[]
}

interface OpenRun {
  readonly runId: string
  /** Whether the last thing that a request would hold is an answer: then the next request needs something said. */
  endsWithAnswer: boolean
  /** Why it would end now. */
  ending: 'completed' | 'stopped' | 'failed' | 'interrupted'
  reason: string | null
}

/** An input that was said while calls were open: whether it joined the run or began the next shows only later. */
interface HeldInput {
  readonly at: number
  readonly content: InputPart[]
  readonly by: 'person' | 'program'
  readonly mark: number
}

/** What stands for the input where a log begins with an answer. */
const NOTHING_SAID = '(The imported log holds no message before this answer.)'
/** What stands between two answers that a program let its model give one after the other. */
const WENT_ON = '(The other program let its model go on by itself.)'
const STOP_MARKER =
  'The person stopped your reply above before it ended. What stands there is all of it that was shown.'

/** Makes the writer of one conversation. Nothing is written before the first event. */
export function createLogWriter(deps: LogWriterDeps): LogWriter {
  const { ids, ownerId, format, importedAt, note } = deps
  const engine = { type: 'engine' } as const
  const person = { type: 'person', userId: ownerId } as const
  let written: DatedEntry[] = []
  let head = 0
  let lastAt: number | null = null
  let path: ActivePath = activePath.initial
  let totals: LedgerTotals = noTotals
  let run: OpenRun | null = null
  let step: PendingStep | null = null
  let held: HeldInput[] = []
  /** The last entry of each exchange; index 0 is the beginning. */
  const ends = [0]
  const messageSeqs: number[] = []
  /** Entries at which messages begin, by mark. */
  const marks: number[] = []
  /** Runs and steps of calls that are settled, for what comes late. */
  const settled = new Map<string, { readonly runId: string; readonly stepId: string; readonly name: string }>()

  const append = ({ at, entry }: DatedEntry): number => {
    if (head === 0) {
      const origin = { type: 'import' } as const
      put({ at, entry: { type: 'conversation-created', actor: person, ownerId, settings: {}, origin } })
    }
    return put({ at, entry })
  }

  const put = (dated: DatedEntry): number => {
    const { entry } = dated
    head++
    lastAt = dated.at
    written.push(dated)
    path = activePath.reduce(path, [placeEntry(entry, { conversationId: ids.conversationId, seq: head, at: dated.at })])
    if (entry.type === 'user-message-sent' || entry.type === 'step-finished') messageSeqs.push(head)
    if (entry.type === 'usage-recorded') {
      const placed = placeEntry(entry, { conversationId: ids.conversationId, seq: head, at: dated.at })
      totals = addTotals(totals, ledger.reduce(ledger.initial, [placed]).total)
    }
    return head
  }

  const timeOf = (at: number | null): number => at ?? lastAt ?? importedAt

  const send = (input: Omit<HeldInput, 'mark'>, mark: number): void => {
    const { at, content, by } = input
    const inputId = ids.next('input')
    const joins = run !== null
    const actor = by === 'person' ? person : engine
    append({
      at,
      entry: {
        type: 'input-admitted',
        actor,
        inputId,
        content,
        lane: joins ? 'steer' : 'turn',
        origin: by === 'person' ? 'person' : 'api',
      },
    })
    const open = run ?? startRun(at)
    const startSeq = head
    const sentSeq = append({
      at,
      entry: { type: 'user-message-sent', actor: engine, runId: open.runId, inputId, content },
    })
    open.endsWithAnswer = false
    marks[mark] = joins ? sentSeq : startSeq
  }

  const startRun = (at: number): OpenRun => {
    run = { runId: ids.next('run'), endsWithAnswer: false, ending: 'interrupted', reason: null }
    append({ at, entry: { type: 'run-started', actor: engine, runId: run.runId, purpose: 'turn' } })
    return run
  }

  /** The run that goes on, or a new one with something that stands for its input. */
  const runFor = (at: number): OpenRun => {
    const words = run === null ? NOTHING_SAID : run.endsWithAnswer ? WENT_ON : null
    if (words !== null) send({ at, content: [{ type: 'text', text: words }], by: 'program' }, reserveMark())
    return run ?? startRun(at)
  }

  const reserveMark = (): number => marks.push(0) - 1

  /** Writes the answer that was open, and then what was said meanwhile: into the same run if all its calls have results. */
  const closeStep = (): void => {
    const closed = step
    step = null
    if (closed) {
      const open = runFor(closed.startedAt)
      const wasAnswered = !hasOpenCalls(closed)
      marks[stepMarks.get(closed.stepId) ?? reserveMark()] = head + 1
      for (const dated of stepEntries(closed, { runId: open.runId, format })) append(dated)
      for (const { sourceId, callId, name } of closed.calls)
        settled.set(sourceId || callId, { runId: open.runId, stepId: closed.stepId, name })
      open.ending = closed.calls.length > 0 ? 'interrupted' : closed.finish === 'stopped' ? 'stopped' : 'completed'
      open.reason = null
      if (closed.calls.length > 0) open.endsWithAnswer = false
      else if (closed.blocks.some((block) => block.type === 'text' && block.text.trim() !== ''))
        open.endsWithAnswer = true
      if (held.length > 0 && !wasAnswered) closeRun()
    }
    const inputs = held
    held = []
    for (const input of inputs) send(input, input.mark)
  }
  const stepMarks = new Map<string, number>()

  const closeRun = (): void => {
    if (!run) return
    const { runId, ending, reason } = run
    const at = timeOf(null)
    append({
      at,
      entry: { type: 'run-finished', actor: engine, runId, outcome: ending, ...(reason === null ? {} : { reason }) },
    })
    run = null
    ends.push(head)
  }

  const closeExchange = (): void => {
    closeStep()
    closeRun()
  }

  const say = async (event: Extract<SourceEvent, { type: 'said' }>): Promise<void> => {
    const content = await inputParts(event.parts, { ...deps })
    if (content.length === 0) return note({ reason: 'empty', what: 'A message without words' })
    const at = timeOf(event.at)
    const mark = reserveMark()
    if (step && hasOpenCalls(step)) {
      held.push({ at, content, by: event.by, mark })
      return
    }
    // After the results of calls the model goes on by itself: what is said there joins the turn that runs.
    const joins = step !== null && step.calls.length > 0
    if (joins) closeStep()
    else closeExchange()
    send({ at, content, by: event.by }, mark)
  }

  const answer = (event: Extract<SourceEvent, { type: 'answered' }>): void => {
    const at = timeOf(event.at)
    const isSame = step !== null && event.answerId !== null && step.answerId === event.answerId && held.length === 0
    if (!isSame) {
      closeStep()
      step = pendingStep(event, at, ids.next('step'))
      stepMarks.set(step.stepId, reserveMark())
    }
    if (step) growStep(step, event, at, ids)
  }

  const giveBack = async (event: Extract<SourceEvent, { type: 'returned' }>): Promise<void> => {
    const { callId, isError, durationMs } = event
    const at = timeOf(event.at)
    const content = await resultParts(event.parts, { ...deps })
    if (step && giveResult(step, callId, { at, content, isError, durationMs })) return
    const late = settled.get(callId)
    if (!late) return note({ reason: 'result-without-call', what: `The result of call ${callId}` })
    append({ at, entry: { type: 'tool-result-late', actor: engine, ...late, callId, content, durationMs } })
  }

  const fail = (event: Extract<SourceEvent, { type: 'failed' }>): void => {
    closeStep()
    const at = timeOf(event.at)
    const open = runFor(at)
    const stepId = ids.next('step')
    const { status } = event
    const providerId = event.providerId.toWellFormed() || 'unknown'
    const modelId = event.modelId.toWellFormed() || 'unknown'
    const message = event.message.toWellFormed()
    append({ at, entry: stepStart({ stepId, providerId, modelId }, open.runId) })
    append({
      at,
      entry: {
        type: 'step-failed',
        actor: engine,
        runId: open.runId,
        stepId,
        attempt: 1,
        error: { code: 'internal', message, ...(status === null ? {} : { status }) },
      },
    })
    open.ending = 'failed'
    open.reason = message
  }

  const stop = (at: number): void => {
    if (step && step.calls.length === 0) step.finish = 'stopped'
    const isRunning = step !== null || run !== null
    closeStep()
    if (!run || !isRunning) return
    const { runId } = run
    append({ at, entry: { type: 'stop-requested', actor: person, runId, mode: 'stop' } })
    append({ at, entry: { type: 'stop-noted', actor: engine, runId, text: STOP_MARKER } })
    run.ending = 'stopped'
    run.reason = null
    closeRun()
  }

  const compact = (event: Extract<SourceEvent, { type: 'compacted' }>): void => {
    closeStep()
    const summary = event.summary.toWellFormed().trim()
    if (head === 0 || summary === '') {
      note({ reason: 'empty', what: 'A summary without words' })
      return
    }
    const keptFromSeq = (event.keptFrom === null ? undefined : marks[event.keptFrom]) || head + 1
    if (keptFromSeq < 2) {
      note({ reason: 'malformed', what: 'A summary that covers nothing' })
      return
    }
    if (run && keptFromSeq > head) run.endsWithAnswer = false
    append({
      at: timeOf(event.at),
      entry: {
        type: 'checkpoint-made',
        actor: event.by === 'person' ? person : engine,
        source: event.by,
        ...(run ? { runId: run.runId } : {}),
        coversFromSeq: 1,
        coversToSeq: keptFromSeq - 1,
        keptFromSeq,
        summary,
        verbatimSeqs: [],
      },
    })
  }

  const goBack = ({ toExchange, reason, at }: Extract<SourceEvent, { type: 'went-back' }>): void => {
    closeExchange()
    const toSeq = ends[toExchange]
    if (toSeq === undefined || toExchange === ends.length - 1) return
    const ranges = pathRanges(path)
    const setAside = messageSeqs.filter((seq) => seq > toSeq && isInRanges(ranges, seq)).length
    const isOnPath = toSeq === 0 || isInRanges(ranges, toSeq)
    const entry: NewEntry = isOnPath
      ? { type: 'path-rewound', actor: person, toSeq, reason, setAsideCount: setAside, totals }
      : { type: 'path-selected', actor: person, headSeq: toSeq }
    append({ at: timeOf(at), entry })
  }

  const rename = (event: Extract<SourceEvent, { type: 'titled' }>): void => {
    const title = cleanTitle(event.title)
    if (title === null) {
      note({ reason: 'empty', what: 'A title without words' })
      return
    }
    const actor = event.source === 'user' ? person : engine
    append({ at: timeOf(null), entry: { type: 'title-changed', actor, title, source: event.source } })
  }

  return {
    exchange: () => ends.length - 1 + (run || step || held.length > 0 ? 1 : 0),
    place: () => marks.length - 1,
    async write(event) {
      switch (event.type) {
        case 'said':
          return say(event)
        case 'answered':
          return answer(event)
        case 'returned':
          return giveBack(event)
        case 'measured':
          if (step) step.usage = event.usage
          return
        case 'failed':
          return fail(event)
        case 'stopped':
          return stop(timeOf(event.at))
        case 'compacted':
          return compact(event)
        case 'went-back':
          return goBack(event)
        case 'titled':
          return rename(event)
      }
    },
    close: closeExchange,
    pass(entry) {
      head++
      path = activePath.reduce(path, [
        placeEntry(entry, { conversationId: ids.conversationId, seq: head, at: timeOf(null) }),
      ])
    },
    take() {
      const taken = written
      written = []
      return taken
    },
  }
}
