import type { TranscriptPart } from '@holdfast/conversation'

/** What a mention names, for people: its name, and which lines of a file. */
export function mentionText({ id, name, lines }: Extract<TranscriptPart, { type: 'mention' }>): string {
  const named = name === undefined || name === id ? id : `${name} (${id})`
  return lines === undefined ? named : `${named}, lines ${lines.from} to ${lines.to}`
}
