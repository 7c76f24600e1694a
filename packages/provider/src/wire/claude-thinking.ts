/** Claude models before preserved thinking: their signatures cover the thinking alone. */
const UNBOUND = /claude-(?:3|(?:opus|sonnet|haiku)-4)(?!\d)/

/**
 * Whether a Claude model's thinking is bound to system text, tools and all messages before it. Names that are not known
 * count as bound: such thinking is dropped where it might be refused.
 *
 * @see https://platform.claude.com/docs/en/build-with-claude/extended-thinking
 */
export function claudeBindsThinking(modelId: string): boolean {
  return !UNBOUND.test(modelId)
}

/** Claude models that decide themselves how much they think: they refuse a number of tokens and take an effort. */
const ADAPTIVE = /claude-(?:fable|mythos|(?:opus|sonnet|haiku)-(?:4-[7-9]|[5-9])(?!\d))/

/**
 * Whether a Claude model is asked to think by an effort, and not by a number of tokens. Dots and hyphens in names are
 * one; names that are not known take a number, as all models did.
 *
 * @see https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking
 */
export function claudeTakesEffort(modelId: string): boolean {
  return ADAPTIVE.test(modelId.toLowerCase().replaceAll('.', '-'))
}
