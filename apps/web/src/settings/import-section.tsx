import type { Client } from '@holdfast/client'
import { useEffect, useRef } from 'react'
import { ImportPanel } from '../archive/import-panel.tsx'
import { useImports } from '../archive/use-imports.ts'
import { say } from '../language/say.ts'

/** The import as a part of the settings; it shows what runs on the server already. */
export function ImportSection({ client }: { readonly client: Client }) {
  const imports = useImports(client)
  const pickUp = useRef(imports.pickUp)
  useEffect(() => pickUp.current(), [])
  return (
    <section aria-labelledby="settings-import">
      <h2 id="settings-import">{say('settings.import')}</h2>
      <ImportPanel imports={imports} onOpened={() => {}} />
    </section>
  )
}
