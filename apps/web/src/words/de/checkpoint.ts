import type { Translation } from '../../language/translation.ts'
import type { checkpoint as english } from '../en/checkpoint.ts'

/** The German words of summary checkpoints. */
export const checkpoint: Translation<typeof english> = {
  'checkpoint.summarise-again': 'Noch einmal zusammenfassen',
  'checkpoint.summary-checkpoint-erased': 'Zusammenfassung, gelöscht',
  'checkpoint.view': 'Ansehen',
  'checkpoint.summary-checkpoint': 'Zusammenfassung',
  'checkpoint.view-less': 'Weniger zeigen',
  'checkpoint.edit-summary': 'Zusammenfassung bearbeiten',
  'checkpoint.copy-summary': 'Zusammenfassung kopieren',
  'checkpoint.requests-hold-again-what-is':
    'Anfragen enthalten wieder, was darüber steht, soweit es passt. Nichts wird gelöscht.',
  'checkpoint.undo-checkpoint': 'Zusammenfassung zurücknehmen',
  'checkpoint.the-summary-may-tell-of':
    'Die Zusammenfassung kann von ihnen erzählen. Heften Sie eine an, damit die nächste sie Wort für Wort übernimmt.',
  'checkpoint.summary': 'Zusammenfassung',
  'checkpoint.save-summary': 'Zusammenfassung speichern',
  'checkpoint.asked-for-by-you': 'von Ihnen verlangt',
  'checkpoint.edited-by-you': 'von Ihnen bearbeitet',
  'checkpoint.unused': 'Zusammenfassung, nicht mehr in Gebrauch',
  'checkpoint.unused-of':
    'Zusammenfassung, nicht mehr in Gebrauch: {count, plural, one {# Nachricht} other {# Nachrichten}}',
  'checkpoint.stands': 'Steht für das, was darüber ist',
  'checkpoint.stands-for': 'Steht für das, was darüber ist: {count, plural, one {# Nachricht} other {# Nachrichten}}',
  'checkpoint.not-changed': 'Nicht geändert: {problem}',
  'checkpoint.not-carried-over': 'Nicht übernommen: {count, number} Ihrer Nachrichten',
  'checkpoint.further-up': 'Nachricht {seq, number}, weiter oben',
  'checkpoint.automatic': 'automatisch',
  'checkpoint.summarising': 'Frühere Nachrichten werden zusammengefasst · {seconds, number} s',
}
