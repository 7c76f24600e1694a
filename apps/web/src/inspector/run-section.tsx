import type { ConversationContext, ConversationStore, ReceiptAnswer } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { TranscriptItem, TranscriptUsage } from '@holdfast/conversation'
import { useState } from 'react'
import { type Answer, answerOf } from '../shared/ask-server.ts'
import { costOf, costText } from '../shared/cost-words.ts'
import { shortCount, timeOfDay } from '../shared/format.ts'
import { say } from '../shared/language/say.ts'
import { stateWord } from '../shared/state-word.ts'
import { RequestView } from './request-view.tsx'

/** So many of the newest requests are listed. */
const SHOWN_STEPS = 12

interface RunSectionProps {
  readonly context: ConversationContext
  readonly store: ConversationStore
}

/** The newest requests, and what each of them sent. [REQ1] */
export function RunSection({ context, store }: RunSectionProps) {
  const items = useConversation(store, (state) => state.window.items)
  const steps = items.filter(({ role, stepId }) => role === 'assistant' && stepId !== null).slice(-SHOWN_STEPS)
  if (steps.length === 0) return null
  return (
    <section className="inspector-part" data-testid="inspector-run">
      <header>
        <h3>{say('inspector.requests')}</h3>
        <span className="meta">{say('inspector.newest-first')}</span>
      </header>
      <ul className="steps">
        {steps.toReversed().map((item) => (
          <Step key={item.seq} item={item} context={context} />
        ))}
      </ul>
    </section>
  )
}

function Step({ item, context }: { readonly item: TranscriptItem; readonly context: ConversationContext }) {
  const [receipt, setReceipt] = useState<Answer<ReceiptAnswer> | null>(null)
  const { usage, stepId, toolCalls, state } = item

  async function show(): Promise<void> {
    if (receipt !== null) {
      setReceipt(null)
      return
    }
    setReceipt(await answerOf(context.readReceipt(stepId ?? '')))
  }

  const read = usage ? readTokens(usage) : 0
  const facts = [
    ...(usage ? [`${shortCount(read)}→${shortCount(usage.outputTokens)}`] : []),
    ...(usage && usage.cacheReadTokens > 0
      ? [say('inspector.cache-share', { percent: Math.round((usage.cacheReadTokens / read) * 100) })]
      : []),
    ...(usage ? [costText(costOf([usage]))] : []),
    ...(toolCalls.length > 0 ? [say('inspector.tool-calls', { count: toolCalls.length })] : []),
    ...(state === 'complete' ? [] : [stateWord(state)]),
  ]
  return (
    <li>
      <div className="step-line">
        <span className="figure">{timeOfDay(item.at)}</span>
        <span className="figure grows">{facts.join(' · ')}</span>
        <button type="button" className="link-button" aria-expanded={receipt !== null} onClick={() => void show()}>
          {receipt === null ? say('inspector.receipt') : say('inspector.hide')}
        </button>
      </div>
      {receipt?.type === 'failed' && (
        <p className="problem">{say('inspector.not-read', { problem: receipt.problem })}</p>
      )}
      {receipt?.type === 'here' && <Receipt receipt={receipt.value} />}
    </li>
  )
}

function Receipt({ receipt }: { readonly receipt: ReceiptAnswer }) {
  const { isExact, modelId, requestHash, erasedSeqs, request } = receipt
  return (
    <div data-testid="receipt" data-state={isExact ? 'exact' : 'differs'}>
      <p className="meta">
        {isExact
          ? say('inspector.sent-exactly', { model: modelId, hash: requestHash.slice(0, 12) })
          : say('inspector.sent-again', { model: modelId })}
      </p>
      {!isExact && erasedSeqs.length > 0 && (
        <p className="meta">{say('inspector.erased-since', { count: erasedSeqs.length })}</p>
      )}
      <RequestView request={request} />
    </div>
  )
}

/** All that was read: anew, from the cache and into it, as the margin of the thread adds it up. */
function readTokens(usage: TranscriptUsage): number {
  const { inputTokens, cacheReadTokens, cacheCreation5mTokens, cacheCreation1hTokens } = usage
  return inputTokens + cacheReadTokens + cacheCreation5mTokens + cacheCreation1hTokens
}
