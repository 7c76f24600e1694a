import type { Client } from '@holdfast/client'
import { ShownImports } from '../archive/import-panel.tsx'
import { useImports } from '../archive/use-imports.ts'
import { bytesText } from '../composer/attach/bytes-text.ts'
import { useAsked } from '../shared/ask-server.ts'
import { dayAndTime } from '../shared/format.ts'
import { say } from '../shared/language/say.ts'
import { Step } from './step.tsx'

/** What other programs have left on the disk, by names and sizes; it is read when the person presses. [UI111] */
export function FoundConversations({ client }: { readonly client: Client }) {
  const [asked] = useAsked(client.listFoundLogs)
  const imports = useImports(client)
  const begun = new Set(imports.shown.map(({ name }) => name))
  return (
    <>
      {(asked.value ?? []).map((found) => (
        <Step
          key={found.id}
          kind="conversations"
          name={say('first.conversations-of', { name: found.name })}
          says={say('first.conversations-says', {
            count: found.logCount,
            size: bytesText(found.sizeBytes),
            day: dayAndTime(found.changedAt),
            folder: found.folder,
          })}
        >
          {!begun.has(found.name) && (
            <button
              type="button"
              className="button small"
              aria-label={say('first.import-of', { name: found.name })}
              onClick={() => imports.addFound(found)}
            >
              {say('first.import')}
            </button>
          )}
        </Step>
      ))}
      {imports.shown.length > 0 && (
        <li>
          <ShownImports imports={imports} onOpened={() => {}} />
        </li>
      )}
    </>
  )
}
