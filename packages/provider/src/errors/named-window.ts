/** How servers name the window of a model in a refusal, most exact first; the group is the number of tokens. */
const WINDOWS: readonly RegExp[] = [
  /"n_ctx"\s*:\s*(\d+)/,
  /(?:maximum|max) (?:context|prompt|model|sequence) length (?:is |of )?(?:only )?\(?([\d,_]+)/i,
  /([\d,_]{1,20}) (?:tokens? )?(?:maximum|max) context length/i,
  /(?:context|model) (?:length|size|window|limit) (?:is |of )(?:only )?\(?([\d,_]+)/i,
  /available context size \(([\d,_]+)/i,
  /exceed context limit: [\d,_]+ \+ [\d,_]+ > ([\d,_]+)/i,
  /too long: [\d,_]+ tokens > ([\d,_]+) maximum/i,
  /maximum number of (?:input )?tokens allowed \(([\d,_]+)/i,
  /max input tokens: ([\d,_]+)/i,
  /`?max_(?:new_)?tokens`? must be <= ([\d,_]+)/i,
]

/** No model has less or more: such a number is something else. */
const LEAST_TOKENS = 256
const MOST_TOKENS = 100_000_000

/** The window of the model, in tokens, as a refusal for its length names it; null where it names none. [WIN8] */
export function namedWindow(words: string): number | null {
  for (const pattern of WINDOWS) {
    const named = pattern.exec(words)?.[1]
    if (named === undefined) continue
    const tokens = Number(named.replaceAll(/[,_]/g, ''))
    if (tokens >= LEAST_TOKENS && tokens <= MOST_TOKENS) return tokens
  }
  return null
}
