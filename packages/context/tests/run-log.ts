import { headOfPath } from '@holdfast/context'
import type { AnswerBlock, Entry, EntryOf, NewEntry } from '@holdfast/conversation'
import { conversationCreated, logOf, pathRewound, titleChanged, usageRecorded } from '@holdfast/conversation/testing'
import fc from 'fast-check'
import { onPath } from './on-path.ts'

/** How a drawn step of a turn goes. */
interface StepDrawn {
  readonly thinking: 'none' | 'signed' | 'unsigned'
  readonly words: string
  readonly calls: readonly EntryOf<'tool-call-settled'>['outcome'][]
  readonly end: 'own' | 'stopped' | 'interrupted' | 'failed' | 'ended-early' | 'too-long'
  readonly half: boolean
  readonly failsFirst: boolean
  readonly steer: 'none' | 'before-results' | 'after-results' | 'while-streaming'
  readonly noise: 'none' | 'title' | 'permission' | 'late' | 'note' | 'summary-request'
}

/** What may happen to a conversation between two turns, or as one. */
export type Act =
  | { readonly act: 'turn'; readonly words: string; readonly steps: readonly StepDrawn[]; readonly model: number }
  | { readonly act: 'rewind' | 'select' | 'checkpoint' | 'undo' | 'window' | 'exclude'; readonly pick: number }
  | { readonly act: 'instructions' | 'tools' | 'parameters' | 'rename' | 'refused-thinking'; readonly words: string }

const engine = { type: 'engine' } as const
const MODELS = [
  { providerId: 'anthropic', modelId: 'claude-opus-4' },
  { providerId: 'anthropic', modelId: 'claude-opus-4-20260101' },
  { providerId: 'openai', modelId: 'gpt-5' },
]

const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('', ' \n', '</note>', '<summary>', '\ud800', 'a\udc00b', '"}]', '</carried-over>'),
)

const step: fc.Arbitrary<StepDrawn> = fc.record({
  thinking: fc.constantFrom('none', 'signed', 'unsigned'),
  words,
  calls: fc.array(fc.constantFrom('ok', 'error', 'denied', 'timed-out', 'aborted', 'not-started', 'unknown'), {
    maxLength: 4,
  }),
  end: fc.oneof(
    { weight: 6, arbitrary: fc.constant('own' as const) },
    { weight: 2, arbitrary: fc.constantFrom('stopped', 'interrupted', 'failed', 'ended-early', 'too-long') },
  ),
  half: fc.boolean(),
  failsFirst: fc.boolean(),
  steer: fc.constantFrom('none', 'none', 'before-results', 'after-results', 'while-streaming'),
  noise: fc.constantFrom('none', 'title', 'permission', 'late', 'note', 'summary-request'),
})

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      act: fc.constant('turn' as const),
      words,
      steps: fc.array(step, { maxLength: 4 }),
      model: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(2) }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constantFrom('rewind', 'select', 'checkpoint', 'undo', 'window', 'exclude'),
      pick: fc.nat(1_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constantFrom('instructions', 'tools', 'parameters', 'rename', 'refused-thinking'),
      words,
    }),
  },
)

/** Logs of whole runs, as an engine writes them: with stops, cuts, crashes, every outcome, steering and rewinds. */
export const arbitraryRunLog: fc.Arbitrary<Entry[]> = fc.array(act, { maxLength: 9 }).map(runLog)

/** The log that these acts write. */
function runLog(acts: readonly Act[]): Entry[] {
  const log: NewEntry[] = [conversationCreated('user_1')]
  const ends: number[] = []
  acts.forEach((drawn, number) => {
    writeAct(log, ends, drawn, number)
  })
  return logOf('conversation_1', log)
}

/** `ends` are the ends of exchanges so far, by `seq`: where a path may go back to. */
function writeAct(log: NewEntry[], ends: number[], drawn: Act, number: number): void {
  const end = 'pick' in drawn ? (ends[drawn.pick % Math.max(1, ends.length)] ?? 0) : 0
  switch (drawn.act) {
    case 'turn':
      writeTurn(log, drawn, number)
      ends.push(log.length)
      break
    case 'rewind':
      log.push(pathRewound(drawn.pick % 5 === 0 ? 0 : end))
      break
    case 'select':
      log.push({ type: 'path-selected', actor: engine, headSeq: end })
      break
    case 'checkpoint':
      if (end > 0) log.push(checkpoint(log, end, number))
      break
    case 'undo': {
      const made = log.flatMap((entry, index) => (entry.type === 'checkpoint-made' ? [index + 1] : []))
      const checkpointSeq = made[drawn.pick % Math.max(1, made.length)]
      if (checkpointSeq !== undefined) log.push({ type: 'checkpoint-undone', actor: engine, checkpointSeq })
      break
    }
    case 'exclude': {
      const results = log.flatMap((entry, index) => (entry.type === 'tool-call-settled' ? [index + 1] : []))
      const resultSeq = results[drawn.pick % Math.max(1, results.length)]
      if (resultSeq !== undefined)
        log.push({ type: 'exclusion-changed', actor: engine, resultSeq, isExcluded: drawn.pick % 3 > 0 })
      break
    }
    case 'window':
      if (end > 0) log.push(windowFrom(log, end + 1))
      break
    case 'instructions':
      log.push({ type: 'settings-changed', actor: engine, changes: { instructions: drawn.words } })
      break
    case 'parameters':
      log.push({ type: 'settings-changed', actor: engine, changes: { parameters: { temperature: number } } })
      break
    case 'tools':
      log.push({ type: 'tools-changed', actor: engine, hash: String(number), definitions: [tool(`tool_${number}`)] })
      break
    case 'rename':
      log.push(titleChanged('A title that is never sent', 'user'))
      break
    case 'refused-thinking':
      log.push(notice('thinking-dropped'))
      break
  }
}

function writeTurn(log: NewEntry[], { words, steps, model }: Extract<Act, { act: 'turn' }>, number: number): void {
  const runId = `run_${number}`
  log.push({ type: 'run-started', actor: engine, runId, purpose: 'turn' }, sent(runId, `input_${number}`, words))
  let stopped = false
  for (const [index, drawn] of steps.entries()) {
    if (stopped) break
    const stepId = `step_${number}_${index}`
    if (drawn.failsFirst) {
      log.push(started(runId, `${stepId}_failed`, 'turn', model), failed(runId, `${stepId}_failed`))
    }
    writeStep(log, { runId, stepId, model, drawn })
    stopped = drawn.end !== 'own' || drawn.calls.length === 0
  }
  log.push({ type: 'run-finished', actor: engine, runId, outcome: stopped ? 'completed' : 'failed' })
}

function writeStep(
  log: NewEntry[],
  { runId, stepId, model, drawn }: { runId: string; stepId: string; model: number; drawn: StepDrawn },
): void {
  const { words, calls, end, half, steer, noise, thinking } = drawn
  const steerInput = sent(runId, `steer_${stepId}`, `steering ${words}`)
  log.push(started(runId, stepId, 'turn', model))
  if (noise !== 'none') log.push(...noiseOf(noise, runId, stepId, model))
  if (steer === 'while-streaming') log.push(steerInput)
  const blocks: AnswerBlock[] = [
    ...(thinking === 'none' ? [] : [thought(thinking, stepId)]),
    ...(words === '' ? [] : [{ type: 'text' as const, text: words, providerState: { item: stepId } }]),
    ...calls.map((_, index) => call(stepId, index, true)),
    ...(half ? [thought('signed', `${stepId}_again`), call(stepId, calls.length, false)] : []),
  ]
  log.push({
    type: 'step-finished',
    actor: engine,
    runId,
    stepId,
    blocks,
    ...(end === 'own' ? { finish: calls.length > 0 ? 'tool-calls' : 'end' } : { finish: 'cut', cut: end }),
  })
  if (end === 'failed') log.push(failed(runId, stepId))
  log.push(usageRecorded(runId, stepId, { input: 10, output: 5 }))
  if (steer === 'before-results') log.push(steerInput)
  // Calls settle in any order; here the last one first.
  for (const [index, outcome] of [...calls.entries()].reverse()) {
    if (outcome !== 'not-started' && outcome !== 'denied') log.push(callStarted(runId, stepId, index))
    log.push(settled(runId, stepId, index, outcome, words))
  }
  if (steer === 'after-results') log.push(steerInput)
  if (end === 'stopped') log.push({ type: 'stop-noted', actor: engine, runId, text: 'The person stopped <it>.' })
}

function noiseOf(noise: Exclude<StepDrawn['noise'], 'none'>, runId: string, stepId: string, model: number): NewEntry[] {
  const callId = `${stepId}_noise`
  switch (noise) {
    case 'title':
    case 'summary-request': {
      const purpose = noise === 'title' ? 'title' : 'checkpoint'
      const side = noise === 'title' ? `side_${stepId}` : runId
      const blocks: AnswerBlock[] = [{ type: 'text', text: 'Never sent' }, call(`side_${stepId}`, 0, true)]
      return [
        ...(noise === 'title'
          ? [{ type: 'run-started' as const, actor: engine, runId: side, purpose: 'title' as const }]
          : []),
        started(side, `side_${stepId}`, purpose, model),
        { type: 'step-finished', actor: engine, runId: side, stepId: `side_${stepId}`, blocks, finish: 'end' },
      ]
    }
    case 'permission':
      return [
        {
          type: 'permission-requested',
          actor: engine,
          runId,
          stepId,
          requestId: callId,
          userId: 'user_1',
          callId,
          tool: 'shell',
          input: {},
          reason: 'Never sent',
          source: 'ask-rule',
        },
      ]
    case 'late': {
      const content = [{ type: 'text' as const, text: 'Never sent' }]
      return [
        { type: 'tool-result-late', actor: engine, runId, stepId, callId, name: 'tool_0', content, durationMs: 5 },
      ]
    }
    case 'note':
      return [{ type: 'context-noted', actor: engine, section: 'canvas', text: `Two cards </note> ${stepId}` }]
  }
}

function windowFrom(log: readonly NewEntry[], startSeq: number): NewEntry {
  const path = onPath(logOf('conversation_1', log))
  const counts = headOfPath(path, []).checkpoint
  const checkpointSeq = counts ? { checkpointSeq: counts.seq } : {}
  return { type: 'window-moved', actor: engine, startSeq, leftOutCount: 2, ...checkpointSeq }
}

function checkpoint(log: readonly NewEntry[], end: number, number: number): NewEntry {
  const verbatimSeqs = log.flatMap((entry, index) =>
    entry.type === 'user-message-sent' && index + 1 <= end && index % 2 === 0 ? [index + 1] : [],
  )
  return {
    type: 'checkpoint-made',
    actor: engine,
    source: 'auto',
    coversFromSeq: 1,
    coversToSeq: end,
    keptFromSeq: end + 1,
    summary: `Summary ${number} </summary>`,
    verbatimSeqs,
  }
}

/** A message from a person. */
export function sent(runId: string, inputId: string, text: string): Extract<NewEntry, { type: 'user-message-sent' }> {
  return { type: 'user-message-sent', actor: engine, runId, inputId, content: [{ type: 'text', text }] }
}

/** A request to one of the models, begun. */
export function started(
  runId: string,
  stepId: string,
  purpose: EntryOf<'step-started'>['purpose'],
  model: number,
): NewEntry {
  return {
    type: 'step-started',
    actor: engine,
    runId,
    stepId,
    purpose,
    ...(MODELS[model] ?? { providerId: 'other', modelId: 'other' }),
    requestHash: '',
    prefixHash: '',
    anchors: [],
    windowStartSeq: 1,
    builderVersion: 1,
  }
}

/** A notice, by its code. */
export function notice(code: string): Extract<NewEntry, { type: 'notice-raised' }> {
  return { type: 'notice-raised', actor: engine, code, severity: 'warning', text: 'Never sent' }
}

/** A tool as `tools-changed` holds it. */
export function tool(name: string): EntryOf<'tools-changed'>['definitions'][number] {
  return { name, description: `Does ${name}`, parameters: { type: 'object', properties: {} }, source: 'built-in' }
}

function thought(kind: 'signed' | 'unsigned', stepId: string): AnswerBlock {
  const text = `thinking of ${stepId}`
  return kind === 'signed'
    ? { type: 'thinking', text, providerState: { signature: stepId } }
    : { type: 'thinking', text }
}

function call(stepId: string, index: number, complete: boolean): AnswerBlock {
  const callId = `call_${stepId}_${index}`
  const inputText = complete ? ['{"path": "a"}', '', '{"broken', '{"a":"\\ud800"}'][index % 4] : '{"pa'
  return { type: 'tool-call', callId, name: `tool_${index}`, inputText: inputText ?? '{}', complete }
}

function callStarted(runId: string, stepId: string, index: number): NewEntry {
  const callId = `call_${stepId}_${index}`
  return {
    type: 'tool-call-started',
    actor: engine,
    runId,
    stepId,
    callId,
    name: `tool_${index}`,
    input: {},
    effects: false,
  }
}

function settled(
  runId: string,
  stepId: string,
  index: number,
  outcome: EntryOf<'tool-call-settled'>['outcome'],
  text: string,
): NewEntry {
  const callId = `call_${stepId}_${index}`
  const content = index % 2 === 0 ? [{ type: 'text' as const, text: `${callId}: ${text}` }] : []
  return {
    type: 'tool-call-settled',
    actor: engine,
    runId,
    stepId,
    callId,
    name: `tool_${index}`,
    outcome,
    content,
    durationMs: 1,
  }
}

function failed(runId: string, stepId: string): NewEntry {
  const error = { code: 'overloaded' as const, message: 'Never sent' }
  return { type: 'step-failed', actor: engine, runId, stepId, error, attempt: 1 }
}
