import type { Client, ConversationStore } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { useMemo } from 'react'
import type { ShortcutId } from '../../shared/keys/shortcuts.ts'
import { Palette } from './palette.tsx'
import { shellActs } from './shell-acts.ts'

interface PaletteSource {
  readonly client: Client
  readonly store: ConversationStore | null
  readonly press: (id: ShortcutId) => void
  readonly onClose: () => void
}

/** The palette over the page; the acts are those of the moment in which it is opened. */
export function OpenPalette({ client, store, press, onClose }: PaletteSource) {
  const { rows } = useObservable(client.conversations, (list) => list)
  const models = useObservable(client.models, ({ value }) => value)
  const agents = useObservable(client.agents, ({ value }) => value?.agents)
  const acts = useMemo(
    () => shellActs({ client, store, rows, models, agents: agents ?? [], press }),
    [client, store, rows, models, agents, press],
  )
  return <Palette client={client} acts={acts} onClose={onClose} />
}
