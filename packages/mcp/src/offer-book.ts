import { createHash } from 'node:crypto'
import { canonicalJson, type ToolDefinition } from '@holdfast/tool'
import { hashOf, type OfferedTool, toDefinition } from './offered-tool.ts'
import { changesOf, type OfferChange, type PinnedServer, type PinStore } from './pins.ts'
import type { McpServerSettings } from './server-settings.ts'

/** A tool that may be called as it was accepted, or why not. */
export type FoundTool =
  | { readonly type: 'accepted'; readonly tool: OfferedTool }
  | { readonly type: 'withheld'; readonly reason: string }

/** What was accepted of one server, and what it offers now. */
export interface OfferBook {
  /** Reads what was accepted before. */
  open(): Promise<void>
  /** Notes what the server offers; the first offer of all is accepted with the operator's configuration. */
  offer(offered: PinnedServer): Promise<void>
  /** Takes the offer of this hash for accepted; false when the server offers something else by now. */
  accept(offerHash: string): Promise<boolean>
  offerHash(): string | null
  changes(): readonly OfferChange[]
  definitions(): readonly ToolDefinition[]
  instructions(): string | null
  /** By the name that the model knows. */
  find(name: string): FoundTool
}

/** Opens the book of a server. A definition counts only word for word as it was accepted. [TOOL9] */
export function createOfferBook(settings: McpServerSettings, pins: PinStore): OfferBook {
  const { name } = settings
  let pinned: PinnedServer | null = null
  let offered: PinnedServer | null = null
  let changes: readonly OfferChange[] = []
  let definitions: readonly ToolDefinition[] = []
  let accepted = new Map<string, OfferedTool>()

  function count(next: PinnedServer | null): void {
    pinned = next
    const tools = next?.tools ?? []
    definitions = tools.map((tool) => toDefinition(tool, settings))
    accepted = new Map(tools.map((tool, index) => [definitions[index]?.name ?? '', tool]))
    changes = pinned && offered ? changesOf(pinned, offered) : []
  }

  async function accept(): Promise<void> {
    if (offered === null) return
    await pins.write(name, offered)
    count(offered)
  }

  return {
    async open() {
      count(await pins.read(name))
    },
    async offer(next) {
      offered = next
      if (pinned === null) await accept()
      else changes = changesOf(pinned, next)
    },
    async accept(wanted) {
      if (wanted !== hashOfOffer(offered)) return false
      await accept()
      return true
    },
    offerHash: () => hashOfOffer(offered),
    changes: () => changes,
    definitions: () => definitions,
    instructions: () => pinned?.instructions ?? null,
    find(wanted) {
      const tool = accepted.get(wanted)
      if (tool === undefined) return { type: 'withheld', reason: `The server ${name} has no tool ${wanted}.` }
      // Before the server has answered nothing is known of it: the call waits, and asks again.
      const now = offered === null ? tool : offered.tools.find((other) => other.name === tool.name)
      if (now === undefined)
        return { type: 'withheld', reason: `The server ${name} no longer has the tool ${tool.name}.` }
      if (hashOf(now) !== hashOf(tool))
        return {
          type: 'withheld',
          reason: `The server ${name} has changed the definition of ${tool.name}. A person has to look at the change and accept it.`,
        }
      return { type: 'accepted', tool }
    },
  }
}

/** What a person sees is what they accept: a change in between is another offer. */
function hashOfOffer(offered: PinnedServer | null): string | null {
  if (offered === null) return null
  const { tools, instructions } = offered
  return createHash('sha256').update(canonicalJson({ tools, instructions })).digest('hex')
}
