import type { Translation } from '../../language/translation.ts'
import type { markdown as english } from '../en/markdown.ts'

/** The German words of formatted text. */
export const markdown: Translation<typeof english> = {
  'markdown.text': 'Text',
  'markdown.copy-code': 'Code kopieren',
  'markdown.without-a-name': 'ohne Namen',
  'markdown.to-do': 'zu erledigen',
  'markdown.picture': 'Bild: {name}',
  'markdown.done': 'erledigt',
  'markdown.show-all-rows': 'Alle {count, number} Zeilen zeigen',
}
