import type { ContextAnswer } from '@holdfast/client'
import { shortCount } from '../format.ts'

const LEVELS: Readonly<Record<ContextAnswer['level'], string>> = {
  calm: 'plenty of room',
  filling: 'filling',
  near: 'nearly full',
  over: 'over',
  unknown: '',
}

/** How full the window is: `46 % · 92.1k of 200k`. Without a known window there is no percentage. [COST6] */
export function usedWords({ usedTokens, windowTokens, percent, measured }: ContextAnswer): string {
  const about = measured ? '' : '≈ '
  if (windowTokens === null || percent === null) return `${about}${shortCount(usedTokens)} tokens · window unknown`
  return `${about}${percent} % · ${about}${shortCount(usedTokens)} of ${shortCount(windowTokens)}`
}

/** What a narrow place has room for: `46 %`. */
export function shortUseWords({ usedTokens, percent, measured }: ContextAnswer): string {
  const about = measured ? '' : '≈ '
  return percent === null ? `${about}${shortCount(usedTokens)}` : `${about}${percent} %`
}

/** The same as it is spoken. */
export function spokenUse({ usedTokens, windowTokens, percent, measured, level }: ContextAnswer): string {
  const about = measured ? '' : 'about '
  if (windowTokens === null || percent === null)
    return `${about}${shortCount(usedTokens)} tokens, the model’s window is not known`
  const full = `${about}${percent} percent, ${shortCount(usedTokens)} of ${shortCount(windowTokens)} tokens`
  return `${full}, ${LEVELS[level]}`
}
