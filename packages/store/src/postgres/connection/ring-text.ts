import type { Ring } from '@holdfast/conversation'

/** What one notification says: who rings, and of what; with a word to hear whether notifications come at all. */
export interface RingText {
  readonly from: string
  readonly rings: readonly Ring[]
  readonly echo: string | null
}

/** PostgreSQL takes less than 8,000 bytes in a notification (https://www.postgresql.org/docs/current/sql-notify.html). */
const MOST_BYTES = 7_900

/** Writes rings as notifications, each short enough. Ids are ASCII; one that is not, or is too long, is left to those who look. */
export function ringTexts(from: string, rings: readonly Ring[]): readonly string[] {
  const texts: string[] = []
  let text = ''
  for (const ring of rings) {
    const part = `\n${lineOf(ring)}`
    if (!/^[\n\x20-\x7e]+$/.test(part) || from.length + part.length > MOST_BYTES) continue
    if (from.length + text.length + part.length > MOST_BYTES) {
      texts.push(`${from}${text}`)
      text = ''
    }
    text += part
  }
  return text === '' ? texts : [...texts, `${from}${text}`]
}

/** A notification that says nothing but this word. */
export function echoText(from: string, echo: string): string {
  return `${from}\n! ${echo}`
}

/** Reads a notification; lines that say nothing known are passed over, such as those of a later version. */
export function readRingText(text: string): RingText {
  const [from = '', ...lines] = text.split('\n')
  const echo = lines.find((line) => line.startsWith('! '))?.slice(2) ?? null
  return { from, echo, rings: lines.flatMap(ringOf) }
}

/** A letter for what it is, then the head where there is one, then the id, which may hold any sign but a line's end. */
function lineOf(ring: Ring): string {
  switch (ring.type) {
    case 'grown':
      return `g${ring.head} ${ring.conversationId}`
    case 'draft-kept':
      return `d ${ring.conversationId}`
    case 'erased':
      return `e ${ring.conversationId}`
  }
}

function ringOf(line: string): readonly Ring[] {
  const [, letter, head = '', conversationId = ''] = /^([gde])(\d*) (.+)$/.exec(line) ?? []
  if (letter === 'g' && head !== '') return [{ type: 'grown', conversationId, head: Number(head) }]
  if (letter === 'd') return [{ type: 'draft-kept', conversationId }]
  if (letter === 'e') return [{ type: 'erased', conversationId }]
  return []
}
