import type { PermissionGuard } from '@holdfast/conversation'
import type { PlainKey } from '../shared/language/say.ts'

const GUARDS: Readonly<Record<PermissionGuard, PlainKey>> = {
  'unreadable-command': 'tools.asks-by-cannot-be-told',
  'raised-rights': 'tools.asks-by-rights',
  'destructive-command': 'tools.asks-by-destroy',
  'repeated-call': 'tools.asks-by-same-call',
  'untrusted-content': 'tools.asks-by-words-of-strangers',
}

/** Why a call is asked about, in the words of the page. What a guard or a rule found stands behind it, as it was written down. [UI17] */
export function permissionWhy({
  source,
  guard,
}: {
  readonly source: string
  readonly guard?: PermissionGuard
}): PlainKey {
  switch (source) {
    case 'guard':
      return guard === undefined ? 'tools.asks-by-careful-look' : GUARDS[guard]
    case 'ask-rule':
      return 'tools.asks-by-rule'
    default:
      return 'tools.asks-by-itself'
  }
}
