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
