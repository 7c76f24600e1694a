import { LedgerTotals, type TranscriptItem } from '@holdfast/conversation'
import { costOfTotals, costText, costTitle } from './cost-words.ts'
import { shortCount, wholeCount } from './format.ts'
import { showLeftOut } from './inspector/shown-request.ts'
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
      <span title={item.role === 'accounting' ? 'For you, never sent to the model' : undefined}>{lineWords(item)}</span>
    </p>
  )
}

/** Where what is sent begins; it leads to what is left out. [WIN7] */
export function WindowLine({ leftOutCount }: { readonly leftOutCount: number }) {
  const messages = leftOutCount === 1 ? 'message is' : 'messages are'
  return (
    <div className="line-entry window-line" data-testid="memory-window-line">
      {/* biome-ignore lint/a11y/useSemanticElements: a rule has no words */}
      <span role="separator">{`${wholeCount(leftOutCount)} earlier ${messages} not sent to the model`}</span>
      <button type="button" className="link-button" onClick={showLeftOut}>
        What is left out
      </button>
    </div>
  )
}

function lineWords(item: TranscriptItem): string {
  if (item.state === 'erased') return 'Erased'
  if (item.role === 'accounting') return accountingWords(item)
  switch (item.detail['code']) {
    case 'checkpoint-undone':
      return 'Summary checkpoint undone: what it stood for is sent again, as far as it fits'
    case 'agent-switched':
      return `${wordsOf(item.parts)} answers from here on`
    default:
      return wordsOf(item.parts)
  }
}

function accountingWords({ detail }: TranscriptItem): string {
  const { reason, setAsideCount } = detail
  const words = [REASONS[String(reason)] ?? 'Set aside']
  if (typeof setAsideCount === 'number')
    words.push(`${wholeCount(setAsideCount)} message${setAsideCount === 1 ? '' : 's'} set aside`)
  const totals = LedgerTotals.safeParse(detail['totals'])
  if (totals.success && totals.data.requestCount > 0) words.push(totalsText(totals.data))
  return words.join(' · ')
}

function totalsText(totals: LedgerTotals): string {
  const written = totals.cacheCreation5mTokens + totals.cacheCreation1hTokens
  const cost = costOfTotals(totals, null)
  const parts = [
    `so far ${shortCount(totals.inputTokens)} in`,
    `${shortCount(totals.outputTokens)} out`,
    ...(totals.cacheReadTokens > 0 ? [`${shortCount(totals.cacheReadTokens)} cache read`] : []),
    ...(written > 0 ? [`${shortCount(written)} cache write`] : []),
    ...(totals.costUsd > 0 || totals.unpricedCount > 0
      ? [costText(cost) === '—' ? costTitle(cost) : costText(cost)]
      : []),
  ]
  return parts.join(' · ')
}

const REASONS: Readonly<Record<string, string>> = {
  edit: 'Message edited',
  retry: 'Retry',
  'retry-after-error': 'Retry after error',
  redo: 'Redone',
  rewind: 'Rewound',
  person: 'Archived',
  reset: 'Begun anew',
}
