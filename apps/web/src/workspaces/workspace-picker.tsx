import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { START_WORKSPACE } from '@holdfast/protocol'
import { Suspense, useState } from 'react'
import { say } from '../shared/language/say.ts'
import { later } from '../shared/later.tsx'
import { Picker } from '../shared/picker.tsx'

const OpenFolder = later(async () => (await import('./open-folder.tsx')).OpenFolder)

const NONE = ''
const OPEN = 'open'

interface WorkspacePickerProps {
  readonly client: Client
  /** Null for the one of the start, if there is one. */
  readonly chosenId: string | null
  readonly onChoose: (workspace: { readonly id: string; readonly name: string }) => void
}

/** Where a conversation works. Where nothing can be chosen, there is no picker. [UI54] */
export function WorkspacePicker({ client, chosenId, onChoose }: WorkspacePickerProps) {
  const known = useObservable(client.workspaces, ({ value }) => value)
  const [isOpening, setOpening] = useState(false)
  const rows = known?.workspaces ?? []
  const value = chosenId ?? (rows.some(({ id }) => id === START_WORKSPACE) ? START_WORKSPACE : NONE)
  const chosen = rows.find(({ id }) => id === value)
  if (known === undefined || (rows.length === 0 && chosenId === null && !known.canOpen)) return null
  const words = chosen?.name ?? say(value === NONE ? 'workspaces.none' : 'workspaces.chosen-gone')
  return (
    <>
      <Picker
        testId="workspace-picker"
        state={chosen === undefined ? 'none' : chosen.isThere ? 'there' : 'gone'}
        name={say('workspaces.workspace')}
        words={words}
        isName
        title={chosen?.root}
        value={value}
        onChoose={(id) => {
          const row = rows.find((one) => one.id === id)
          if (row) onChoose(row)
          else if (id === OPEN) setOpening(true)
        }}
      >
        {chosen === undefined && (
          <option value={value} disabled>
            {words}
          </option>
        )}
        {rows.map(({ id, name, root }) => (
          <option key={id} value={id}>
            {`${name} – ${root}`}
          </option>
        ))}
        {known.canOpen && <option value={OPEN}>{say('workspaces.open-asking')}</option>}
      </Picker>
      {isOpening && (
        <Suspense fallback={null}>
          <OpenFolder client={client} onOpened={onChoose} onClose={() => setOpening(false)} />
        </Suspense>
      )}
    </>
  )
}
