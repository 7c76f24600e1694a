import type { Client, ConversationStore } from '@holdfast/client'
import { useConversation, useObservable } from '@holdfast/client/react'
import { AUTO_FIX, type AutoFix } from '@holdfast/conversation'
import { type PreviewErrorRow, type PreviewRow, previewErrorText, type SentPart } from '@holdfast/protocol'
import { useEffect, useState } from 'react'
import { usdText } from '../shared/cost-words.ts'
import { Glyph } from '../shared/icons.tsx'
import { type PlainKey, say } from '../shared/language/say.ts'
import type { PreviewSession } from './preview-session.ts'

interface ErrorBannerProps {
  readonly client: Client
  readonly store: ConversationStore
  readonly session: PreviewSession
  readonly row: PreviewRow
}

const NONE: readonly string[] = []

/** What is wrong on the page, and who mends it. [PREV5, WS4] */
export function ErrorBanner({ client, store, session, row }: ErrorBannerProps) {
  const conversationId = useConversation(store, (state) => state.conversationId)
  const fix = useConversation(store, ({ overview }) => overview.autoFix)
  const runId = useConversation(store, ({ overview }) => overview.runState.exclusive?.runId ?? null)
  const isRunning = runId !== null
  const isFixing = isRunning && fix.isOn && fix.last?.runId === runId
  const errors = useObservable(session, (state) => state.errors)
  const [ignored, setIgnored] = useState(NONE)
  const [isOpen, setOpen] = useState(false)
  const { isOn } = fix
  useEffect(() => {
    if (isOn) session.tellAgain()
  }, [isOn, session])
  const shown = errors.filter(({ signature }) => !ignored.includes(signature))
  const [first] = shown

  /** One message with the errors; with Alt it waits in the composer. */
  function mend(isEdited: boolean): void {
    const text = say('preview.fix-words')
    const parts = shown.slice(0, AUTO_FIX.mostSent).map(
      (error): Extract<SentPart, { type: 'error' }> => ({
        type: 'error',
        text: previewErrorText(error),
        url: row.origin,
      }),
    )
    if (!isEdited) {
      store.send([{ type: 'text', text }, ...parts], 'turn')
      return
    }
    const unsent = client.composer(conversationId)
    for (const part of parts) unsent.add(part)
    if (unsent.getSnapshot() === '') unsent.write(text)
    document.getElementById('composer-input')?.focus()
  }

  return (
    <div className="preview-state">
      {first !== undefined && (
        <div className="preview-error" role="alert" data-testid="preview-error">
          <Glyph name="failed" lively={false} />
          <span className="preview-error-words" dir="auto">
            {[
              errorLine(first),
              ...(shown.length > 1 ? [say('preview.more-errors', { count: shown.length - 1 })] : []),
            ].join(' · ')}
          </span>
          <span className="preview-acts">
            <button type="button" className="link-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {say('preview.show')}
            </button>
            <button
              type="button"
              className="button primary"
              data-testid="preview-fix"
              disabled={isRunning}
              title={say('preview.fix-title')}
              onClick={({ altKey }) => mend(altKey)}
            >
              {say('preview.fix')}
            </button>
            <button
              type="button"
              className="link-button"
              onClick={() => setIgnored([...ignored, ...shown.map(({ signature }) => signature)])}
            >
              {say('preview.ignore')}
            </button>
          </span>
          {isOpen && (
            <ol className="preview-errors" dir="auto">
              {shown.map((error) => (
                <li key={error.signature}>
                  <pre>{previewErrorText(error)}</pre>
                </li>
              ))}
            </ol>
          )}
        </div>
      )}
      <p className="preview-auto" data-testid="auto-fix" data-outcome={fix.ended?.outcome ?? 'none'}>
        <label>
          <input
            type="checkbox"
            checked={fix.isOn}
            onChange={({ target }) => store.switchAutoFix(target.checked, row.id)}
          />
          {say('preview.auto-fix')}
        </label>
        {fix.isOn && <span className="meta">{fixWords(fix, isFixing)}</span>}
        {isFixing && (
          <button
            type="button"
            className="link-button"
            data-testid="stop-auto-fix"
            onClick={() => {
              store.switchAutoFix(false, row.id)
              store.stop('stop')
            }}
          >
            {say('preview.stop-auto-fix')}
          </button>
        )}
        {fix.isOn && fix.ended !== null && fix.ended.outcome !== 'fixed' && fix.attempts < AUTO_FIX.mostAttempts && (
          <button
            type="button"
            className="link-button"
            onClick={() => mend(false)}
            disabled={isRunning || shown.length === 0}
          >
            {say('preview.try-once-more')}
          </button>
        )}
      </p>
    </div>
  )
}

const ENDED: Readonly<Record<Exclude<NonNullable<AutoFix['ended']>['outcome'], 'fixed'>, PlainKey>> = {
  'same-error': 'preview.ended-same-error',
  'more-errors': 'preview.ended-more-errors',
  attempts: 'preview.ended-attempts',
  budget: 'preview.ended-budget',
  stopped: 'preview.ended-stopped',
  typing: 'preview.ended-writing',
  failed: 'preview.ended-failed',
}

function fixWords({ ended, attempts, costUsd }: AutoFix, isFixing: boolean): string {
  if (ended?.outcome === 'fixed')
    return say('preview.fixed', { attempts: ended.attempts, cost: usdText(ended.costUsd) })
  if (ended !== null)
    return [say(ENDED[ended.outcome]), ...(ended.costUsd > 0 ? [usdText(ended.costUsd)] : [])].join(' · ')
  if (attempts === 0) return say('preview.auto-fix-waits')
  return say(isFixing ? 'preview.auto-fix-runs' : 'preview.auto-fix-looks', {
    attempt: attempts,
    most: AUTO_FIX.mostAttempts,
    cost: usdText(costUsd),
  })
}

/** `TypeError: x is undefined · signup.tsx:41 · ×14` */
function errorLine({ name, message, place, count }: PreviewErrorRow): string {
  const at = place === null ? [] : [`${place.file.split('/').at(-1)}:${place.line}`]
  const times = count > 1 ? [`×${count > 999 ? '999+' : count}`] : []
  return [`${name}: ${message.slice(0, 200)}`, ...at, ...times].join(' · ')
}
