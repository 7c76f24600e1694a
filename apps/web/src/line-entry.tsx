import { LedgerTotals, type TranscriptItem } from '@holdfast/conversation'
import { costOfTotals, costText, costTitle } from './cost-words.ts'
import { shortCount } from './format.ts'
import { showLeftOut } from './inspector/shown-request.ts'
import { type PlainKey, say } from './language/say.ts'
import { ErasedReceipt } from './message/erased-receipt.tsx'
import { wordsOf } from './thread-parts.ts'

/** Something between turns, in one line: a notice, or an accounting line. */
export function LineEntry({ item }: { readonly item: TranscriptItem }) {
  const severity = item.detail['severity']
  return (
    <p
      className={item.role === 'accounting' ? 'line-entry accounting' : 'line-entry'}
      data-testid={item.role === 'accounting' ? 'accounting-line' : 'notice'}
      data-severity={typeof severity === 'string' ? severity : undefined}
    >
      <span title={item.role === 'accounting' ? say('message.for-you-never-sent-to') : undefined}>
        {item.state === 'erased' ? <ErasedReceipt item={item} /> : lineWords(item)}
      </span>
    </p>
  )
}

/** Where what is sent begins; it leads to what is left out. [WIN7] */
export function WindowLine({ leftOutCount }: { readonly leftOutCount: number }) {
  return (
    <div className="line-entry window-line" data-testid="memory-window-line">
      {/* biome-ignore lint/a11y/useSemanticElements: a rule has no words */}
      <span role="separator">{say('message.not-sent-to-the-model', { count: leftOutCount })}</span>
      <button type="button" className="link-button" onClick={showLeftOut}>
        {say('message.what-is-left-out')}
      </button>
    </div>
  )
}

function lineWords(item: TranscriptItem): string {
  if (item.role === 'accounting') return accountingWords(item)
  switch (item.detail['code']) {
    case 'checkpoint-undone':
      return say('message.summary-checkpoint-undone-what-it')
    case 'agent-switched':
      return say('message.answers-from-here', { agent: wordsOf(item.parts) })
    default:
      return wordsOf(item.parts)
  }
}

function accountingWords({ detail }: TranscriptItem): string {
  const { reason, setAsideCount } = detail
  const words = [say(REASONS[String(reason)] ?? 'message.set-aside')]
  if (typeof setAsideCount === 'number') words.push(say('message.messages-set-aside', { count: setAsideCount }))
  const totals = LedgerTotals.safeParse(detail['totals'])
  if (totals.success && totals.data.requestCount > 0) words.push(totalsText(totals.data))
  return words.join(' · ')
}

function totalsText(totals: LedgerTotals): string {
  const written = totals.cacheCreation5mTokens + totals.cacheCreation1hTokens
  const cost = costOfTotals(totals, null)
  const parts = [
    say('message.so-far-in', { tokens: shortCount(totals.inputTokens) }),
    say('message.so-far-out', { tokens: shortCount(totals.outputTokens) }),
    ...(totals.cacheReadTokens > 0
      ? [say('message.so-far-cache-read', { tokens: shortCount(totals.cacheReadTokens) })]
      : []),
    ...(written > 0 ? [say('message.so-far-cache-write', { tokens: shortCount(written) })] : []),
    ...(totals.costUsd > 0 || totals.unpricedCount > 0
      ? [costText(cost) === '—' ? costTitle(cost) : costText(cost)]
      : []),
  ]
  return parts.join(' · ')
}

const REASONS: Readonly<Record<string, PlainKey>> = {
  edit: 'message.message-edited',
  retry: 'message.retry',
  'retry-after-error': 'message.retry-after-error',
  redo: 'message.redone',
  rewind: 'message.rewound',
  person: 'message.archived',
  reset: 'message.begun-anew',
}
