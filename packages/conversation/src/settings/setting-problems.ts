import { SETTINGS, type SettingKey, type Settings } from './settings.ts'

/** Settings that contradict each other, in words for whoever set them. */
export interface SettingProblem {
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
  const check = (isFine: boolean, keys: readonly SettingKey[], text: string): void => {
    if (!isFine) problems.push({ keys, text })
  }
  const dueShare = Math.min(checkpointShare, DUE_OF_THE_REST * (1 - replyShare))
  const leftShare = keptShare + carriedShare * (1 - replyShare) + SUMMARY_SHARE
  check(
    leftShare < dueShare,
    ['keptShare', 'carriedShare', 'checkpointShare', 'replyShare'],
    `A summary leaves up to ${percent(leftShare)} of a window and is due at ${percent(dueShare)}: it would never make room. Keep or carry over less, summarise later, or keep less for the answer`,
  )
  check(
    settings.summaryTokens < settings.checkpointMostTokens / 2,
    ['summaryTokens', 'checkpointMostTokens'],
    `A summary of ${settings.summaryTokens} tokens is no summary of ${settings.checkpointMostTokens}: it may have less than half of them`,
  )
  check(
    typeof thinking !== 'number' || maxOutputTokens === null || thinking <= maxOutputTokens * THINKING_SHARE,
    ['thinking', 'maxOutputTokens'],
    `Thinking of ${thinking} tokens leaves too little of an answer of ${maxOutputTokens}: think ${percent(THINKING_SHARE)} of it at most, or allow longer answers`,
  )
  check(
    settings.toolGraceMs <= settings.drainMs,
    ['toolGraceMs', 'drainMs'],
    `A stop waits ${settings.drainMs} ms and a tool has ${settings.toolGraceMs} ms to end by itself: wait at least as long`,
  )
  check(
    settings.toolGraceMs < settings.toolTimeoutMs,
    ['toolGraceMs', 'toolTimeoutMs'],
    `A call that may take ${settings.toolTimeoutMs} ms has ${settings.toolGraceMs} ms to end by itself: give it less`,
  )
  check(
    settings.canvasElementBytes <= settings.canvasBytes,
    ['canvasElementBytes', 'canvasBytes'],
    `One element may have ${settings.canvasElementBytes} bytes and all together ${settings.canvasBytes}: raise canvasBytes, or lower canvasElementBytes`,
  )
  check(
    settings.memoryChars / CHARS_PER_TOKEN + MEMORY_FRAME_TOKENS <= settings.memoryNoteTokens,
    ['memoryChars', 'memoryNoteTokens'],
    `A memory of ${settings.memoryChars} characters finds no room in a note of ${settings.memoryNoteTokens} tokens: shorten memories, or allow a longer note`,
  )
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
