import type { AttachmentApi } from '@holdfast/client'
import type { TranscriptPart } from '@holdfast/conversation'
import { useState } from 'react'
import { Icon } from '../../shared/icons.tsx'
import { say } from '../../shared/language/say.ts'
import { bytesText } from './bytes-text.ts'
import { kindOf, kindWords } from './file-kind.ts'

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
          <SentFileView file={file} address={api.addressOf(file.attachmentId)} />
        </li>
      ))}
    </ul>
  )
}

function SentFileView({ file, address }: { readonly file: SentFile; readonly address: string }) {
  const [isLost, setLost] = useState(false)
  const kind = kindOf(file.blob.mediaType)
  const name = file.name ?? kindWords(kind)
  const words = [kindWords(kind), bytesText(file.blob.sizeBytes)].join(' · ')
  if (kind === 'picture' && !isLost) {
    return (
      <a href={address} target="_blank" rel="noreferrer" title={`${name} · ${words}`}>
        <img src={address} alt={name} height={160} onError={() => setLost(true)} />
      </a>
    )
  }
  return (
    <a className="sent-file" href={isLost ? undefined : address} download={name} title={name}>
      <Icon name={kind === 'picture' ? 'picture' : 'sheet'} />
      <span className="attach-name" dir="auto">
        {name}
      </span>
      <span className="meta">{words}</span>
    </a>
  )
}
