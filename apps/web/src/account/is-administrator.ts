import type { Me } from '@holdfast/client'

/** Whether someone looks after an installation with accounts. Without accounts there is nobody to look after. */
export function isAdministrator(me: Me | null): boolean {
  return me?.account !== null && me?.role === 'admin'
}
