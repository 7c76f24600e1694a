import type { Client, ConversationStore, SettingChanges } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import { askedSetting } from '../shared/asked-setting.ts'
import { say } from '../shared/language/say.ts'
import { WorkspacePicker } from './workspace-picker.tsx'

interface ChosenWorkspaceProps {
  readonly client: Client
  readonly store: ConversationStore
  readonly onChoose: (name: string, settings: SettingChanges) => void
}

/** Where a conversation works. Another one holds from its next request on; the switch says first what it breaks in the cache. [UI54] */
export function ChosenWorkspace({ client, store, onChoose }: ChosenWorkspaceProps) {
  const known = useConversation(store, (state) => state.overview.settings.workspaceId ?? null)
  const asked = useConversation(store, ({ outbox }) => askedSetting(outbox, 'workspaceId'))
  return (
    <WorkspacePicker
      client={client}
      chosenId={asked ?? known}
      onChoose={({ id, name }) => onChoose(say('page.switch-to', { model: name }), { workspaceId: id })}
    />
  )
}
