import { SETTINGS, type SettingKey, type Settings } from './settings.ts'

/** How settings contradict each other, in words that a program can compare. */
export type SettingProblemCode =
  | 'summary-makes-no-room'
  | 'summary-too-long'
  | 'thinking-too-long'
  | 'stop-before-grace'
  | 'grace-over-call'
  | 'element-over-canvas'
  | 'memory-over-note'
  | 'answer-over-model'
  | 'model-does-not-think'
  | 'answer-fills-window'
  | 'summary-over-window'

/** Settings that contradict each other, in words for whoever set them. */
export interface SettingProblem {
  readonly code: SettingProblemCode
  /** What is set, in its own unit, and what it stands against; null where it is no number. */
  readonly value: number | null
  readonly limit: number | null
  /** All that are part of it: changing any may solve it. */
  readonly keys: readonly SettingKey[]
  readonly text: string
}

/** A summary takes at most this part of a window, however small it is. */
export const SUMMARY_SHARE = 0.1

/** Of what is left beside the answer, so much may be used before a summary is due. [WIN1] */
export const DUE_OF_THE_REST = 0.9

/** What thinking may take of an answer at most, so that words are left. */
export const THINKING_SHARE = 0.75

/** Characters of one token of a memory, as they are counted before anything is measured. */
const CHARS_PER_TOKEN = 2.5

/** What stands around memories in a note, in tokens. */
const MEMORY_FRAME_TOKENS = 80

/**
 * Settings that cannot hold together, whatever the model: empty when they can. What depends on a model says
 * `limitProblems` of the context. [WIN10]
 */
export function settingProblems(settings: Settings): readonly SettingProblem[] {
  const { replyShare, checkpointShare, keptShare, carriedShare, thinking, maxOutputTokens } = settings
  const problems: SettingProblem[] = []
  const check = (isFine: boolean, problem: SettingProblem): void => {
    if (!isFine) problems.push(problem)
  }
  const dueShare = Math.min(checkpointShare, DUE_OF_THE_REST * (1 - replyShare))
  const leftShare = keptShare + carriedShare * (1 - replyShare) + SUMMARY_SHARE
  check(leftShare < dueShare, {
    code: 'summary-makes-no-room',
    value: leftShare,
    limit: dueShare,
    keys: ['keptShare', 'carriedShare', 'checkpointShare', 'replyShare'],
    text: `A summary leaves up to ${percent(leftShare)} of a window and is due at ${percent(dueShare)}: it would never make room. Keep or carry over less, summarise later, or keep less for the answer`,
  })
  check(settings.summaryTokens < settings.checkpointMostTokens / 2, {
    code: 'summary-too-long',
    value: settings.summaryTokens,
    limit: settings.checkpointMostTokens,
    keys: ['summaryTokens', 'checkpointMostTokens'],
    text: `A summary of ${settings.summaryTokens} tokens is no summary of ${settings.checkpointMostTokens}: it may have less than half of them`,
  })
  if (typeof thinking === 'number' && maxOutputTokens !== null)
    check(thinking <= maxOutputTokens * THINKING_SHARE, {
      code: 'thinking-too-long',
      value: thinking,
      limit: maxOutputTokens,
      keys: ['thinking', 'maxOutputTokens'],
      text: `Thinking of ${thinking} tokens leaves too little of an answer of ${maxOutputTokens}: think ${percent(THINKING_SHARE)} of it at most, or allow longer answers`,
    })
  check(settings.toolGraceMs <= settings.drainMs, {
    code: 'stop-before-grace',
    value: settings.drainMs,
    limit: settings.toolGraceMs,
    keys: ['toolGraceMs', 'drainMs'],
    text: `A stop waits ${settings.drainMs} ms and a tool has ${settings.toolGraceMs} ms to end by itself: wait at least as long`,
  })
  check(settings.toolGraceMs < settings.toolTimeoutMs, {
    code: 'grace-over-call',
    value: settings.toolGraceMs,
    limit: settings.toolTimeoutMs,
    keys: ['toolGraceMs', 'toolTimeoutMs'],
    text: `A call that may take ${settings.toolTimeoutMs} ms has ${settings.toolGraceMs} ms to end by itself: give it less`,
  })
  check(settings.canvasElementBytes <= settings.canvasBytes, {
    code: 'element-over-canvas',
    value: settings.canvasElementBytes,
    limit: settings.canvasBytes,
    keys: ['canvasElementBytes', 'canvasBytes'],
    text: `One element may have ${settings.canvasElementBytes} bytes and all together ${settings.canvasBytes}: raise canvasBytes, or lower canvasElementBytes`,
  })
  check(settings.memoryChars / CHARS_PER_TOKEN + MEMORY_FRAME_TOKENS <= settings.memoryNoteTokens, {
    code: 'memory-over-note',
    value: settings.memoryChars,
    limit: settings.memoryNoteTokens,
    keys: ['memoryChars', 'memoryNoteTokens'],
    text: `A memory of ${settings.memoryChars} characters finds no room in a note of ${settings.memoryNoteTokens} tokens: shorten memories, or allow a longer note`,
  })
  return problems
}

/** The problems that a change makes or touches; those that were there before and are about something else stay out of it. */
export function problemsOf(settings: Settings, changed: readonly string[]): readonly SettingProblem[] {
  return settingProblems(settings).filter(({ keys }) => keys.some((key) => changed.includes(key)))
}

/** Problems as one text: what is so, and which settings it is about. */
export function problemWords(problems: readonly SettingProblem[]): string {
  return problems
    .map(({ keys, text }) => `${text} (${keys.map((key) => `${SETTINGS[key].name}: ${key}`).join(', ')})`)
    .join('. ')
}

function percent(part: number): string {
  return `${Math.round(part * 1_000) / 10} %`
}
