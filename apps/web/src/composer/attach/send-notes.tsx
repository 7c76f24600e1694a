import { say } from '../../shared/language/say.ts'
import { openModels } from '../context/open-models.ts'
import { blockWords, type SendBlock } from './send-block.ts'

interface SendNotesProps {
  readonly block: SendBlock | null
  /** Whether the message goes as soon as its files are there. */
  readonly isWaiting: boolean
  readonly onRemovePictures: () => void
  readonly onAttachText: () => void
  readonly onTakeBack: () => void
}

/** What is said of a message that cannot go now, or goes later, and what can be done. */
export function SendNotes({ block, isWaiting, onRemovePictures, onAttachText, onTakeBack }: SendNotesProps) {
  return (
    <>
      {block === 'unseen-pictures' && <UnseenPictures onRemove={onRemovePictures} />}
      {block === 'too-long' && <TooLongText onAttach={onAttachText} />}
      {isWaiting && <SentLater onTakeBack={onTakeBack} />}
    </>
  )
}

interface TooLongProps {
  /** Lets the words go along as a file. */
  readonly onAttach: () => void
}

/** Says how long a message may be, and offers to let the words go along as a file. [SYNC8] */
function TooLongText({ onAttach }: TooLongProps) {
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
function SentLater({ onTakeBack }: SentLaterProps) {
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
function UnseenPictures({ onRemove }: UnseenProps) {
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
