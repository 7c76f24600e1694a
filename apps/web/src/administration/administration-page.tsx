import type { AccountApi, Client } from '@holdfast/client'
import { isAdministrator } from '../account/is-administrator.ts'
import { useAsked } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import { AuditCard } from './audit-card.tsx'
import { HealthCard } from './health-card.tsx'
import { PeopleCard } from './people-card.tsx'
import { ServersCard } from './servers-card.tsx'
import { useKept } from './use-kept.ts'

/** The people of this installation, what they allowed, and its servers: for administrators. [UI57] */
export function AdministrationPage({ client, account }: { readonly client: Client; readonly account: AccountApi }) {
  const [{ value: me, problem }] = useAsked(account.readMe)
  if (problem !== null)
    return (
      <p className="problem" role="alert">
        {problem}
      </p>
    )
  if (me === null) return <p className="meta">{say('administration.reading')}</p>
  if (me.account === null) return <p>{say('administration.without-accounts')}</p>
  if (!isAdministrator(me)) return <p>{say('administration.only-administrators')}</p>
  return <Cards client={client} account={account} ownId={me.userId} />
}

interface CardsProps {
  readonly client: Client
  readonly account: AccountApi
  readonly ownId: string
}

/** Each card asks for itself: what cannot be read leaves the others. */
function Cards({ client, account, ownId }: CardsProps) {
  const people = useKept(client.listPeople, null)
  return (
    <div className="administration" data-testid="administration">
      <p className="settings-lead">{say('administration.lead')}</p>
      <PeopleCard client={client} account={account} ownId={ownId} people={people} />
      <AuditCard client={client} people={people.asked.value ?? []} />
      <HealthCard client={client} />
      <ServersCard client={client} />
    </div>
  )
}
