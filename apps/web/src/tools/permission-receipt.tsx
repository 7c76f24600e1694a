import type { TranscriptPermission } from '@holdfast/conversation'
import { exactTime } from '../format.ts'
import { Glyph } from '../icons.tsx'

type Settled = NonNullable<TranscriptPermission['settled']>

/** What became of a request for permission, kept for good. [PERM3] */
export function PermissionReceipt({ settled }: { readonly settled: Settled }) {
  return (
    <p className="receipt" data-testid="permission-receipt">
      <Glyph name={settled.outcome === 'allowed' ? 'ok' : 'denied'} lively={false} />
      <span>{[outcomeWords(settled), exactTime(settled.at)].join(' · ')}</span>
      {settled.reason && <q dir="auto">{settled.reason}</q>}
    </p>
  )
}

function outcomeWords({ outcome, by, scope }: Settled): string {
  switch (outcome) {
    case 'allowed':
      return `Allowed ${SCOPES[scope ?? 'call']} · ${BY[by]}`
    case 'denied':
      return `Denied · ${BY[by]}`
    case 'cancelled':
      return `Cancelled · ${BY[by]}`
  }
}

const SCOPES: Readonly<Record<NonNullable<Settled['scope']>, string>> = {
  call: 'once',
  conversation: 'for this conversation',
  pattern: 'for calls like it',
  category: 'for all of its kind',
  always: 'always',
}

const BY: Readonly<Record<Settled['by'], string>> = {
  person: 'you',
  mode: 'the permission mode',
  rule: 'a rule',
  stop: 'stopped',
  recovery: 'the server ended',
  unattended: 'nobody was there',
}
