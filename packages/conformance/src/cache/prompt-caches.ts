import type { CacheRules } from '../model.ts'
import { tokensOf } from '../segment.ts'
import { createAutomaticCache } from './automatic-cache.ts'
import { createBreakFinder, type LostPrefix } from './cache-break.ts'
import { createIdealCache } from './ideal-cache.ts'
import { createMarkedCache } from './marked-cache.ts'
import type { CachedPrompt, CacheUsage } from './prompt-cache.ts'

/** All prompt caches of a provider. */
export interface PromptCaches {
  use(
    number: number,
    prompt: CachedPrompt,
    rules: CacheRules,
  ): {
    readonly usage: CacheUsage
    readonly cacheBreak: LostPrefix | undefined
    /** What an ideal cache would have read. */
    readonly idealReadTokens: number
  }
}

/** Caches that are empty. */
export function createPromptCaches(): PromptCaches {
  const marked = createMarkedCache()
  const automatic = createAutomaticCache()
  const breaks = createBreakFinder()
  const ideal = createIdealCache()

  function usageOf(prompt: CachedPrompt, rules: CacheRules): CacheUsage {
    switch (rules.type) {
      case 'marks':
        return marked.use(prompt, rules)
      case 'automatic':
        return automatic.use(prompt, rules)
      case 'none':
        return {
          inputTokens: tokensOf(prompt.segments),
          cacheReadTokens: 0,
          cacheWrite5mTokens: 0,
          cacheWrite1hTokens: 0,
          readableTokens: 0,
        }
    }
  }

  return {
    use(number, prompt, rules) {
      const usage = usageOf(prompt, rules)
      return { usage, cacheBreak: breaks.find(number, prompt, usage), idealReadTokens: ideal.read(prompt) }
    },
  }
}
