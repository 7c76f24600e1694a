import type { AttachmentApi } from '@holdfast/client'
import { useMemo } from 'react'
import { useAsked } from '../../shared/ask-server.ts'
import { shortCount } from '../../shared/format.ts'
import { Icon } from '../../shared/icons.tsx'
import { bytesText } from '../../shared/language/bytes-text.ts'
import { say } from '../../shared/language/say.ts'
import type { AttachedFile } from './attached-files.ts'
import { type FileKind, isReadAsName, kindOf, kindWords } from './file-kind.ts'
import { useTicketed } from './use-ticketed.ts'

interface ChipsProps {
  readonly files: readonly AttachedFile[]
  readonly api: AttachmentApi
  /** Who would read them; null where that is not known. */
  readonly modelId: string | null
  readonly onRetry: (key: string) => void
  readonly onRemove: (key: string) => void
  /** Puts a pasted text into the field after all; null where its words are not here any more. */
  readonly insert: (key: string) => (() => void) | null
}

/** The files that go along with the message: each with its kind, name, size and tokens, and how far its upload is. */
export function AttachmentChips({ files, api, modelId, onRetry, onRemove, insert }: ChipsProps) {
  if (files.length === 0) return null
  return (
    <ul className="attach-chips" aria-label={say('attach.attached-files')}>
      {files.map((file) => (
        <Chip
          key={file.key}
          file={file}
          api={api}
          modelId={modelId}
          onRetry={() => onRetry(file.key)}
          onRemove={() => onRemove(file.key)}
          onInsert={file.lineCount === null ? null : insert(file.key)}
        />
      ))}
    </ul>
  )
}

/** Tells who does not see the chips how many there are, and how many are on their way. */
export function AttachStatus({ files }: Pick<ChipsProps, 'files'>) {
  const uploading = files.filter(({ state }) => state.type === 'uploading').length
  return (
    <span className="visually-hidden" role="status">
      {statusWords(files.length, uploading)}
    </span>
  )
}

function statusWords(count: number, uploading: number): string {
  if (count === 0) return ''
  return uploading > 0 ? say('attach.uploading', { count: uploading }) : say('attach.attached', { count })
}

interface ChipProps {
  readonly file: AttachedFile
  readonly api: AttachmentApi
  readonly modelId: string | null
  readonly onRetry: () => void
  readonly onRemove: () => void
  readonly onInsert: (() => void) | null
}

function Chip({ file, api, modelId, onRetry, onRemove, onInsert }: ChipProps) {
  const { name, mediaType, sizeBytes, lineCount, shrinking, state } = file
  const kind = kindOf(mediaType)
  const attachmentId = state.type === 'here' ? state.attachment.id : null
  const title = lineCount === null ? name : say('attach.pasted-text', { count: lineCount })
  return (
    <li className="attach-chip" data-testid="attach-chip" data-state={state.type} data-kind={kind}>
      <ChipSign kind={kind} api={api} target={attachmentId === null ? null : api.addressOf(attachmentId)} />
      <span className="attach-words">
        <span className="attach-name" dir="auto" title={name}>
          {title}
        </span>
        <span className="meta">
          {[kindWords(kind), bytesText(sizeBytes)].join(' · ')}
          {attachmentId !== null && <ChipTokens api={api} attachmentId={attachmentId} modelId={modelId} />}
        </span>
        {shrinking && (
          <span className="meta">
            {say('attach.made-smaller', {
              from: `${shrinking.from.widthPx} × ${shrinking.from.heightPx}`,
              to: `${shrinking.to.widthPx} × ${shrinking.to.heightPx}`,
            })}
          </span>
        )}
        {isReadAsName(mediaType) && <span className="meta">{say('attach.name-alone-is-sent')}</span>}
        {state.type === 'failed' && (
          <span className="attach-problem" role="alert">
            {say('attach.not-uploaded', { problem: state.problem })}
          </span>
        )}
      </span>
      {state.type === 'failed' && (
        <button
          type="button"
          className="link-button"
          aria-label={say('attach.retry-name', { name: title })}
          onClick={onRetry}
        >
          {say('message.retry')}
        </button>
      )}
      {onInsert && (
        <button type="button" className="link-button" onClick={onInsert}>
          {say('attach.insert-inline')}
        </button>
      )}
      <button
        type="button"
        className="icon-button"
        aria-label={say('mentions.remove', { name: title })}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
      {state.type === 'uploading' && (
        <progress aria-label={say('attach.uploading-name', { name: title })} max={1} value={state.share} />
      )}
    </li>
  )
}

/** A small picture of a picture; for anything else, a sheet. */
interface SignProps {
  readonly api: AttachmentApi
  readonly kind: FileKind
  /** Where the file is; null while it is not on the server. */
  readonly target: string | null
}

function ChipSign({ api, kind, target }: SignProps) {
  const { value: address } = useTicketed(api, kind === 'picture' ? target : null)
  if (address !== null) return <img className="attach-sign" src={address} alt="" />
  return (
    <span className="attach-sign">
      <Icon name={kind === 'picture' ? 'picture' : 'sheet'} />
    </span>
  )
}

interface TokensProps {
  readonly api: AttachmentApi
  readonly attachmentId: string
  readonly modelId: string | null
}

function ChipTokens({ api, attachmentId, modelId }: TokensProps) {
  const ask = useMemo(() => () => api.readTokens(attachmentId, modelId), [api, attachmentId, modelId])
  const [{ value }] = useAsked(ask)
  return value === null ? null : [' · ', say('attach.tokens', { count: value, tokens: shortCount(value) })]
}
