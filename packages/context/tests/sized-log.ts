import { type ContextLimits, composeRequest, contextLimits, type WindowSource } from '@holdfast/context'
import { type AnswerBlock, type Entry, type NewEntry, settingsOver, USUAL_SETTINGS } from '@holdfast/conversation'
import {
  conversationCreated,
  logOf,
  runFinished,
  runStarted,
  stepFinished,
  textBlock,
  toolCallBlock,
  toolCallSettled,
  usageRecorded,
} from '@holdfast/conversation/testing'
import { OPUS, sourceOf } from './built.ts'
import { onPath } from './on-path.ts'
import { sent, started } from './run-log.ts'

/** Limits of a small model. */
export const LIMITS: ContextLimits = contextLimits(settingsOver(USUAL_SETTINGS, { summaryTokens: 400 }), {
  windowTokens: 10_000,
  reservedOutputTokens: 2_000,
})

/** A text of about so many tokens at the ratio that holds before anything is measured. */
export function textOf(tokens: number): string {
  return 'abcd '.repeat(Math.ceil(tokens / 2))
}

/** A turn: what is asked, its steps with a call each, and the answer; each text of so many tokens. */
export function turnOf(
  number: number,
  tokens: { asked: number; results: readonly number[]; answered: number },
): NewEntry[] {
  const runId = `run_${number}`
  const steps = tokens.results.flatMap((result, index): NewEntry[] => {
    const stepId = `step_${number}_${index}`
    const callId = `call_${number}_${index}`
    const settled = toolCallSettled(runId, stepId, { callId, name: 'read', outcome: 'ok' })
    return [
      started(runId, stepId, 'turn', 0),
      stepFinished(runId, stepId, [toolCallBlock(callId, 'read')]),
      { ...settled, content: [{ type: 'text', text: `result ${number}.${index} ${textOf(result)}` }] },
    ]
  })
  return [
    runStarted(runId, 'turn'),
    sent(runId, `input_${number}`, `asked ${number} ${textOf(tokens.asked)}`),
    ...steps,
    ...answer(number, [textBlock(`answered ${number} ${textOf(tokens.answered)}`)]),
    runFinished(runId, 'completed'),
  ]
}

/** The last answer of a turn. */
export function answer(number: number, blocks: AnswerBlock[]): NewEntry[] {
  return [
    started(`run_${number}`, `step_${number}`, 'turn', 0),
    stepFinished(`run_${number}`, `step_${number}`, blocks),
  ]
}

/** The usage of a step as its provider measured it. */
export function measured(number: number, tokens: { input: number; output: number }): NewEntry {
  return usageRecorded(`run_${number}`, `step_${number}`, tokens)
}

export function write(...entries: readonly NewEntry[]): Entry[] {
  return logOf('a', [conversationCreated('user_1'), ...entries])
}

/** What a window and a checkpoint are planned from when the log stands as it is here. */
export function planningFrom(
  log: readonly Entry[],
  limits: ContextLimits,
): WindowSource & { readonly carried: readonly Entry[] } {
  const source = sourceOf(log, OPUS)
  return {
    composed: composeRequest(source),
    entries: onPath(log),
    carried: source.carried,
    limits,
    modelId: OPUS.modelId,
    ratio: 2.5,
    margin: 1,
  }
}
