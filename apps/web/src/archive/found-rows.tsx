import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import type { FoundLogsRow } from '@holdfast/protocol'
import { useAsked } from '../shared/ask-server.ts'
import { dayAndTime } from '../shared/format.ts'
import { bytesText } from '../shared/language/bytes-text.ts'
import { say } from '../shared/language/say.ts'
import { Step } from './step.tsx'
import type { ImportList } from './use-imports.ts'

interface FoundRowsProps {
  readonly client: Client
  readonly imports: ImportList
}

/** What other programs have left on the disk, by names and sizes; it is read when the person presses. [UI111] */
export function FoundRows({ client, imports }: FoundRowsProps) {
  // Whose the machine of the server is: what lies on it is offered to nobody else. [UI124]
  const isOwn = useObservable(client.workspaces, ({ value }) => value?.canOpen === true)
  const [asked] = useAsked(isOwn ? client.listFoundLogs : null)
  const begun = new Set(imports.shown.map(({ name }) => name))
  return (asked.value ?? []).map((found) => (
    <Step
      key={found.id}
      kind="conversations"
      name={say('first.conversations-of', { name: found.name })}
      says={<FoundWords found={found} />}
    >
      {found.logCount > 0 && !begun.has(found.name) && (
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
  ))
}

/** What may not be read is said before the press and after it. [UI121] */
function FoundWords({ found }: { readonly found: FoundLogsRow }) {
  const { logCount, sizeBytes, changedAt, folder, unreadableCount, unreadable } = found
  const names = unreadable.length < unreadableCount ? [...unreadable, '…'] : unreadable
  return (
    <>
      {logCount > 0 &&
        say('first.conversations-says', {
          count: logCount,
          size: bytesText(sizeBytes),
          day: dayAndTime(changedAt),
          folder,
        })}
      {unreadableCount > 0 && (
        <span className="first-step-warning" data-testid="found-unread">
          {say('first.conversations-unread', {
            count: unreadableCount,
            names: names.map((name) => (name === '' ? folder : name)).join(', '),
          })}
        </span>
      )}
    </>
  )
}
