import type { InputPart } from '../content.ts'
import type { Entry } from '../entry.ts'
import type { Json } from '../json.ts'
import type { Projection } from '../projection.ts'

/**
 * When the newest call began, or message was sent, that may have brought what strangers wrote, or a call ended that had
 * read it in a file; null before the first. [PERM7]
 */
export const strangersAt: Projection<number | null> = {
  name: 'strangers-at',
  version: 3,
  initial: null,
  reduce: (state, entries) => entries.findLast(mayBring)?.at ?? state,
}

/** Where that came from, for people; null before the first. [PERM7] */
export const strangersFrom: Projection<string | null> = {
  name: 'strangers-from',
  version: 1,
  initial: null,
  reduce(state, entries) {
    const newest = entries.findLast(mayBring)
    return newest === undefined ? state : sourceOf(newest)
  },
}

function mayBring(entry: Entry): boolean {
  // Where nobody has said it, it may have.
  if (entry.type === 'tool-call-started') return entry.strangers !== false
  if (entry.type === 'tool-call-settled') return entry.strangers !== undefined
  return entry.type === 'user-message-sent' && entry.content.some((part) => placeOfStrangers(part) !== null)
}

/** Where a part of a message comes from that strangers may have written: a server, a page, another conversation. */
function placeOfStrangers(part: InputPart): string | null {
  if (part.type === 'resource') return `${part.server} ${shown(part.uri)}`
  if (part.type === 'element') return shown(part.url)
  if (part.type === 'error') return shown(part.url ?? part.text)
  return part.type === 'mention' && part.kind === 'conversation' ? shown(part.name ?? part.id) : null
}

/** Of what is named, in characters: it is read at a glance, and a stranger may have worded it. */
const NAME_CHARS = 120
const MOST_NAMES = 3
/** The arguments by which calls say where they look. */
const PLACES = ['url', 'command', 'uri', 'path', 'query']

function sourceOf(entry: Entry): string | null {
  if (entry.type === 'tool-call-started') {
    const place = placeIn(entry.input)
    return place === null ? entry.name : `${entry.name} ${shown(place)}`
  }
  if (entry.type === 'tool-call-settled') {
    const files = entry.strangers ?? []
    const more = files.length > MOST_NAMES ? ` and ${files.length - MOST_NAMES} more` : ''
    return `${entry.name} ${files.slice(0, MOST_NAMES).map(shown).join(', ')}${more}`
  }
  if (entry.type !== 'user-message-sent') return null
  return entry.content.map(placeOfStrangers).find((place) => place !== null) ?? null
}

function placeIn(input: Json): string | null {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null
  const values = new Map<string, unknown>(Object.entries(input))
  const place = PLACES.map((name) => values.get(name)).find((value) => typeof value === 'string')
  return typeof place === 'string' ? place : null
}

function shown(name: string): string {
  return JSON.stringify(name.length > NAME_CHARS ? `${name.slice(0, NAME_CHARS)}…` : name)
}
