import { MAX_TEXT_LENGTH } from '@holdfast/protocol'
import { say } from '../../shared/language/say.ts'
import { openModels } from '../context/open-models.ts'
import type { AttachedFile } from './attached-files.ts'
import { kindOf } from './file-kind.ts'

/** Why a message with its files cannot be sent now. */
export type SendBlock = 'uploading' | 'failed' | 'unseen-pictures' | 'too-long'

/** What is to be sent, and to whom. */
interface Written {
  readonly text: string
  readonly files: readonly AttachedFile[]
  /** False only for a model that is known not to. */
  readonly seesPictures: boolean
}

/** The reason; null where there is none. */
export function sendBlock({ text, files, seesPictures }: Written): SendBlock | null {
  if (text.length > MAX_TEXT_LENGTH) return 'too-long'
  if (!seesPictures && files.some(isPicture)) return 'unseen-pictures'
  if (files.some(({ state }) => state.type === 'failed')) return 'failed'
  return files.some(({ state }) => state.type === 'uploading') ? 'uploading' : null
}

/** It in words. */
export function blockWords(block: SendBlock): string {
  switch (block) {
    case 'uploading':
      return say('attach.wait-for-upload')
    case 'failed':
      return say('attach.retry-or-remove')
    case 'unseen-pictures':
      return say('attach.model-sees-no-pictures')
    case 'too-long':
      return say('composer.too-long', { limit: MAX_TEXT_LENGTH })
  }
}

/** Whether it is a picture. */
export function isPicture({ mediaType }: AttachedFile): boolean {
  return kindOf(mediaType) === 'picture'
}

interface TooLongProps {
  /** Lets the words go along as a file. */
  readonly onAttach: () => void
}

/** Says how long a message may be, and offers to let the words go along as a file. [SYNC8] */
export function TooLongText({ onAttach }: TooLongProps) {
  return (
    <p className="refused" role="alert" data-testid="too-long-text">
      <span>{blockWords('too-long')}</span>
      <button type="button" className="link-button" onClick={onAttach}>
        {say('composer.attach-as-file')}
      </button>
    </p>
  )
}

interface SentLaterProps {
  readonly onTakeBack: () => void
}

/** Says that the message goes when its files are there, and lets it be taken back. [UI49] */
export function SentLater({ onTakeBack }: SentLaterProps) {
  return (
    <p className="refused" role="status" data-testid="sent-later">
      <span>{say('attach.sent-when-uploaded')}</span>
      <button type="button" className="link-button" onClick={onTakeBack}>
        {say('attach.do-not-send')}
      </button>
    </p>
  )
}

interface UnseenProps {
  readonly onRemove: () => void
}

/** Says that the model that would answer sees no pictures, and what can be done. */
export function UnseenPictures({ onRemove }: UnseenProps) {
  return (
    <p className="refused" role="alert" data-testid="unseen-pictures">
      <span>{blockWords('unseen-pictures')}</span>
      <button type="button" className="link-button" onClick={openModels}>
        {say('attach.switch-model')}
      </button>
      <button type="button" className="link-button" onClick={onRemove}>
        {say('attach.remove-pictures')}
      </button>
    </p>
  )
}
