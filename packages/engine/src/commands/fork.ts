import { type RequestFacts, requestFacts } from '@holdfast/context'
import { type Entry, entriesAfter, isInRanges, type NewEntry, type Overview, rangesUpTo } from '@holdfast/conversation'
import type { ForkConversation, LedTo } from '../api/conversation-engine.ts'
import type { EnginePorts } from '../api/ports.ts'
import { pathRefused } from '../api/refused-command-error.ts'
import { UnknownConversationError } from '../api/unknown-conversation.ts'
import type { Hosts } from '../live/hosts.ts'
import { ENGINE } from '../log/engine-actor.ts'
import type { LiveLog } from '../log/live-log.ts'
import { countMessages, isExchangeEnd } from '../log/path-log.ts'
import { entryAt } from '../log/path-reader.ts'
import { switchEntry } from './agents.ts'
import { carryPath } from './carry-path.ts'
import { conversationIdOf } from './create-conversation.ts'

/** What a fork works with. */
export interface ForkDeps {
  readonly ports: EnginePorts
  readonly hosts: Hosts
  /** The log that is forked. */
  readonly log: LiveLog
}

/**
 * Begins a conversation whose log holds the path up to an entry, in one append: the same settings, title and tool
 * definitions, the canvases as they were there, references to blobs kept, usage marked as carried. The log that it comes
 * from does not change. [COST8, CANVAS3]
 */
export async function fork({ ports, hosts, log }: ForkDeps, command: ForkConversation): Promise<LedTo> {
  const { commandId, atSeq } = command
  await log.refresh()
  const state = log.overview()
  const { ownerId } = state
  if (ownerId === null) throw new UnknownConversationError(log.conversationId)
  const conversationId = conversationIdOf(ports, {
    ownerId,
    commandId: `fork ${log.conversationId} ${commandId}`,
  })
  const entries = await forkedLog({ ports, log, state }, { ...command, ownerId })
  const key = { commandId, fingerprint: ports.sha256(JSON.stringify(['fork', log.conversationId, atSeq])) }
  await hosts.use(conversationId, ({ log: forked }) =>
    forked.append({ epoch: null, command: key, dropDraft: null }, () => entries),
  )
  return { conversationId }
}

interface Source {
  readonly ports: EnginePorts
  readonly log: LiveLog
  readonly state: Overview
}

/** @throws {RefusedCommandError} when the place is not the end of an exchange. */
async function forkedLog({ ports, log, state }: Source, forking: ForkConversation & { readonly ownerId: string }) {
  const { actor, commandId, ownerId, atSeq } = forking
  const { conversationId } = log
  if (atSeq > state.head) throw pathRefused(atSeq, `the log ends at ${state.head}`)
  const isEnd = atSeq > 0 && (await isExchangeEnd(ports.store, { conversationId, path: state.path, seq: atSeq }))
  if (!isEnd) throw pathRefused(atSeq, 'it is not the end of an exchange; a fork keeps whole exchanges')
  const { entries, facts } = await readSource({ ports, log, state }, atSeq)
  const origin = { type: 'fork' as const, conversationId, seq: atSeq }
  const { agent } = state.settingLayers
  const beginning: NewEntry[] = [
    {
      type: 'conversation-created',
      actor,
      commandId,
      ownerId,
      settings: state.settingLayers.own,
      origin,
    },
    ...(agent === null ? [] : [switchEntry(agent, { actor, commandId })]),
  ]
  const { text: title, source } = state.title
  if (title !== null && source !== null) beginning.push({ type: 'title-changed', actor, commandId, title, source })
  const place = state.toolDefinitions
  const tools = place && (await entryAt(ports.store, { conversationId, seq: place.seq, type: 'tools-changed' }))
  if (tools) {
    const { hash, definitions, instructions, leftOut } = tools
    const said = { ...(instructions && { instructions }), ...(leftOut && { leftOut }) }
    beginning.push({ type: 'tools-changed', actor: ENGINE, commandId, hash, definitions, ...said })
  }
  const carried = carryPath({ entries, facts, firstSeq: beginning.length + 1 })
  return [...beginning, ...carried, forkedNotice(entries, title)]
}

/** The accounting line of a fork: what came along, and that its cost counts where it was made. */
function forkedNotice(entries: readonly Entry[], title: string | null): NewEntry {
  const records = entries.filter(({ type }) => type === 'usage-recorded').length
  const from = title === null ? 'another conversation' : `“${title}”`
  const text = `Branched from ${from}: ${countMessages(entries)} messages came along. What they cost, in ${records} requests, counts there.`
  return { type: 'notice-raised', actor: ENGINE, code: 'forked', severity: 'info', text }
}

/** The entries of the path and of the canvases up to a place, and what the whole log says of requests. */
async function readSource({ ports, log: { conversationId }, state }: Source, atSeq: number) {
  const ranges = rangesUpTo(state.path, atSeq)
  const entries: Entry[] = []
  let facts: RequestFacts = requestFacts.initial
  const whole = { conversationId, after: 0, to: state.head, pageEntries: PAGE }
  for await (const page of entriesAfter(ports.store, whole)) {
    facts = requestFacts.reduce(facts, page.entries)
    for (const entry of page.entries) {
      const isOfCanvas = entry.type === 'canvas-changed' && entry.seq <= atSeq
      if (isOfCanvas || isInRanges(ranges, entry.seq)) entries.push(entry)
    }
  }
  return { entries, facts }
}

const PAGE = 500
