import type { Translation } from '../../language/translation.ts'
import type { language as english } from '../en/language.ts'

/** The German words of the language itself. */
export const language: Translation<typeof english> = {
  'language.not-loaded':
    'Die Wörter dieser Sprache ließen sich nicht laden. Sobald die Verbindung wieder steht, wird es noch einmal versucht.',
}
