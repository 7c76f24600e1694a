import type { Translation } from '../../language/translation.ts'
import type { first as english } from '../en/first.ts'

/** The German words of an installation that has no conversation yet. */
export const first: Translation<typeof english> = {
  'first.begin-with': 'Für den Anfang',
  'first.models': '{count, plural, one {1 Modell} other {# Modelle}}: {names}',
  'first.models-more': '{count, plural, one {1 Modell} other {# Modelle}}: {names} (+{more, number})',
  'first.in-the-environment': 'Schlüssel in der Umgebung, nicht gespeichert · {models}',
  'first.without-a-model': 'Läuft, hat aber noch kein Modell.',
  'first.small-window':
    'Sein Fenster ({tokens, number}) hat nicht für alle Werkzeuge Platz: Die ersten werden gesendet. Ollama hat ein größeres mit OLLAMA_CONTEXT_LENGTH=32768.',
  'first.no-model-found': 'Kein Modell gefunden',
  'first.no-model-yet': 'Noch kein Modell',
  'first.no-model-says':
    'Starten Sie Ollama, LM Studio, llama.cpp oder vLLM auf diesem Rechner, oder geben Sie einen Schlüssel an.',
  'first.no-server-found': 'Kein Modellserver auf diesem Computer',
  'first.no-server-says':
    'Starten Sie Ollama, LM Studio, llama.cpp oder vLLM und suchen Sie noch einmal. Vielleicht war er beim Start von Holdfast beschäftigt.',
  'first.look-again': 'Noch einmal suchen',
  'first.looking': 'Sucht …',
  'first.use': 'Verwenden',
  'first.use-name': '{name} verwenden',
  'first.answers-here': 'antwortet hier',
  'first.your-project': 'Ihr Projekt',
  'first.your-project-says': 'Agenten lesen und ändern Dateien in einem Ordner, den Sie öffnen, und fragen vorher.',
  'first.conversations-of': 'Unterhaltungen von {name}',
  'first.conversations-says':
    '{count, plural, one {# Protokoll} other {# Protokolle}}, {size}, das neueste vom {day}, in {folder}. Nichts wird gelesen, bevor Sie drücken.',
  'first.conversations-unread':
    '{count, plural, one {# Protokoll oder Ordner darf nicht gelesen werden und bleibt weg: {names}} other {# Protokolle oder Ordner dürfen nicht gelesen werden und bleiben weg: {names}}}',
  'first.import': 'Importieren',
  'first.import-of': 'Unterhaltungen von {name} importieren',
}
