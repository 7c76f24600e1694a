import { say } from '../../shared/language/say.ts'
import { openModels } from '../context/open-models.ts'
import type { AttachedFile } from './attached-files.ts'
import { kindOf } from './file-kind.ts'

/** Why a message with its files cannot be sent now. */
export type SendBlock = 'uploading' | 'failed' | 'unseen-pictures'

/** The reason; null where there is none. `seesPictures` is false only for a model that is known not to. */
export function sendBlock(files: readonly AttachedFile[], seesPictures: boolean): SendBlock | null {
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
  }
}

/** Whether it is a picture. */
export function isPicture({ mediaType }: AttachedFile): boolean {
  return kindOf(mediaType) === 'picture'
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
