import type { TranscriptPermission } from '@holdfast/conversation'
import { exactTime } from '../shared/format.ts'
import { Glyph } from '../shared/icons.tsx'
import { type PlainKey, say } from '../shared/language/say.ts'

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
      return [say(SCOPES[scope ?? 'call']), say(BY[by])].join(' · ')
    case 'denied':
      return [say('tools.denied-receipt'), say(BY[by])].join(' · ')
    case 'cancelled':
      return [say('tools.cancelled-receipt'), say(BY[by])].join(' · ')
  }
}

const SCOPES: Readonly<Record<NonNullable<Settled['scope']>, PlainKey>> = {
  call: 'tools.allowed-once',
  conversation: 'tools.allowed-here',
  pattern: 'tools.allowed-like-it',
  category: 'tools.allowed-kind',
  always: 'tools.allowed-always',
}

const BY: Readonly<Record<Settled['by'], PlainKey>> = {
  person: 'tools.by-you',
  mode: 'tools.the-permission-mode',
  rule: 'tools.a-rule',
  stop: 'tools.by-stop',
  recovery: 'tools.the-server-ended',
  unattended: 'tools.nobody-was-there',
}
