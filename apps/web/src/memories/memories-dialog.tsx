import type { Client } from '@holdfast/client'
import { useRef, useState } from 'react'
import { Icon } from '../icons.tsx'
import { MemoriesPanel } from './memories-panel.tsx'

interface DialogProps {
  readonly client: Client
  readonly currentId: string | null
  /** A conversation was opened from it. */
  readonly onOpened: () => void
}

/** The button that opens what agents remember, and what they remember. */
export function MemoriesDialog({ client, currentId, onOpened }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className="link-button memories-button"
        onClick={() => {
          setOpen(true)
          dialog.current?.showModal()
        }}
      >
        Memories
      </button>
      <dialog ref={dialog} className="sheet" aria-labelledby="memories-title" onClose={() => setOpen(false)}>
        <header>
          <h2 id="memories-title">What agents remember of you</h2>
          <button
            type="button"
            className="icon-button"
            aria-label="Close memories"
            onClick={() => dialog.current?.close()}
          >
            <Icon name="close" />
          </button>
        </header>
        {isOpen && (
          <MemoriesPanel
            client={client}
            store={currentId === null ? null : client.conversation(currentId)}
            onOpened={() => {
              dialog.current?.close()
              onOpened()
            }}
          />
        )}
      </dialog>
    </>
  )
}
