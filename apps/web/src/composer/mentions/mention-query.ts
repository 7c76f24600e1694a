/** What is being asked for in the text before the caret: a command or prompt by `/` at its beginning, a name by `@` in front of a word. */
export interface MentionQuery {
  readonly type: 'prompt' | 'resource'
  /** What was written behind the sign. */
  readonly words: string
  /** Where the sign stands in the text. */
  readonly from: number
}

/** The query that a person is writing, or null. */
export function mentionQuery(text: string, caret: number): MentionQuery | null {
  const before = text.slice(0, caret)
  const prompt = /^\/([^\s/]*(?: [^\s/]*)?)$/.exec(before)
  if (prompt) return { type: 'prompt', words: prompt[1] ?? '', from: 0 }
  const resource = /(?:^|\s)@([^\s@]*)$/.exec(before)
  if (!resource) return null
  const words = resource[1] ?? ''
  return { type: 'resource', words, from: caret - words.length - 1 }
}

/** The text without the query, and where the caret is then. */
export function withoutQuery(text: string, { from, words }: MentionQuery): string {
  return text.slice(0, from) + text.slice(from + words.length + 1).replace(/^ /, '')
}

/** The text with words in the place of the query, and a space behind them. */
export function withWords(text: string, { from, words }: MentionQuery, named: string): string {
  return `${text.slice(0, from)}${named} ${text.slice(from + words.length + 1).replace(/^ /, '')}`
}
