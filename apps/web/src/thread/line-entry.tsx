import type { ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { ErasedItem, LedgerTotals, TranscriptItemOf } from '@holdfast/conversation'
import { showLeftOut } from '../inspector/shown-request.ts'
import { costOfTotals, costText, costTitle } from '../shared/cost-words.ts'
import { shortCount } from '../shared/format.ts'
import { type PlainKey, say } from '../shared/language/say.ts'
import { busyWords } from '../shared/when-free.ts'
import { EraseButton } from './message/erase-button.tsx'
import { ErasedReceipt } from './message/erased-receipt.tsx'
import type { ThreadActs } from './message/thread-acts.ts'
import { type LineItem, type RestoredItem, type SetAside, wordsOf } from './thread-parts.ts'

interface LineEntryProps {
  readonly item: WordedItem
  readonly store: ConversationStore
  /** Of an accounting line: what it set aside; null where there is nothing. */
  readonly setAside: SetAside | null
  readonly acts: ThreadActs
  readonly isBusy: boolean
}

/** Something between turns, in one line: a notice, or an accounting line. */
export function LineEntry({ item, store, setAside, acts, isBusy }: LineEntryProps) {
  const lastRunId = setAside?.lastRunId ?? null
  return (
    <p
      className={item.role === 'accounting' ? 'line-entry accounting' : 'line-entry'}
      data-testid={item.role === 'accounting' ? 'accounting-line' : 'notice'}
      data-severity={severityOf(item)}
    >
      <span title={item.role === 'accounting' ? say('message.for-you-never-sent-to') : undefined}>
        {item.state === 'erased' ? <ErasedReceipt item={item} /> : lineWords(item)}
      </span>
      {item.role === 'accounting' && <WrongTotalsNote seq={item.seq} store={store} />}
      {lastRunId !== null && (
        <button
          type="button"
          className="link-button"
          aria-disabled={isBusy}
          title={isBusy ? busyWords() : undefined}
          onClick={() => acts.whenFree(() => acts.selectBranch(lastRunId))}
        >
          {say('message.show-what-was-set-aside')}
        </button>
      )}
      {setAside !== null && setAside.seqs.length > 0 && (
        <EraseButton seqs={setAside.seqs} what="set-aside" acts={acts} isBusy={isBusy} />
      )}
    </p>
  )
}

/** Says where the figures of an accounting line are not those of the records before it. [COST13] */
function WrongTotalsNote({ seq, store }: { readonly seq: number; readonly store: ConversationStore }) {
  const wrong = useConversation(store, (state) => state.overview.ledger.wrongTotals.find((one) => one.seq === seq))
  if (!wrong) return null
  return (
    <span className="problem" data-testid="wrong-totals">
      {say('message.do-not-agree-with-the-records', { figures: totalsText(wrong.folded) })}
    </span>
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

/** A line that is words alone. */
type WordedItem = Exclude<LineItem, RestoredItem>

function severityOf(item: WordedItem): string | undefined {
  return item.state !== 'erased' && item.code === 'notice-raised' ? item.raised.severity : undefined
}

function lineWords(item: Exclude<WordedItem, ErasedItem>): string {
  switch (item.code) {
    case 'path-rewound':
      return accountingWords(item, [say('message.messages-set-aside', { count: item.accounting.setAsideCount })])
    case 'conversation-archived':
      return accountingWords(item, [])
    case 'checkpoint-undone':
      return say('message.summary-checkpoint-undone-what-it')
    case 'agent-switched':
      return say('message.answers-from-here', { agent: item.agentName })
    case 'notice-raised':
      return wordsOf(item.parts)
  }
}

function accountingWords({ accounting }: TranscriptItemOf<'accounting'>, setAside: readonly string[]): string {
  const { reason, totals } = accounting
  return [say(REASONS[reason]), ...setAside, ...(totals.requestCount > 0 ? [totalsText(totals)] : [])].join(' · ')
}

function totalsText(totals: LedgerTotals): string {
  const written = totals.cacheCreation5mTokens + totals.cacheCreation1hTokens
  const cost = costOfTotals(totals, null)
  const parts = [
    say('message.so-far-in', { tokens: shortCount(totals.inputTokens) }),
    say('message.so-far-out', { tokens: shortCount(totals.outputTokens) }),
    say('message.so-far-cache-read', { tokens: shortCount(totals.cacheReadTokens) }),
    say('message.so-far-cache-write', { tokens: shortCount(written) }),
    ...(totals.costUsd > 0 || totals.unpricedCount > 0
      ? [costText(cost) === '—' ? costTitle(cost) : costText(cost)]
      : []),
  ]
  return parts.join(' · ')
}

const REASONS: Readonly<Record<TranscriptItemOf<'accounting'>['accounting']['reason'], PlainKey>> = {
  edit: 'message.message-edited',
  retry: 'message.retry',
  'retry-after-error': 'message.retry-after-error',
  redo: 'message.redone',
  rewind: 'message.rewound',
  person: 'message.archived',
  reset: 'message.begun-anew',
}
