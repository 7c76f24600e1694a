import type { Translation } from '../../language/translation.ts'
import type { context as english } from '../en/context.ts'

/** The German words of context and models. */
export const context: Translation<typeof english> = {
  'context.context': 'Kontext',
  'context.kept-for-the-reply': 'Für die Antwort freigehalten',
  'context.plenty-of-room': 'viel Platz',
  'context.nearly-full': 'fast voll',
  'context.models-could-not-be-read': 'Modelle ließen sich nicht lesen',
  'context.no-model': 'Kein Modell',
  'context.demo-offline-script': 'Demo (Skript ohne Netz)',
  'context.window-unknown': 'Fenster unbekannt',
  'context.demo-costs-nothing': 'Demo, kostet nichts',
  'context.price-unknown': 'Preis unbekannt',
  'context.system': 'System',
  'context.canvas-and-memory': 'Leinwand und Erinnerungen',
  'context.summary': 'Zusammenfassung',
  'context.messages': 'Nachrichten',
  'context.tool-results': 'Werkzeugergebnisse',
  'context.files-and-images': 'Dateien und Bilder',
  'context.open-inspector': '{shown}. Kontext: {spoken}. Inspektor öffnen',
  'context.window-unknown-of': '{tokens} Tokens · Fenster unbekannt',
  'context.filling': 'füllt sich',
  'context.over': 'zu voll',
  'context.spoken-unknown': '{tokens} Tokens, das Fenster des Modells ist nicht bekannt',
  'context.spoken-unknown-about': 'etwa {tokens} Tokens, das Fenster des Modells ist nicht bekannt',
  'context.spoken': '{percent, number} Prozent, {used} von {window} Tokens',
  'context.spoken-about': 'etwa {percent, number} Prozent, {used} von {window} Tokens',
  'context.not-here': '{model} (nicht hier)',
  'context.window-of': 'Fenster {tokens} Tokens',
  'context.price': '{input} Eingabe, {output} Ausgabe je Million Tokens ({reference})',
}
