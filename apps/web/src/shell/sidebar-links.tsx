import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import type { InboxItem } from '@holdfast/protocol'
import { useEffect } from 'react'
import { useFreshInbox } from '../schedules/use-fresh-inbox.ts'
import { navigate, pathOf } from '../shared/address.ts'
import { say } from '../shared/language/say.ts'

/** What went well is there to be seen, and needs nobody. */
const WENT_WELL = /(finished|stopped|missed)$/

function needsPerson({ kind }: InboxItem): boolean {
  return !WENT_WELL.test(kind)
}

/** The ways to what needs the person, and to what is planned. */
export function SidebarLinks({ client, onChosen }: { readonly client: Client; readonly onChosen: () => void }) {
  useFreshInbox(client)
  useEffect(() => client.inbox.load(), [client])
  const count = useObservable(client.inbox, ({ value }) => value?.items.filter(needsPerson).length ?? 0)
  const links = [
    { section: 'inbox', words: count === 0 ? say('inbox.page') : say('inbox.count', { count: String(count) }) },
    { section: 'schedules', words: say('schedules.page') },
  ] as const
  return (
    <div className="sidebar-links">
      {links.map(({ section, words }) => (
        <a
          key={section}
          href={pathOf({ type: 'settings', section })}
          data-testid={`open-${section}`}
          data-state={section === 'inbox' && count > 0 ? 'waiting' : undefined}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return
            event.preventDefault()
            navigate({ type: 'settings', section }, 'push')
            onChosen()
          }}
        >
          {words}
        </a>
      ))}
    </div>
  )
}
