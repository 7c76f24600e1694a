/** The German words of parts that are read behind the first script. */
export const seldom = {
  'answer.about-tokens-of': 'Etwa {used} Tokens würden gesendet; das Modell nimmt {window}.',
  'answer.choose-a-larger-window': 'Größeres Fenster wählen',
  'answer.choose-a-model': 'Modell wählen',
  'answer.connect-another': 'Andere verbinden',
  'answer.copy-the-command-that-installs': 'Den Befehl kopieren, der es installiert',
  'answer.send-without-tools': 'Ohne Werkzeuge senden',
  'answer.summarise': 'Zusammenfassen',
  'settings.back-to-the-conversation': 'Zurück zur Unterhaltung',
  'settings.no-setting-is-called': 'Keine Einstellung heißt „{words}“.',
  'settings.search-settings': 'Einstellungen durchsuchen',
  'composer.written-before-an-update': 'Vor einer Aktualisierung geschrieben und nicht gesendet:',
  'presets.where': 'Wo soll gearbeitet werden?',
  'tools.lines-before':
    '{lines, plural, one {# Zeile} other {# Zeilen}} davor, {characters, plural, one {# Zeichen} other {# Zeichen}}.',
  'tools.lines-after':
    '… {lines, plural, one {# weitere Zeile} other {# weitere Zeilen}}, {characters, plural, one {# Zeichen} other {# Zeichen}}.',
  'tools.part-before': 'Teil davor zeigen',
  'tools.part-after': 'Nächsten Teil zeigen',
  'tools.not-shown':
    'Nicht alles davon wurde gezeigt. Nicht zu sehen: {lines, plural, one {# Zeile} other {# Zeilen}} ({characters, plural, one {# Zeichen} other {# Zeichen}}). Erlauben gilt auch dafür.',
  'tools.not-all-shown': 'Eine davon wurde nicht ganz gezeigt: Sie wird für sich beantwortet.',
  'tools.not-compared':
    'Höchstens so viele: Die Texte wiederholen sich zu sehr, um sie Zeile für Zeile zu vergleichen.',
  'tools.outside-of-its-folder': 'Außerhalb des Ordners des Agenten.',
  'tools.belongs-to-git': 'Es gehört git, das ausführen kann, was dort steht.',
} as const
