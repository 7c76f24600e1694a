import type { CommandBase, Engine } from '../../../src/api/engine.ts'
import type { Chance } from '../parts/chance.ts'
import type { ConversationWatch } from '../rules/conversation-watch.ts'

/** What somebody does with the path. */
export interface PathAct {
  readonly label: string
  readonly leaves: 'path-rewound' | null
  readonly send: (engine: Engine, to: CommandBase & { readonly conversationId: string }) => Promise<unknown>
}

/** Edits a message, retries, rewinds, or goes to another branch; now and then to a place where no path can go. */
export function pathAct(chance: Chance, { paths, entries }: ConversationWatch, commandId: string): PathAct {
  const { onPath, setAside } = paths.ends()
  const anywhere = chance.below(entries.length + 2)
  const toSeq = chance.happens(0.1) ? anywhere : chance.pick([0, ...onPath])
  const content = [{ type: 'text' as const, text: `Instead ${commandId}` }]
  const kind = chance.weighted([
    ['edit' as const, 30],
    ['retry' as const, 30],
    ['retry-after-error' as const, 10],
    ['rewind' as const, 15],
    ['select' as const, setAside.length > 0 ? 60 : 1],
  ])
  if (kind === 'select') {
    const headSeq = setAside.length === 0 || chance.happens(0.1) ? anywhere : chance.pick(setAside)
    return { label: `selects ${headSeq}`, leaves: null, send: (engine, to) => engine.selectPath({ ...to, headSeq }) }
  }
  return {
    label: `rewinds to ${toSeq} (${kind})`,
    leaves: 'path-rewound',
    send: (engine, to) => engine.rewind({ ...to, toSeq, reason: kind, ...(kind === 'edit' ? { content } : {}) }),
  }
}
