import type { Account } from '@holdfast/protocol'
import { say } from '../shared/language/say.ts'

/** What a role is called. */
export function roleWord(role: Account['role']): string {
  return role === 'admin' ? say('account.admin') : say('account.user')
}
