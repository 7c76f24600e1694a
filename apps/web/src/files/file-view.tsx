import type { AttachmentApi } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { Suspense, useEffect, useState } from 'react'
import { useAsked } from '../shared/ask-server.ts'
import { Icon } from '../shared/icons.tsx'
import { bytesText } from '../shared/language/bytes-text.ts'
import { say } from '../shared/language/say.ts'
import { shownName } from '../shared/language/shown-name.ts'
import { later } from '../shared/later.tsx'
import { tell } from '../shared/toasts/toasts.ts'
import type { SelectedLines } from './code-editor.tsx'
import { ConflictBar, type ConflictSide } from './conflict-bar.tsx'
import type { FileStore, OpenFile } from './file-store.ts'
import { textContent } from './file-text.ts'

const CodeEditor = later(async () => (await import('./code-editor.tsx')).CodeEditor)

interface FileViewProps {
  readonly file: FileStore
  readonly attachments: Pick<AttachmentApi, 'ticketed'>
  /** Where the file is on the server. */
  readonly address: string
  readonly goTo: { readonly line: number; readonly round: number } | null
  readonly onMention: (lines: SelectedLines | null) => void
  readonly onClose: () => void
}

/** One file: read, written, saved, and what to do where somebody else wrote it too. [UI69, UI70] */
export function FileView({ file, attachments, address, goTo, onMention, onClose }: FileViewProps) {
  const state = useObservable(file, (open) => open)
  const [lines, setLines] = useState<SelectedLines | null>(null)
  const [side, setSide] = useState<ConflictSide>('mine')
  const { path, written, theirs, isSaving, problem, content, isKept } = state
  const isConflict = theirs !== null
  useEffect(() => setLines(null), [])

  function takeTheirs(): void {
    const mine = written
    file.takeTheirs()
    setSide('mine')
    tell(say('tree.took-theirs'), mine === null ? null : () => file.putBack(mine))
  }

  return (
    <div className="file-view" data-testid="file-view" data-state={stateOf(state)}>
      <div className="file-bar">
        <button type="button" className="icon-button" aria-label={say('tree.back')} onClick={onClose}>
          <Icon name="left" />
        </button>
        <bdi className="file-path" title={shownName(path)}>
          {shownName(path)}
        </bdi>
        {written !== null && <span className="file-dirty">{say('tree.not-saved')}</span>}
        <button type="button" className="button small" onClick={() => onMention(lines)} data-testid="mention-file">
          {lines === null
            ? say('tree.mention')
            : say('tree.mention-lines', { from: String(lines.from), to: String(lines.to) })}
        </button>
        {content?.type === 'text' && !isConflict && (
          <button
            type="button"
            className="button small primary"
            aria-disabled={written === null || isSaving}
            data-testid="save-file"
            onClick={() => void file.save()}
          >
            {say('tree.save')}
          </button>
        )}
      </div>
      {problem !== null && (
        <p className="file-problem" role="alert">
          {problem}
        </p>
      )}
      {!isKept && (
        <p className="file-problem" role="alert">
          {say('tree.not-kept')}
        </p>
      )}
      {theirs !== null && (
        <ConflictBar
          side={side}
          isGone={theirs.hash === null}
          onSide={setSide}
          onKeepMine={() => void file.keepMine()}
          onTakeTheirs={takeTheirs}
        />
      )}
      <Content
        state={state}
        side={side}
        file={file}
        attachments={attachments}
        address={address}
        goTo={goTo}
        onSelect={setLines}
      />
    </div>
  )
}

interface ContentProps extends Pick<FileViewProps, 'file' | 'attachments' | 'address' | 'goTo'> {
  readonly state: OpenFile
  readonly side: ConflictSide
  readonly onSelect: (lines: SelectedLines | null) => void
}

function Content({ state, side, file, attachments, address, goTo, onSelect }: ContentProps) {
  const { path, content, sizeBytes, base, written, theirs, version, changedLine, problem } = state
  const wait = <p className="meta dock-wait">{say('tree.reading')}</p>
  if (content === null) return problem === null ? wait : null
  switch (content.type) {
    case 'picture':
      return <Picture key={base.hash ?? version} attachments={attachments} address={address} name={path} />
    case 'binary':
      return <p className="file-note">{say('tree.no-text', { size: bytesText(sizeBytes) })}</p>
    case 'look':
      return (
        <>
          <p className="file-note">
            {content.why === 'large' ? say('tree.large', { size: bytesText(sizeBytes) }) : say('tree.not-utf-8')}
          </p>
          <Suspense fallback={wait}>
            <CodeEditor
              key={`look ${version}`}
              path={path}
              text={content.text}
              lineEnd={'\n'}
              isReadOnly
              against={null}
              goTo={goTo}
              onChange={() => {}}
              onSelect={onSelect}
              onSave={() => {}}
            />
          </Suspense>
        </>
      )
    case 'text': {
      const whole = written ?? base.text ?? ''
      const { mark, text: mine } = textContent(whole)
      const isTheirs = theirs !== null && side === 'theirs'
      const other = textContent(theirs?.text ?? '').text
      const text = isTheirs ? other : mine
      const line = changedLine === null ? null : { line: changedLine, round: version }
      return (
        <Suspense fallback={wait}>
          <CodeEditor
            key={`${path} ${theirs === null ? version : `${version} ${side}`}`}
            path={path}
            text={text}
            lineEnd={textContent(text).lineEnd}
            isReadOnly={isTheirs}
            against={theirs !== null && side === 'both' ? other : null}
            goTo={goTo ?? line}
            onChange={(changed) => {
              if (!isTheirs) file.write(mark + changed)
            }}
            onSelect={onSelect}
            onSave={() => void file.save()}
          />
        </Suspense>
      )
    }
  }
}

interface PictureProps extends Pick<FileViewProps, 'attachments' | 'address'> {
  readonly name: string
}

function Picture({ attachments, address, name }: PictureProps) {
  const [ask] = useState(() => () => attachments.ticketed(address))
  const [asked] = useAsked(ask)
  if (asked.value === null) return <p className="meta dock-wait">{asked.problem ?? say('tree.reading')}</p>
  return (
    <div className="file-picture">
      <img src={asked.value} alt={name} />
    </div>
  )
}

function stateOf({ content, written, theirs, problem }: OpenFile): string {
  if (theirs !== null) return 'conflict'
  if (problem !== null) return 'problem'
  if (written !== null) return 'unsaved'
  return content?.type ?? 'reading'
}
