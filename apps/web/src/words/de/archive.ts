import type { Translation } from '../../language/translation.ts'
import type { archive as english } from '../en/archive.ts'

/** The German words of import and export. */
export const archive: Translation<typeof english> = {
  'archive.for-reading-and-editing': 'Zum Lesen und Bearbeiten',
  'archive.web-page': 'Webseite',
  'archive.one-file-without-scripts': 'Eine Datei, ohne Skripte',
  'archive.everything-can-be-imported-again': 'Alles; lässt sich wieder importieren',
  'archive.export': 'Exportieren',
  'archive.export-as': 'Exportieren als',
  'archive.import': 'Importieren …',
  'archive.import-conversations': 'Unterhaltungen importieren',
  'archive.close-import': 'Import schließen',
  'archive.logs-of-claude-code-codex':
    'Protokolle von Claude Code, Codex, pi, Copilot, Gemini CLI und aider; Exporte von ChatGPT, LibreChat, Open WebUI, Chatbot UI und Holdfast; Zip-Archive davon. Dieselbe Datei bringt beim zweiten Mal nur, was neu ist.',
  'archive.files-to-import': 'Zu importierende Dateien',
  'archive.sending': 'Wird gesendet',
  'archive.the-import-failed': 'Der Import ist fehlgeschlagen',
  'archive.no-conversation-in-it': 'Keine Unterhaltung darin',
  'archive.cancelled': 'Abgebrochen',
  'archive.cancel-name': '{name} abbrechen',
  'archive.open': 'Öffnen',
  'archive.open-first-of': 'Erste aus {name} öffnen',
  'archive.left-out': 'Ausgelassen: {reasons}',
  'archive.line': 'Zeile {line, number}',
  'archive.reading': 'Wird gelesen, {count, plural, one {# Unterhaltung} other {# Unterhaltungen}}',
  'archive.cancelled-after':
    'Abgebrochen; {count, plural, one {# Unterhaltung bleibt} other {# Unterhaltungen bleiben}}',
  'archive.imported': '{count, plural, one {# Unterhaltung} other {# Unterhaltungen}} importiert',
  'archive.updated': '{count, number} auf den neuesten Stand gebracht',
  'archive.already-here': '{count, number} schon hier',
  'archive.unchanged': '{count, number} gelassen, wie sie sind',
  'archive.skipped': '{count, number} × {reason}',
}
