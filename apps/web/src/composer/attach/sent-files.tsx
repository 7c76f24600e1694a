import type { AttachmentApi } from '@holdfast/client'
import type { TranscriptPart } from '@holdfast/conversation'
import { useState } from 'react'
import { Icon } from '../../shared/icons.tsx'
import { bytesText } from '../../shared/language/bytes-text.ts'
import { say } from '../../shared/language/say.ts'
import { SaveLink } from '../../shared/save-link.tsx'
import { kindOf, kindWords } from './file-kind.ts'
import { useTicketed } from './use-ticketed.ts'

type SentFile = Extract<TranscriptPart, { type: 'image' | 'file' }>

interface SentFilesProps {
  readonly api: AttachmentApi
  readonly parts: readonly TranscriptPart[]
}

/** The files that were sent with a message: pictures as they are, others to be saved. */
export function SentFiles({ api, parts }: SentFilesProps) {
  const files = parts.filter((part) => part.type === 'image' || part.type === 'file')
  if (files.length === 0) return null
  return (
    <ul className="sent-files" aria-label={say('attach.attached-files')}>
      {files.map((file) => (
        <li key={file.attachmentId} data-testid="sent-file">
          <SentFileView api={api} file={file} />
        </li>
      ))}
    </ul>
  )
}

interface SentFileProps {
  readonly api: AttachmentApi
  readonly file: SentFile
}

function SentFileView({ api, file }: SentFileProps) {
  const [isLost, setLost] = useState(false)
  const target = api.addressOf(file.attachmentId)
  const kind = kindOf(file.blob.mediaType)
  const isPicture = kind === 'picture' && !isLost
  const picture = useTicketed(api, isPicture ? target : null)
  const name = file.name ?? kindWords(kind)
  const words = [kindWords(kind), bytesText(file.blob.sizeBytes)].join(' · ')
  if (isPicture && picture.type !== 'failed') {
    return (
      <SaveLink client={api} target={target} fileName={name} title={`${name} · ${words}`}>
        <img src={picture.value ?? undefined} alt={name} height={160} onError={() => setLost(true)} />
      </SaveLink>
    )
  }
  return (
    <SaveLink client={api} target={target} fileName={name} className="sent-file" title={name}>
      <Icon name={kind === 'picture' ? 'picture' : 'sheet'} />
      <span className="attach-name" dir="auto">
        {name}
      </span>
      <span className="meta">{words}</span>
    </SaveLink>
  )
}
