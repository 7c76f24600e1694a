import type { Me } from '@holdfast/client'

/** Whether someone looks after an installation with accounts. Without accounts there is nobody to look after. */
export function isAdministrator(me: Me | null): boolean {
  return me?.account !== null && me?.role === 'admin'
}

/** Whether someone is one of the others in an installation with accounts: what holds for everybody is not theirs to see and set. */
export function isUser(me: Me | null): boolean {
  return me !== null && me.account !== null && me.role !== 'admin'
}
