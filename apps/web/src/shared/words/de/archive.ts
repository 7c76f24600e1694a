import type { Translation } from '../../language/translation.ts'
import type { archive as english } from '../en/archive.ts'

/** The German words of import, export and damage. */
export const archive: Translation<typeof english> = {
  'archive.what-goes-into-it': 'Was hineinkommt',
  'archive.with-tools': 'Werkzeuge und ihre Ergebnisse',
  'archive.with-thinking': 'Gedanken',
  'archive.with-branches': 'Beiseitegelegte Zweige',
  'archive.with-usage': 'Token und Kosten',
  'archive.with-attachments': 'Anhänge',
  'archive.with-masks': 'Schlüssel, E-Mail-Adressen und Benutzerordner verdecken',
  'archive.files-cannot-be-masked': 'nicht mit Verdecken: Dateien lassen sich nicht verdecken',
  'archive.json-holds-all':
    'JSON enthält die ersten vier immer. Mit Verdecken bleiben Dateien weg: sie lassen sich nicht verdecken.',
  'archive.looking-for-secrets': 'Es wird danach gesucht …',
  'archive.secrets-not-counted': 'Nicht gezählt: {problem}',
  'archive.nothing-to-mask': 'Nichts darin sieht danach aus. Lesen Sie es, bevor Sie es weitergeben.',
  'archive.masked-keys': '{count, plural, one {# Schlüssel} other {# Schlüssel}}',
  'archive.masked-mail': '{count, plural, one {# E-Mail-Adresse} other {# E-Mail-Adressen}}',
  'archive.masked-folders': '{count, plural, one {# Benutzerordner} other {# Benutzerordner}}',
  'archive.masked': 'Dem Aussehen nach verdeckt: {found}. Lesen Sie es, bevor Sie es weitergeben.',
  'archive.logs-of-claude-code-codex':
    'Protokolle von Claude Code, Codex, pi, Copilot, Gemini CLI, opencode und aider; Exporte von ChatGPT, LibreChat, Open WebUI, Chatbot UI und Holdfast; Zip-Archive davon. Dieselbe Datei bringt beim zweiten Mal nur, was neu ist.',
  'archive.files-to-import': 'Zu importierende Dateien',
  'archive.sending': 'Wird gesendet',
  'archive.the-import-failed': 'Der Import ist fehlgeschlagen',
  'archive.no-conversation-in-it': 'Keine Unterhaltung darin',
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
  'damage.this-conversation-is-damaged': 'Diese Unterhaltung ist beschädigt',
  'damage.looking': 'Es wird nachgesehen, was noch lesbar ist …',
  'damage.not-looked': 'Was noch lesbar ist, weiß man nicht: {problem}',
  'damage.readable': '{readable, plural, one {# Eintrag davon ist} other {# Einträge davon sind}} noch lesbar.',
  'damage.readable-of': '{readable, number} von {count, plural, one {# Eintrag} other {# Einträgen}} sind noch lesbar.',
  'damage.from-entry': 'Der Schaden beginnt beim Eintrag {seq, number}.',
  'damage.what-the-store-says': 'Was der Speicher sagt',
  'damage.what-to-do':
    'Sichern Sie jetzt, was lesbar ist. Den Rest bringt eine Sicherung zurück: holdfast restore. Andere Unterhaltungen sind nicht betroffen.',
  'damage.save-as': 'Als {format} sichern',
}
