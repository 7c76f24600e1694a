import { MAX_TEXT_LENGTH } from '@holdfast/protocol'
import { say } from '../../shared/language/say.ts'
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
