import type { Client, ConversationStore } from '@holdfast/client'
import { useConversation, useObservable } from '@holdfast/client/react'
import type { PreviewRow } from '@holdfast/protocol'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { answerOf, told } from '../shared/ask-server.ts'
import { Icon } from '../shared/icons.tsx'
import { attachFile } from '../shared/insert-words.ts'
import { say } from '../shared/language/say.ts'
import { tellProblem } from '../shared/toasts/toasts.ts'
import { ConsoleDrawer } from './console-drawer.tsx'
import { ErrorBanner } from './error-banner.tsx'
import { OutlineList } from './outline-list.tsx'
import { createPreviewSession, type PreviewSession, pathShown } from './preview-session.ts'
import type { SessionState } from './session-state.ts'

interface PreviewFrameProps {
  readonly client: Client
  readonly store: ConversationStore
  readonly row: PreviewRow
  readonly onChange: () => void
}

const WIDTHS = { phone: 390, tablet: 820, full: null } as const
type Width = keyof typeof WIDTHS

/** Its origin is its own: it is no neighbour of ours, and opens, downloads and asks nothing. */
const ALLOWED = ['allow-scripts', 'allow-same-origin', 'allow-forms', 'allow-pointer-lock'].join(' ')

const PICK_KEYS: ReadonlySet<string> = new Set([
  'Escape',
  'Enter',
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'Tab',
])

/** A preview that answers: its page in a frame of its own origin, with what one does to it. */
export function PreviewFrame({ client, store, row, onChange }: PreviewFrameProps) {
  const { id: previewId, origin } = row
  const conversationId = useConversation(store, (state) => state.conversationId)
  const frame = useRef<HTMLIFrameElement>(null)
  const [url, setUrl] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [width, setWidth] = useState<Width>('full')
  const [isConsoleOpen, setConsoleOpen] = useState(false)
  const session = useMemo(
    () =>
      createPreviewSession({
        client,
        previewId,
        origin,
        conversationId,
        onPicked(part, goesOn) {
          client.composer(conversationId).add(part)
          if (!goesOn) document.getElementById('composer-input')?.focus()
        },
      }),
    [client, previewId, origin, conversationId],
  )
  const state = useObservable(session, (value) => value)
  useReloadAfterTurn({ store, session, state })

  useEffect(() => (frame.current === null ? undefined : session.attach(frame.current)), [session])
  useEffect(() => {
    let isGone = false
    const enter = async () => {
      const answer = await answerOf(client.enterPreview(previewId, '/'))
      if (isGone) return
      setUrl(answer.value)
      setProblem(answer.problem)
    }
    void enter()
    return () => {
      isGone = true
    }
  }, [client, previewId])

  function onKeyDown(event: KeyboardEvent): void {
    if (!state.isPicking || !PICK_KEYS.has(event.key)) return
    event.preventDefault()
    event.stopPropagation()
    session.order({ type: 'key', key: event.key, shift: event.shiftKey })
  }

  async function openOutside(): Promise<void> {
    const answer = await answerOf(client.enterPreview(previewId, pathShown(state)))
    if (answer.value !== null) open(answer.value, '_blank', 'noopener,noreferrer')
    else setProblem(answer.problem)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: while an element is picked its keys are those of the frame
    <div
      className="preview"
      data-testid="preview"
      data-heard={state.isHeard}
      data-forged={state.forgedCount}
      onKeyDown={onKeyDown}
    >
      <PreviewBar
        client={client}
        row={row}
        session={session}
        state={state}
        width={width}
        isConsoleOpen={isConsoleOpen}
        onChange={onChange}
        onWidth={setWidth}
        onConsole={() => setConsoleOpen(!isConsoleOpen)}
        onOutside={() => void openOutside()}
      />
      {state.hmr !== null && state.hmr.openedCount > 0 && state.hmr.openCount === 0 && (
        <p className="meta" role="status">
          {say('preview.no-live-changes')}
        </p>
      )}
      {problem !== null && (
        <p className="refused" role="alert">
          {problem}
        </p>
      )}
      <ErrorBanner client={client} store={store} session={session} row={row} />
      {state.outline !== null && <OutlineList nodes={state.outline} session={session} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reached by the keyboard */}
      <section className="preview-stage" aria-label={say('preview.page-of-preview')} data-width={width} tabIndex={0}>
        <iframe
          ref={frame}
          data-testid="preview-frame"
          title={say('preview.page-of-preview')}
          src={url ?? undefined}
          sandbox={ALLOWED}
          allow=""
          referrerPolicy="no-referrer"
          style={{ inlineSize: WIDTHS[width] === null ? '100%' : `${WIDTHS[width]}px` }}
        />
      </section>
      {state.isPicking && (
        <p className="preview-hint" role="status">
          <span>{say('preview.pick-keys')}</span>
          {state.pointed !== null && (
            <bdi dir="ltr">{[...state.pointed.path.slice(0, -1), state.pointed.label].join(' › ')}</bdi>
          )}
        </p>
      )}
      {isConsoleOpen && <ConsoleDrawer state={state} log={row.log} onClear={session.clearConsole} />}
    </div>
  )
}

interface PreviewBarProps extends Omit<PreviewFrameProps, 'store'> {
  readonly session: PreviewSession
  readonly state: SessionState
  readonly width: Width
  readonly isConsoleOpen: boolean
  readonly onWidth: (width: Width) => void
  readonly onConsole: () => void
  readonly onOutside: () => void
}

/** What one does to the page, and to what serves it. */
function PreviewBar(props: PreviewBarProps) {
  return (
    <>
      <PlaceBar {...props} />
      <ToolBar {...props} />
    </>
  )
}

function PlaceBar({ session, state, width, onWidth, onOutside }: PreviewBarProps) {
  return (
    <div className="preview-bar" role="toolbar" aria-label={say('common.preview')}>
      <BarButton
        icon="left"
        words={say('preview.back')}
        isOff={!state.place?.canGoBack}
        onClick={() => session.order({ type: 'back' })}
      />
      <BarButton
        icon="right"
        words={say('preview.forward')}
        isOff={!state.place?.canGoForward}
        onClick={() => session.order({ type: 'forward' })}
      />
      <BarButton
        icon="retry"
        words={say('preview.reload')}
        isOff={!state.isHeard}
        onClick={() => session.order({ type: 'reload' })}
      />
      <AddressBar
        key={state.place?.url ?? ''}
        path={pathShown(state)}
        onGo={(path) => session.order({ type: 'go', url: path })}
      />
      <select
        className="preview-width"
        aria-label={say('preview.width')}
        value={width}
        onChange={({ target }) =>
          onWidth(target.value === 'phone' ? 'phone' : target.value === 'tablet' ? 'tablet' : 'full')
        }
      >
        <option value="full">{say('preview.width-full')}</option>
        <option value="tablet">{say('preview.width-tablet')}</option>
        <option value="phone">{say('preview.width-phone')}</option>
      </select>
      <BarButton icon="full" words={say('preview.open-outside')} isOff={false} onClick={() => onOutside()} />
    </div>
  )
}

function ToolBar({ client, row, onChange, session, state, isConsoleOpen, onConsole }: PreviewBarProps) {
  return (
    <div className="preview-bar preview-tools">
      <button
        type="button"
        className="button"
        data-testid="pick"
        aria-pressed={state.isPicking}
        disabled={!state.isHeard}
        onClick={() => session.pick(!state.isPicking)}
      >
        <Icon name="target" />
        {say('preview.pick')}
      </button>
      <button
        type="button"
        className="button"
        data-testid="pick-outline"
        aria-expanded={state.outline !== null}
        disabled={!state.isHeard}
        onClick={() => (state.outline === null ? session.order({ type: 'outline' }) : session.clearOutline())}
      >
        {say('preview.outline')}
      </button>
      <PictureButton session={session} isOff={!state.isHeard} />
      <button type="button" className="button" aria-expanded={isConsoleOpen} onClick={onConsole}>
        {say('preview.console', { count: state.consoleCounts.all })}
      </button>
      <span className="preview-server">
        {row.source.type === 'command' && (
          <button
            type="button"
            className="link-button"
            onClick={() => void told(client.restartPreview(row.id)).then(onChange)}
          >
            {say('preview.restart')}
          </button>
        )}
        <button
          type="button"
          className="link-button"
          data-testid="preview-stop"
          onClick={() => void told(client.stopPreview(row.id)).then(onChange)}
        >
          {say('common.stop')}
        </button>
      </span>
    </div>
  )
}

/** Attaches a picture of the page to the message. [PREV13] */
function PictureButton({ session, isOff }: { readonly session: PreviewSession; readonly isOff: boolean }) {
  const [isBusy, setBusy] = useState(false)
  async function take(): Promise<void> {
    setBusy(true)
    const { value, problem } = await answerOf(session.photograph(null))
    setBusy(false)
    if (value === null) tellProblem(problem)
    else attachFile(value)
  }
  return (
    <button
      type="button"
      className="button"
      data-testid="preview-picture"
      title={say('preview.picture-title')}
      disabled={isOff || isBusy}
      aria-busy={isBusy}
      onClick={() => void take()}
    >
      <Icon name="picture" />
      {say(isBusy ? 'preview.picture-is-taken' : 'preview.picture')}
    </button>
  )
}

/** What a turn has changed is shown anew once where something was wrong: only so it is known to be mended. [PREV5] */
function useReloadAfterTurn(shown: { store: ConversationStore; session: PreviewSession; state: SessionState }): void {
  const { store, session, state } = shown
  const running = useConversation(store, ({ overview }) => overview.runState.exclusive?.runId ?? null)
  const isJudged = useConversation(store, ({ overview }) => overview.autoFix.last?.isJudged ?? true)
  const before = useRef(running)
  const hasErrors = state.errors.length > 0
  useEffect(() => {
    const hasEnded = before.current !== null && running === null
    before.current = running
    if (!hasEnded) return
    if (hasErrors || !isJudged) session.order({ type: 'reload' })
    // What was told while the turn ran had nobody to look at it.
    else session.tellAgain()
  }, [running, hasErrors, isJudged, session])
}

interface BarButtonProps {
  readonly icon: 'left' | 'right' | 'retry' | 'full'
  readonly words: string
  readonly isOff: boolean
  readonly onClick: () => void
}

function BarButton({ icon, words, isOff, onClick }: BarButtonProps) {
  return (
    <button type="button" className="icon-button" aria-label={words} title={words} disabled={isOff} onClick={onClick}>
      <Icon name={icon} />
    </button>
  )
}

function AddressBar({ path, onGo }: { readonly path: string; readonly onGo: (path: string) => void }) {
  return (
    <form
      className="preview-address"
      onSubmit={(event) => {
        event.preventDefault()
        const next = new FormData(event.currentTarget).get('path')
        if (typeof next === 'string') onGo(next.startsWith('/') ? next : `/${next}`)
      }}
    >
      <input
        name="path"
        dir="ltr"
        aria-label={say('preview.address')}
        defaultValue={path}
        autoComplete="off"
        spellCheck={false}
      />
    </form>
  )
}
