import {
  type ConversationContext,
  type ConversationStore,
  type ReceiptAnswer,
  RequestFailedError,
} from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { TranscriptItem } from '@holdfast/conversation'
import { useState } from 'react'
import { costOf, costText } from '../cost-words.ts'
import { shortCount, timeOfDay } from '../format.ts'
import { say } from '../language/say.ts'
import { errorText } from '../problem-words.ts'
import { stateWord } from '../state-word.ts'
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
  const [receipt, setReceipt] = useState<ReceiptAnswer | string | null>(null)
  const { usage, stepId, toolCalls, state } = item

  async function show(): Promise<void> {
    if (receipt !== null) {
      setReceipt(null)
      return
    }
    try {
      setReceipt(await context.readReceipt(stepId ?? ''))
    } catch (error) {
      if (!(error instanceof RequestFailedError)) throw error
      setReceipt(errorText(error))
    }
  }

  const read = usage ? usage.inputTokens + usage.cacheReadTokens : 0
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
      {typeof receipt === 'string' && <p className="problem">{say('inspector.not-read', { problem: receipt })}</p>}
      {receipt !== null && typeof receipt !== 'string' && (
        <div data-testid="receipt" data-state={receipt.isExact ? 'exact' : 'differs'}>
          <p className="meta">
            {receipt.isExact
              ? say('inspector.sent-exactly', { model: receipt.modelId, hash: receipt.requestHash.slice(0, 12) })
              : say('inspector.sent-again', { model: receipt.modelId })}
          </p>
          {!receipt.isExact && receipt.erasedSeqs.length > 0 && (
            <p className="meta">{say('inspector.erased-since', { count: receipt.erasedSeqs.length })}</p>
          )}
          <RequestView request={receipt.request} />
        </div>
      )}
    </li>
  )
}
