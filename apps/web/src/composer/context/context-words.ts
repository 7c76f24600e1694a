import type { ContextAnswer } from '@holdfast/client'
import { shortCount } from '../../shared/format.ts'
import { type PlainKey, say } from '../../shared/language/say.ts'

const LEVELS: Readonly<Record<ContextAnswer['level'], PlainKey | null>> = {
  calm: 'context.plenty-of-room',
  filling: 'context.filling',
  near: 'context.nearly-full',
  over: 'context.over',
  unknown: null,
}

/** How full the window is: `46 % · 92.1k of 200k`. Without a known window there is no percentage. [COST6] */
export function usedWords({ usedTokens, windowTokens, percent, measured }: ContextAnswer): string {
  const about = measured ? '' : '≈ '
  if (windowTokens === null || percent === null)
    return say('context.window-unknown-of', { count: usedTokens, tokens: `${about}${shortCount(usedTokens)}` })
  return [
    `${about}${percent} %`,
    say('inspector.used-of', { used: `${about}${shortCount(usedTokens)}`, window: shortCount(windowTokens) }),
  ].join(' · ')
}

/** What a narrow place has room for: `46 %`. */
export function shortUseWords({ usedTokens, percent, measured }: ContextAnswer): string {
  const about = measured ? '' : '≈ '
  return percent === null ? `${about}${shortCount(usedTokens)}` : `${about}${percent} %`
}

/** How full the window is, as it is spoken. */
export function spokenUse({ usedTokens, windowTokens, percent, measured, level }: ContextAnswer): string {
  if (windowTokens === null || percent === null)
    return say(measured ? 'context.spoken-unknown' : 'context.spoken-unknown-about', {
      count: usedTokens,
      tokens: shortCount(usedTokens),
    })
  const full = say(measured ? 'context.spoken' : 'context.spoken-about', {
    percent,
    used: shortCount(usedTokens),
    window: shortCount(windowTokens),
  })
  const words = LEVELS[level]
  return words === null ? full : [full, say(words)].join(', ')
}
