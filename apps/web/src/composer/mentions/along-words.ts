import type { TranscriptPart } from '@holdfast/conversation'
import type { SentPart } from '@holdfast/protocol'
import { type PlainKey, say } from '../../shared/language/say.ts'
import type { NamedThing } from './named-thing.ts'

/** What stands for a part that goes along: of which kind it is, what it is called, and what it is exactly. */
export interface AlongWords {
  readonly kind: string
  readonly name: string
  readonly title: string
}

/** A part of a message beside its words, as it is written or as it was sent. */
export type AlongPart = Exclude<SentPart | TranscriptPart, { type: 'text' | 'thinking' }>

/** What a thing is called by its kind. */
export const KIND_WORDS: Readonly<Record<NamedThing['kind'], PlainKey>> = {
  file: 'mentions.file',
  agent: 'agents.agent',
  tool: 'tool-panel.tool',
  conversation: 'common.conversation',
  element: 'mentions.element',
}

/** The words of a chip. What was not sent yet has no name of its own: it is called as the thing is called here. */
export function alongWords(part: AlongPart, things: readonly NamedThing[]): AlongWords {
  switch (part.type) {
    case 'resource':
      return { kind: part.server, name: part.name, title: part.uri }
    case 'mention': {
      const { kind, id, lines } = part
      const known = nameOf(part) ?? things.find((thing) => thing.kind === kind && thing.id === id)?.name ?? id
      const name = lines === undefined ? known : say('mentions.lines', { name: known, from: lines.from, to: lines.to })
      return { kind: kindWords(kind), name, title: id }
    }
    case 'canvas': {
      const { elementId } = part
      const known = things.find((thing) => thing.kind === 'element' && thing.id === elementId)?.name
      return { kind: say('mentions.element'), name: nameOf(part) ?? known ?? elementId, title: elementId }
    }
    case 'element':
      return { kind: say('mentions.page-element'), name: part.selector, title: `${part.selector} · ${part.url}` }
    case 'error':
      return { kind: say('mentions.error'), name: firstLine(part.text), title: part.text.slice(0, MOST_TITLE) }
    case 'link':
      return { kind: say('mentions.link'), name: part.title ?? part.url, title: part.url }
    case 'quote':
      return {
        kind: say('mentions.quote'),
        name: part.path === undefined ? firstLine(part.text) : placeOf(part.path, part.lines),
        title: part.text.slice(0, MOST_TITLE),
      }
    case 'file':
    case 'image': {
      const name = nameOf(part) ?? say(part.type === 'image' ? 'attach.one-picture' : 'attach.one-file')
      return { kind: say(part.type === 'image' ? 'attach.kind-picture' : 'attach.kind-other'), name, title: name }
    }
  }
}

function placeOf(path: string, lines: { readonly from: number; readonly to: number } | undefined): string {
  if (lines === undefined) return path
  return lines.from === lines.to ? `${path}:${lines.from}` : `${path}:${lines.from}–${lines.to}`
}

/** Of a long text so much stands in what a pointer shows, in characters. */
const MOST_TITLE = 600

function kindWords(kind: string): string {
  const known = Object.entries(KIND_WORDS).find(([name]) => name === kind)
  return known === undefined ? kind : say(known[1])
}

function nameOf(part: AlongPart): string | null {
  return 'name' in part && part.name !== undefined ? part.name : null
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? ''
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}
