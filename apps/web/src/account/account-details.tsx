import type { AccountApi, Me } from '@holdfast/client'
import { KeyList } from './key-list.tsx'
import { OwnBudget } from './own-budget.tsx'
import { PasswordForm } from './password-form.tsx'
import { SessionList } from './session-list.tsx'
import { UserList } from './user-list.tsx'

interface DetailsProps {
  readonly account: AccountApi
  readonly role: Me['role']
  readonly ownId: string
}

/** What belongs to who is signed in; for an admin the others too. */
export function AccountDetails({ account, role, ownId }: DetailsProps) {
  return (
    <>
      <OwnBudget account={account} />
      <SessionList account={account} />
      <KeyList account={account} isAdmin={role === 'admin'} />
      <PasswordForm account={account} />
      {role === 'admin' && <UserList account={account} ownId={ownId} />}
    </>
  )
}
