import type { Translation } from '../../language/translation.ts'
import type { memories as english } from '../en/memories.ts'

/** The German words of memories. */
export const memories: Translation<typeof english> = {
  'memories.reading-the-memories': 'Die Erinnerungen werden gelesen …',
  'memories.memories': 'Erinnerungen',
  'memories.what-agents-keep-of-you':
    'Was Agenten über eine Unterhaltung hinaus von Ihnen behalten. Nur Sie sehen es. Ein Agent erfährt, was für alle Agenten ist und was ihm gehört; für eine einzelne Unterhaltung können Sie das in ihrem Inspektor abschalten.',
  'memories.agents-are-told-these-and': 'Agenten erfahren diese und dürfen welche hinzufügen',
  'memories.search-memories': 'Erinnerungen durchsuchen',
  'memories.export': 'Exportieren',
  'memories.import-a-file': 'Datei importieren',
  'memories.forget-all': 'Alle vergessen',
  'memories.remember-this': 'Das merken',
  'memories.nothing-is-remembered-yet-tell':
    'Noch ist nichts gemerkt. Bitten Sie einen Agenten, sich etwas zu merken, oder schreiben Sie es hier.',
  'memories.forget': 'Vergessen',
  'memories.forget-for-good': 'Endgültig vergessen',
  'memories.where-it-came-from': 'Woher sie stammt',
  'memories.memory': 'Erinnerung',
  'memories.use-memories-in-this-conversation': 'Erinnerungen in dieser Unterhaltung nutzen und neue speichern',
  'memories.this-file-holds-no-memories':
    'Diese Datei enthält keine Erinnerungen: Sie braucht JSON, wie „Exportieren“ es schreibt.',
  'memories.forget-all-for-good': 'Alle {count, number} endgültig vergessen',
  'memories.found-of': '{found, number} von {all, number} gefunden',
  'memories.of-at-most': '{count, number} von höchstens {most, number}',
  'memories.pinned': 'angeheftet',
  'memories.only-for': 'nur für {agent}',
  'memories.written-by-you': 'von Ihnen geschrieben',
  'memories.left-out': '{count, number} ausgelassen: {reason}',
  'memories.added': '{added, number} hinzugefügt, {known, number} schon bekannt',
}
