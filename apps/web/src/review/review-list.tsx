import type { ChangedFileRow } from '@holdfast/protocol'
import { memo, type RefObject } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { bytesText } from '../shared/language/bytes-text.ts'
import { type PlainKey, say } from '../shared/language/say.ts'
import { shownName } from '../shared/language/shown-name.ts'
import { MarkedWords } from './marked-words.tsx'
import { type HunkLine, type HunkRow, isDecidable, isSettled, type LinePlace, type ReviewRow } from './review-rows.ts'

/** What a person does in the list. */
export interface ReviewListActs {
  /** Opens or closes what is decided, or what is not. */
  toggle(id: string): void
  /** Makes a hunk the one that keys act on. */
  point(hunkId: string): void
  decideFile(file: ChangedFileRow, keep: boolean | null): void
  decideHunk(file: ChangedFileRow, hunk: HunkRow, keep: boolean | null): void
  /** Chooses a line, or all up to it. */
  chooseLine(place: LinePlace, line: HunkLine, isRange: boolean): void
}

/** The lines that are chosen, all of one hunk. */
export interface ChosenLines {
  readonly file: ChangedFileRow
  readonly hunk: HunkRow
  readonly lines: ReadonlySet<number>
}

interface ReviewListProps {
  readonly rows: readonly ReviewRow[]
  readonly current: string | null
  readonly chosen: ChosenLines | null
  readonly isLocked: boolean
  readonly acts: ReviewListActs
  readonly handle: RefObject<VirtualizerHandle | null>
  readonly scroller: RefObject<HTMLElement | null>
}

/** Before it was measured, a row counts for so many pixels. */
const ROW_PX = 20

/** Changed files and their hunks; only what is in sight is drawn. [UI73] */
export function ReviewList({ rows, current, chosen, isLocked, acts, handle, scroller }: ReviewListProps) {
  return (
    <Virtualizer ref={handle} scrollRef={scroller} data={rows} itemSize={ROW_PX} bufferSize={400}>
      {(row) => (
        <Row
          key={row.key}
          row={row}
          isCurrent={'hunk' in row && row.hunk.id === current}
          chosen={'at' in row && row.at.hunk.id === chosen?.hunk.id ? chosen.lines : null}
          isLocked={isLocked}
          acts={acts}
        />
      )}
    </Virtualizer>
  )
}

interface RowProps {
  readonly row: ReviewRow
  readonly isCurrent: boolean
  readonly chosen: ReadonlySet<number> | null
  readonly isLocked: boolean
  readonly acts: ReviewListActs
}

const Row = memo(function Row({ row, isCurrent, chosen, isLocked, acts }: RowProps) {
  switch (row.type) {
    case 'file':
      return <FileHead file={row.file} isLocked={isLocked} acts={acts} />
    case 'facts':
      return <Facts file={row.file} />
    case 'hunk':
      return <HunkHead file={row.file} hunk={row.hunk} isCurrent={isCurrent} isLocked={isLocked} acts={acts} />
    case 'line':
      return (
        <div className={`review-line ${row.line.type}`} dir="ltr">
          <LineNumber place={row.at} line={row.line} isChosen={chosen?.has(row.line.at) === true} acts={acts} />
          <LineText line={row.line} />
        </div>
      )
    case 'pair':
      return (
        <div className="review-pair" dir="ltr">
          <Half place={row.at} line={row.left} chosen={chosen} acts={acts} />
          <Half place={row.at} line={row.right} chosen={chosen} acts={acts} />
        </div>
      )
  }
})

interface HalfProps {
  readonly place: LinePlace
  readonly line: HunkLine | null
  readonly chosen: ReadonlySet<number> | null
  readonly acts: ReviewListActs
}

function Half({ place, line, chosen, acts }: HalfProps) {
  if (line === null) return <div className="review-line empty" />
  return (
    <div className={`review-line ${line.type}`}>
      <LineNumber place={place} line={line} isChosen={chosen?.has(line.at) === true} acts={acts} />
      <LineText line={line} />
    </div>
  )
}

const SIGNS = { same: ' ', added: '+', removed: '−' } as const
const LINE_WORDS = {
  same: 'review.line-same',
  added: 'review.line-added',
  removed: 'review.line-removed',
} as const satisfies Readonly<Record<HunkLine['type'], string>>

interface LineNumberProps {
  readonly place: LinePlace
  readonly line: HunkLine
  readonly isChosen: boolean
  readonly acts: ReviewListActs
}

function LineNumber({ place, line, isChosen, acts }: LineNumberProps) {
  const number = line.newNumber ?? line.oldNumber ?? 0
  return (
    <button
      type="button"
      className="review-number"
      aria-pressed={isChosen}
      aria-label={say(LINE_WORDS[line.type], { number })}
      data-testid="review-line-number"
      tabIndex={-1}
      onClick={(event) => acts.chooseLine(place, line, event.shiftKey)}
    >
      {number}
    </button>
  )
}

function LineText({ line }: { readonly line: HunkLine }) {
  return (
    <>
      <span className="review-sign" aria-hidden="true">
        {SIGNS[line.type]}
      </span>
      <span className="review-text">
        <MarkedWords line={line} />
        {line.hasNoEnd && <span className="meta"> {say('review.no-line-end')}</span>}
      </span>
    </>
  )
}

const STATUS: Readonly<Record<ChangedFileRow['status'], PlainKey>> = {
  added: 'files.new',
  changed: 'files.changed',
  deleted: 'files.deleted',
  renamed: 'review.moved',
}

interface FileHeadProps {
  readonly file: ChangedFileRow
  readonly isLocked: boolean
  readonly acts: ReviewListActs
}

function FileHead({ file, isLocked, acts }: FileHeadProps) {
  const { id, path, from, status, entity, additions, deletions, act, conflict, isKept } = file
  const name = shownName(entity === 'folder' ? `${path}/` : path)
  const isGone = !isKept && act === 'nothing' && conflict === null
  return (
    <div className="review-file" data-testid="review-file" data-state={isKept ? 'kept' : isGone ? 'rejected' : 'open'}>
      <button
        type="button"
        className="review-file-name"
        title={from === undefined ? name : `${shownName(from)} → ${name}`}
        onClick={() => acts.toggle(id)}
      >
        <bdi dir="ltr">{name}</bdi>
      </button>
      <span className="meta">
        {say(isKept ? 'review.kept' : isGone ? 'review.rejected' : STATUS[status])}
        {additions + deletions > 0 && (
          <span className="change-count" dir="ltr">
            {' '}
            <span className="added">+{additions}</span> <span className="removed">−{deletions}</span>
          </span>
        )}
      </span>
      <span className="review-acts">
        {!isGone && (
          <>
            <button
              type="button"
              className="button small"
              aria-disabled={isLocked}
              aria-label={say(isKept ? 'review.reopen-name' : 'review.keep-name', { name })}
              onClick={() => acts.decideFile(file, isKept ? null : true)}
            >
              {say(isKept ? 'review.reopen' : 'review.keep')}
            </button>
            {conflict === null && (
              <button
                type="button"
                className="button small"
                aria-disabled={isLocked}
                aria-label={say('review.reject-name', { name })}
                onClick={() => acts.decideFile(file, false)}
              >
                {say('review.reject')}
              </button>
            )}
          </>
        )}
      </span>
    </div>
  )
}

function Facts({ file: { from, bytes, rights, leads, isCut, conflict, seenOnly } }: { readonly file: ChangedFileRow }) {
  return (
    <div className="review-facts meta">
      {from !== undefined && <p>{say('review.moved-from', { path: from })}</p>}
      {bytes && (
        <p>
          {say('review.no-text', {
            before: bytes.before === null ? '–' : bytesText(bytes.before),
            after: bytes.after === null ? '–' : bytesText(bytes.after),
          })}
        </p>
      )}
      {rights && <p>{say('review.rights', { before: rights.before.toString(8), after: rights.after.toString(8) })}</p>}
      {leads && <p>{say('review.leads', { before: leads.before ?? '–', after: leads.after ?? '–' })}</p>}
      {isCut && <p>{say('review.too-many-lines')}</p>}
      {seenOnly && <p>{say('files.seen-around-calls')}</p>}
      {conflict !== null && <p className="problem">{conflict}</p>}
    </div>
  )
}

const HUNK_STATES: Readonly<Record<Exclude<HunkRow['state'], 'open'>, PlainKey>> = {
  kept: 'review.kept',
  rejected: 'review.rejected',
  overwritten: 'review.overwritten',
}

interface HunkHeadProps {
  readonly file: ChangedFileRow
  readonly hunk: HunkRow
  readonly isCurrent: boolean
  readonly isLocked: boolean
  readonly acts: ReviewListActs
}

function HunkHead({ file, hunk, isCurrent, isLocked, acts }: HunkHeadProps) {
  const { id, newStart, oldStart, state } = hunk
  const line = Math.max(1, newStart === 0 ? oldStart : newStart)
  const name = say('review.hunk-name', { path: file.path, line })
  return (
    <div className="review-hunk" data-testid="review-hunk" data-state={state} data-current={isCurrent}>
      <button
        type="button"
        className="review-hunk-name"
        aria-current={isCurrent}
        aria-label={name}
        onClick={() => (isDecidable(hunk) && state === 'open' ? acts.point(id) : acts.toggle(id))}
      >
        {say('review.line', { line })}
        {state !== 'open' && <span className="meta"> · {say(HUNK_STATES[state])}</span>}
      </button>
      {isDecidable(hunk) && !isSettled(file) && (
        <span className="review-acts">
          <button
            type="button"
            className="button small"
            aria-disabled={isLocked}
            aria-label={say('review.act-of', { act: say(state === 'kept' ? 'review.reopen' : 'review.keep'), name })}
            onClick={() => acts.decideHunk(file, hunk, state === 'kept' ? null : true)}
          >
            {say(state === 'kept' ? 'review.reopen' : 'review.keep')}
          </button>
          <button
            type="button"
            className="button small"
            aria-disabled={isLocked}
            aria-label={say('review.act-of', { act: say('review.reject'), name })}
            onClick={() => acts.decideHunk(file, hunk, false)}
          >
            {say('review.reject')}
          </button>
        </span>
      )}
    </div>
  )
}
