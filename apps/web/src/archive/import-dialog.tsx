import type { Client } from '@holdfast/client'
import { Suspense, useRef, useState } from 'react'
import { Icon } from '../shared/icons.tsx'
import { say } from '../shared/language/say.ts'
import { later } from '../shared/later.tsx'
import { useImports } from './use-imports.ts'

const ImportPanel = later(async () => (await import('./import-panel.tsx')).ImportPanel)

interface DialogProps {
  readonly client: Client
  /** A conversation was opened from it. */
  readonly onOpened: () => void
}

/** The button that opens the import, and the import. What was begun goes on while it is closed. */
export function ImportDialog({ client, onOpened }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const imports = useImports(client)
  const [isWanted, setWanted] = useState(false)
  return (
    <>
      <button
        type="button"
        className="link-button import-button"
        onClick={() => {
          imports.pickUp()
          setWanted(true)
          dialog.current?.showModal()
        }}
      >
        {say('archive.import')}
      </button>
      <dialog ref={dialog} className="sheet" aria-labelledby="import-title">
        <header>
          <h2 id="import-title">{say('archive.import-conversations')}</h2>
          <button
            type="button"
            className="icon-button"
            aria-label={say('archive.close-import')}
            onClick={() => dialog.current?.close()}
          >
            <Icon name="close" />
          </button>
        </header>
        {isWanted && (
          <Suspense fallback={null}>
            <ImportPanel
              client={client}
              imports={imports}
              onOpened={() => {
                dialog.current?.close()
                onOpened()
              }}
            />
          </Suspense>
        )}
      </dialog>
    </>
  )
}
