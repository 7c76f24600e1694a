import { PICTURE_TYPES } from '@holdfast/conversation'
import { say } from '../../shared/language/say.ts'

/** What a file is to a person. */
export type FileKind = 'picture' | 'document' | 'text' | 'other'

/** By its media type. */
export function kindOf(mediaType: string): FileKind {
  if (PICTURE_TYPES.has(mediaType)) return 'picture'
  if (mediaType === 'application/pdf') return 'document'
  return /^text\/|[/+](?:json|xml|yaml|toml|javascript|typescript)$/.test(mediaType) ? 'text' : 'other'
}

/** The word for it. */
export function kindWords(kind: FileKind): string {
  switch (kind) {
    case 'picture':
      return say('attach.kind-picture')
    case 'document':
      return say('attach.kind-pdf')
    case 'text':
      return say('attach.kind-text')
    case 'other':
      return say('attach.kind-other')
  }
}

/** Whether no model is sent what is in it, but its name and size. */
export function isReadAsName(mediaType: string): boolean {
  return kindOf(mediaType) === 'other'
}
