import type { ConversationContext, ConversationStore, ReceiptAnswer } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { Purpose, TranscriptUsage } from '@holdfast/conversation'
import type { LedgerAnswer } from '@holdfast/protocol'
import { useMemo, useState } from 'react'
import { type Answer, answerOf } from '../shared/ask-server.ts'
import { costOf, costText } from '../shared/cost-words.ts'
import { shortCount, timeOfDay } from '../shared/format.ts'
import { type PlainKey, say } from '../shared/language/say.ts'
import { stateWord } from '../shared/state-word.ts'
import { useLedger } from '../shared/use-ledger.ts'
import { RequestView } from './request-view.tsx'

interface RunSectionProps {
  readonly context: ConversationContext
  readonly store: ConversationStore
}

type RequestRecord = LedgerAnswer['records'][number]

/** The newest requests, whatever they were for, and what each of them sent and cost. [REQ1, RUN17] */
export function RunSection({ context, store }: RunSectionProps) {
  const { value } = useLedger({ context, store }, true)
  const items = useConversation(store, (state) => state.window.items)
  const callCounts = useMemo(() => new Map(items.map(({ stepId, toolCalls }) => [stepId, toolCalls.length])), [items])
  if (!value || value.records.length === 0) return null
  return (
    <section className="inspector-part" data-testid="inspector-run">
      <header>
        <h3>{say('inspector.requests')}</h3>
        <span className="meta">{say('inspector.newest-first')}</span>
      </header>
      <ul className="steps">
        {value.records.toReversed().map((record) => (
          <Step
            key={record.seq}
            record={record}
            callCount={callCounts.get(record.stepId ?? null) ?? 0}
            context={context}
          />
        ))}
      </ul>
    </section>
  )
}

interface StepProps {
  readonly record: RequestRecord
  /** How many tools its answer called. */
  readonly callCount: number
  readonly context: ConversationContext
}

function Step({ record, callCount, context }: StepProps) {
  const [receipt, setReceipt] = useState<Answer<ReceiptAnswer> | null>(null)
  const { stepId, purpose, outcome, carried } = record

  async function show(asked: string): Promise<void> {
    if (receipt !== null) {
      setReceipt(null)
      return
    }
    setReceipt(await answerOf(context.readReceipt(asked)))
  }

  const read = readTokens(record)
  const facts = [
    ...(purpose === 'turn' ? [] : [say(PURPOSES[purpose])]),
    `${shortCount(read)}→${shortCount(record.outputTokens)}`,
    ...(record.cacheReadTokens > 0
      ? [say('inspector.cache-share', { percent: Math.round((record.cacheReadTokens / read) * 100) })]
      : []),
    costText(costOf([record])),
    ...(callCount > 0 ? [say('inspector.tool-calls', { count: callCount })] : []),
    ...(outcome === 'completed' ? [] : [stateWord(outcome)]),
    ...(carried ? [say('inspector.made-in-the-conversation')] : []),
  ]
  return (
    <li data-purpose={purpose}>
      <div className="step-line">
        <span className="figure">{timeOfDay(record.at)}</span>
        <span className="figure grows">{facts.join(' · ')}</span>
        {stepId !== undefined && !carried && (
          <button
            type="button"
            className="link-button"
            aria-expanded={receipt !== null}
            onClick={() => void show(stepId)}
          >
            {receipt === null ? say('inspector.receipt') : say('inspector.hide')}
          </button>
        )}
      </div>
      {receipt?.type === 'failed' && (
        <p className="problem">{say('inspector.not-read', { problem: receipt.problem })}</p>
      )}
      {receipt?.type === 'here' && <Receipt receipt={receipt.value} />}
    </li>
  )
}

const PURPOSES: Readonly<Record<Exclude<Purpose, 'turn'>, PlainKey>> = {
  title: 'inspector.for-a-title',
  checkpoint: 'inspector.for-a-summary',
  sampling: 'inspector.lent-to-a-server',
  gateway: 'inspector.by-an-external-agent',
}

function Receipt({ receipt }: { readonly receipt: ReceiptAnswer }) {
  const { isExact, erasedSeqs, request } = receipt
  return (
    <div data-testid="receipt" data-state={isExact ? 'exact' : request === null ? 'gone' : 'differs'}>
      <p className="meta">{receiptWords(receipt)}</p>
      {!isExact && erasedSeqs.length > 0 && (
        <p className="meta">{say('inspector.erased-since', { count: erasedSeqs.length })}</p>
      )}
      {request !== null && <RequestView request={request} />}
    </div>
  )
}

function receiptWords({ isExact, notRebuilt, modelId: model, requestHash }: ReceiptAnswer): string {
  const hash = requestHash.slice(0, 12)
  if (notRebuilt !== null) return say(NOT_REBUILT[notRebuilt], { model, hash })
  return isExact ? say('inspector.sent-exactly', { model, hash }) : say('inspector.sent-again', { model })
}

const NOT_REBUILT = {
  'model-gone': 'inspector.not-connected-any-more',
  erased: 'inspector.its-words-were-erased',
  'not-recorded': 'inspector.by-an-older-version',
  'passed-on': 'inspector.passed-on',
} as const

type InputKind = 'inputTokens' | 'cacheReadTokens' | 'cacheCreation5mTokens' | 'cacheCreation1hTokens'

/** All that was read: anew, from the cache and into it, as the margin of the thread adds it up. */
function readTokens(usage: Pick<TranscriptUsage, InputKind>): number {
  const { inputTokens, cacheReadTokens, cacheCreation5mTokens, cacheCreation1hTokens } = usage
  return inputTokens + cacheReadTokens + cacheCreation5mTokens + cacheCreation1hTokens
}
