import type { ChangesOf, Client, ConversationStore } from '@holdfast/client'
import { useConversation } from '@holdfast/client/react'
import type { ChangedFileRow } from '@holdfast/protocol'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import type { VirtualizerHandle } from 'virtua'
import { setChangesOf, useChangesOf } from '../shared/address.ts'
import { type PlainKey, say } from '../shared/language/say.ts'
import { tell } from '../shared/toasts/toasts.ts'
import { useMedia } from '../shared/use-media.ts'
import { WorktreeMenu } from '../workspaces/worktree-menu.tsx'
import { NoteForm } from './note-form.tsx'
import { createReviewActs, stopsOf } from './review-acts.ts'
import { type ChosenLines, ReviewList } from './review-list.tsx'
import { isSettled, type ReviewView, reviewRows } from './review-rows.ts'
import { type Review, useReview } from './use-review.ts'

interface ChangesPanelProps {
  readonly client: Client
  readonly store: ConversationStore
}

/** The changes of a turn, of the conversation or against the base of its branch, to keep and to reject. [UI73] */
export function ChangesPanel({ client, store }: ChangesPanelProps) {
  const conversationId = useConversation(store, (state) => state.conversationId)
  const hasWorktree = useConversation(store, ({ overview }) => overview.settings.worktreeId !== undefined)
  const isRunning = useConversation(store, ({ overview }) => overview.runState.exclusive !== null)
  const head = useConversation(store, ({ overview }) => (overview.runState.exclusive === null ? overview.head : 0))
  const named = useChangesOf()
  const of = useMemo(() => changesOf(named), [named])
  const files = useMemo(() => client.files(conversationId), [client, conversationId])
  const review = useReview(files, of, head)
  const isWide = useMedia('(min-width: 900px)')
  const [wanted, setWanted] = useState<ReviewView>('unified')
  const view = isWide ? wanted : 'unified'
  const shown = review.changes === null ? [] : review.changes.files.filter(isShown)
  return (
    <div className="review" data-testid="review" data-state={review.changes === null ? 'reading' : 'here'}>
      <div className="review-head">
        <SourceTabs named={named} hasWorktree={hasWorktree} />
        {isWide && (
          <button
            type="button"
            className="button small"
            aria-pressed={view === 'split'}
            onClick={() => setWanted(view === 'split' ? 'unified' : 'split')}
          >
            {say('review.side-by-side')}
          </button>
        )}
        {hasWorktree && <WorktreeMenu client={client} store={store} />}
      </div>
      {review.problem !== null && (
        <p className="problem" role="alert">
          {review.problem}
        </p>
      )}
      {review.changes === null && review.problem === null && (
        <p className="meta">{say('files.looking-at-the-files')}</p>
      )}
      {review.changes !== null && shown.length === 0 && <p className="meta">{say('review.nothing-changed')}</p>}
      {shown.length > 0 && (
        <Hunks
          key={named}
          client={client}
          store={store}
          review={review}
          files={shown}
          view={view}
          isRunning={isRunning}
        />
      )}
    </div>
  )
}

/** A folder that comes or goes with what is in it need not be said. */
function isShown({ entity, path }: ChangedFileRow, _: number, all: readonly ChangedFileRow[]): boolean {
  return entity !== 'folder' || !all.some((other) => other.path.startsWith(`${path}/`))
}

const SOURCES: readonly { readonly name: 'turn' | 'conversation' | 'base'; readonly words: PlainKey }[] = [
  { name: 'turn', words: 'review.last-turn' },
  { name: 'conversation', words: 'review.conversation' },
  { name: 'base', words: 'review.base' },
]

function SourceTabs({ named, hasWorktree }: { readonly named: string; readonly hasWorktree: boolean }) {
  return (
    <fieldset className="review-sources" aria-label={say('review.which')}>
      {named.startsWith('run:') && (
        <button type="button" className="button small" aria-pressed>
          {say('review.this-turn')}
        </button>
      )}
      {SOURCES.filter(({ name }) => name !== 'base' || hasWorktree).map(({ name, words }) => (
        <button
          key={name}
          type="button"
          className="button small"
          aria-pressed={named === name}
          onClick={() => setChangesOf(name)}
        >
          {say(words)}
        </button>
      ))}
    </fieldset>
  )
}

function changesOf(named: string): ChangesOf {
  if (named.startsWith('run:')) return { type: 'run', runId: named.slice('run:'.length) }
  return named === 'turn' || named === 'base' ? named : 'conversation'
}

interface HunksProps extends ChangesPanelProps {
  readonly review: Review
  readonly files: readonly ChangedFileRow[]
  readonly view: ReviewView
  readonly isRunning: boolean
}

function Hunks({ client, store, review, files, view, isRunning }: HunksProps) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const [current, setCurrent] = useState<string | null>(null)
  const [chosen, setChosen] = useState<ChosenLines | null>(null)
  const [isNoting, setNoting] = useState(false)
  const scroller = useRef<HTMLDivElement>(null)
  const handle = useRef<VirtualizerHandle>(null)
  const rows = useMemo(() => reviewRows(files, { view, toggled }), [files, view, toggled])
  const stops = useMemo(() => stopsOf(files), [files])
  const at = stops.find(({ id }) => id === current) ?? null
  const latest = useRef({ review, rows, stops, at, chosen })
  latest.current = { review, rows, stops, at, chosen }
  const acts = useMemo(() => createReviewActs({ store, latest, handle, setToggled, setCurrent, setChosen }), [store])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || isNoting) return
    const act = {
      n: () => acts.go(1),
      p: () => acts.go(-1),
      a: () => acts.decide(true),
      x: () => acts.decide(false),
      u: acts.undo,
    }[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }

  const open = files.filter((file) => !isSettled(file)).length
  const added = files.reduce((sum, { additions }) => sum + additions, 0)
  const removed = files.reduce((sum, { deletions }) => sum + deletions, 0)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys act wherever the focus is in here
    <div className="review-body" onKeyDown={onKeyDown}>
      <div className="review-summary">
        <span>
          {say('files.files-changed', { count: files.length })}{' '}
          <span className="change-count" dir="ltr">
            <span className="added">+{added}</span> <span className="removed">−{removed}</span>
          </span>
        </span>
        <span className="review-acts">
          <button
            type="button"
            className="button small"
            aria-disabled={isRunning || open === 0}
            onClick={() => acts.all(true)}
          >
            {say('review.keep-all')}
          </button>
          <button
            type="button"
            className="button small"
            aria-disabled={isRunning || open === 0}
            onClick={() => acts.all(false)}
          >
            {say('review.reject-all')}
          </button>
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reached by the keyboard */}
      <section className="review-scroll" ref={scroller} tabIndex={0} aria-label={say('review.hunks')} data-view={view}>
        <ReviewList
          rows={rows}
          current={current}
          chosen={chosen}
          isLocked={isRunning}
          acts={acts.list}
          handle={handle}
          scroller={scroller}
        />
      </section>
      {chosen !== null && isNoting ? (
        <NoteForm
          chosen={chosen}
          onClose={() => setNoting(false)}
          onAdd={(quote, words) => {
            const unsent = client.composer(store.getSnapshot().conversationId)
            unsent.add(quote)
            const before = unsent.getSnapshot().trimEnd()
            if (words !== '') unsent.write(before === '' ? words : `${before}\n\n${words}`)
            setNoting(false)
            setChosen(null)
            tell(say('review.note-added'), null)
          }}
        />
      ) : (
        <div className="review-bar" data-testid="review-bar">
          {chosen === null ? (
            <>
              <BarButton words="review.previous" keys="p" isOff={stops.length === 0} onClick={() => acts.go(-1)} />
              <BarButton words="review.next" keys="n" isOff={stops.length === 0} onClick={() => acts.go(1)} />
              <BarButton
                words="review.reject"
                keys="x"
                isOff={isRunning || at === null}
                onClick={() => acts.decide(false)}
              />
              <BarButton
                words="review.keep"
                keys="a"
                isOff={isRunning || at === null}
                onClick={() => acts.decide(true)}
              />
              <BarButton words="review.undo" keys="u" isOff={isRunning || !review.canUndo} onClick={acts.undo} />
            </>
          ) : (
            <>
              <span className="meta">{say('review.chosen', { count: chosen.lines.size })}</span>
              <BarButton
                words="review.reject-lines"
                keys="x"
                isOff={isRunning}
                onClick={() => acts.rejectLines(chosen)}
              />
              <BarButton words="review.note" keys={null} isOff={false} onClick={() => setNoting(true)} />
              <BarButton words="common.cancel" keys={null} isOff={false} onClick={() => setChosen(null)} />
            </>
          )}
        </div>
      )}
      <p className="visually-hidden" role="status">
        {at?.hunk ? say('review.hunk-name', { path: at.file.path, line: Math.max(1, at.hunk.newStart) }) : ''}
      </p>
    </div>
  )
}

interface BarButtonProps {
  readonly words: PlainKey
  readonly keys: string | null
  readonly isOff: boolean
  readonly onClick: () => void
}

function BarButton({ words, keys, isOff, onClick }: BarButtonProps) {
  return (
    <button
      type="button"
      className="button"
      aria-disabled={isOff}
      aria-keyshortcuts={keys ?? undefined}
      onClick={onClick}
    >
      {say(words)}
      {keys !== null && <kbd>{keys}</kbd>}
    </button>
  )
}
