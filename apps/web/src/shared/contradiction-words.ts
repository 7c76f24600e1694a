import type { SettingProblemCode } from '@holdfast/conversation'
import type { Problem } from '@holdfast/protocol'
import { percentText, secondsText, wholeCount } from './format.ts'
import { say } from './language/say.ts'

/** Settings that cannot hold together, as the server names them. */
type Contradiction = NonNullable<Problem['contradictions']>[number]

/** How each is said: its words, and how its two numbers are written. */
const CONTRADICTIONS = {
  'summary-makes-no-room': { words: 'contradiction.summary-makes-no-room', written: percentText },
  'summary-too-long': { words: 'contradiction.summary-too-long', written: wholeCount },
  'thinking-too-long': { words: 'contradiction.thinking-too-long', written: wholeCount },
  'stop-before-grace': { words: 'contradiction.stop-before-grace', written: secondsText },
  'grace-over-call': { words: 'contradiction.grace-over-call', written: secondsText },
  'element-over-canvas': { words: 'contradiction.element-over-canvas', written: wholeCount },
  'memory-over-note': { words: 'contradiction.memory-over-note', written: wholeCount },
  'answer-over-model': { words: 'contradiction.answer-over-model', written: wholeCount },
  'model-does-not-think': null,
  'answer-fills-window': { words: 'contradiction.answer-fills-window', written: wholeCount },
  'summary-over-window': { words: 'contradiction.summary-over-window', written: wholeCount },
} as const satisfies Readonly<Record<SettingProblemCode, object | null>>

/** Contradictions in the page's language; null where one is not known here, as those of a newer server. [UI47] */
export function contradictionWords(contradictions: readonly Contradiction[]): string | null {
  const words = contradictions.map(wordsOf)
  return words.length === 0 || words.includes(null) ? null : words.join(' ')
}

function wordsOf({ code, value, limit }: Contradiction): string | null {
  if (!isKnown(code)) return null
  const known = CONTRADICTIONS[code]
  if (known === null) return say('contradiction.model-does-not-think')
  if (value === null || limit === null) return null
  return say(known.words, { value: known.written(value), limit: known.written(limit) })
}

function isKnown(code: string): code is SettingProblemCode {
  return Object.hasOwn(CONTRADICTIONS, code)
}
