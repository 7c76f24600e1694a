import * as z from 'zod'
import { hashOf, OfferedTool } from './offered-tool.ts'

/** What a person has accepted of a server: its tools word for word, and its instructions. */
export const PinnedServer = z.object({
  tools: z.array(OfferedTool),
  instructions: z.string().nullable(),
})
export type PinnedServer = z.infer<typeof PinnedServer>

/** Keeps what was accepted. */
export interface PinStore {
  /** An implementer gives back what was written last, or null before the first time. */
  read(server: string): Promise<PinnedServer | null>
  write(server: string, pinned: PinnedServer): Promise<void>
}

/** One thing in which a server is not what was accepted. It does not count until somebody accepts it. [TOOL9] */
export type OfferChange =
  | { readonly type: 'tool-added'; readonly name: string; readonly after: OfferedTool }
  | { readonly type: 'tool-changed'; readonly name: string; readonly before: OfferedTool; readonly after: OfferedTool }
  | { readonly type: 'tool-removed'; readonly name: string; readonly before: OfferedTool }
  | { readonly type: 'instructions-changed'; readonly before: string | null; readonly after: string | null }

/** What has changed between what was accepted and what is offered. */
export function changesOf(pinned: PinnedServer, offered: PinnedServer): readonly OfferChange[] {
  const before = new Map(pinned.tools.map((tool) => [tool.name, tool]))
  const after = new Map(offered.tools.map((tool) => [tool.name, tool]))
  const changes: OfferChange[] = []
  for (const [name, tool] of after) {
    const known = before.get(name)
    if (known === undefined) changes.push({ type: 'tool-added', name, after: tool })
    else if (hashOf(known) !== hashOf(tool)) changes.push({ type: 'tool-changed', name, before: known, after: tool })
  }
  for (const [name, tool] of before) if (!after.has(name)) changes.push({ type: 'tool-removed', name, before: tool })
  if (pinned.instructions !== offered.instructions)
    changes.push({ type: 'instructions-changed', before: pinned.instructions, after: offered.instructions })
  return changes
}
