import {
  type Canvas,
  type CanvasElement,
  canvasOf,
  DEFAULT_AGENT,
  DEFAULT_AGENT_ID,
  type EntryStore,
  POINTED_CHARS,
  type SnapshotStore,
} from '@holdfast/conversation'
import { type AgentSource, readOverview } from '@holdfast/engine'
import type { TranscriptAnswerItem } from '@holdfast/protocol'
import type { Diagnostics } from '../../parts/diagnostics.ts'
import type { PointedAt } from '../../parts/pointed-at.ts'
import { RefusedError } from '../../parts/to-problem.ts'
import { readTranscript } from './read-transcript.ts'

/** What it needs. */
export interface PointedAtDeps {
  readonly store: Pick<EntryStore, 'read' | 'readListing'> & SnapshotStore
  readonly log: Diagnostics
  /** The agents that people may choose; null where there is only the one that sets nothing. */
  readonly agents: AgentSource | null
}

/** As many of the last messages of a mentioned conversation are looked at. */
const TOLD_ITEMS = 40

/** Reads what is pointed at from the logs and the agents. */
export function createPointedAt({ store, log, agents }: PointedAtDeps): PointedAt {
  return {
    async element({ conversationId }, { type, elementId }) {
      const found = conversationId === null ? null : await elementOf(store, conversationId, elementId)
      if (found === null)
        throw new RefusedError(422, 'unknown-element', `There is no element ${elementId} on the canvas; it was removed`)
      const { id, title, addedSeq: _addedSeq, changed: _changed, number: _number, ...content } = found
      return { type, elementId: id, name: title ?? id, text: JSON.stringify(content).slice(0, POINTED_CHARS) }
    },
    async mention({ userId }, part) {
      const { type, kind, id } = part
      switch (kind) {
        case 'file':
          return part
        case 'tool':
          return { type, kind, id }
        case 'agent': {
          const agent = id === DEFAULT_AGENT_ID ? DEFAULT_AGENT : await agents?.find({ ownerId: userId, agentId: id })
          if (!agent) throw new RefusedError(422, 'unknown-agent', `There is no agent ${id}, or it is another's`)
          return { type, kind, id, name: agent.name }
        }
        case 'conversation': {
          const listing = await store.readListing(id)
          if (listing?.ownerId !== userId)
            throw new RefusedError(422, 'unknown-conversation', `There is no conversation ${id}, or it is another's`)
          const { items } = await readTranscript(
            { store, log },
            { conversationId: id, before: null, limit: TOLD_ITEMS },
          )
          return { type, kind, id, name: listing.title ?? id, text: lastWords(items) }
        }
      }
    },
  }
}

/** An element of the canvas of the conversation's agent, or of the one that has it. */
async function elementOf(
  store: PointedAtDeps['store'],
  conversationId: string,
  elementId: string,
): Promise<CanvasElement | null> {
  const { canvases, settings } = (await readOverview(store, conversationId)).state
  const own = canvasOf(canvases, settings.agentId ?? DEFAULT_AGENT_ID)
  const among = ({ elements }: Canvas) => elements.find(({ id }) => id === elementId)
  return (
    among(own) ??
    Object.values(canvases)
      .map(among)
      .find((found) => found !== undefined) ??
    null
  )
}

const SPEAKERS = { user: 'User', assistant: 'Assistant', summary: 'Summary' } as const

/** The newest words of a conversation, oldest first, as many as are sent of what is pointed at. */
function lastWords(items: readonly TranscriptAnswerItem[]): string {
  const said: string[] = []
  let left = POINTED_CHARS
  for (const item of items.toReversed()) {
    if (item.state === 'erased' || (item.role !== 'user' && item.role !== 'assistant' && item.role !== 'summary'))
      continue
    const words = item.parts.flatMap(textOf).join('\n')
    const line = `${SPEAKERS[item.role]}: ${words}`
    if (words.trim() === '') continue
    said.unshift(line.length <= left ? line : `${line.slice(0, left)}…`)
    left -= line.length + 2
    if (left <= 0) break
  }
  return said.join('\n\n')
}

function textOf(part: TranscriptAnswerItem['parts'][number]): string[] {
  if (typeof part !== 'object' || part === null || Array.isArray(part) || part['type'] !== 'text') return []
  return typeof part['text'] === 'string' ? [part['text']] : []
}
