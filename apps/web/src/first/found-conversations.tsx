import type { Client } from '@holdfast/client'
import { FoundRows } from '../archive/found-rows.tsx'
import { ShownImports } from '../archive/import-panel.tsx'
import { useImports } from '../archive/use-imports.ts'

/** What other programs have left on the disk, and what becomes of what is imported of it. [UI111] */
export function FoundConversations({ client }: { readonly client: Client }) {
  const imports = useImports(client)
  return (
    <>
      <FoundRows client={client} imports={imports} />
      {imports.shown.length > 0 && (
        <li>
          <ShownImports imports={imports} onOpened={() => {}} />
        </li>
      )}
    </>
  )
}
