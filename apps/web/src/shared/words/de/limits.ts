import type { Translation } from '../../language/translation.ts'
import type { limits as english } from '../en/limits.ts'

/** The German words of settings. */
export const limits: Translation<typeof english> = {
  'limits.lead':
    'Vorgaben für alle Unterhaltungen hier. Ein Agent kann eigene haben, und eine Unterhaltung steht über seinem Agenten. Was sich widerspricht, wird abgelehnt.',
  'limits.search': 'Diese Einstellungen durchsuchen',
  'limits.reading': 'Die Einstellungen werden gelesen…',
  'limits.not-read': 'Die Einstellungen konnten nicht gelesen werden: {problem}',
  'limits.none-found': 'Keine Einstellung hat „{words}“ im Namen oder im Grund.',
  'limits.usual': 'üblich: {value}',
  'limits.reset': 'Üblich',
  'limits.reset-name': '{name}: wieder wie üblich',
  'limits.of-file': 'In der Konfigurationsdatei gesetzt; dort ändern.',
  'limits.set-by-settings': 'Durch HOLDFAST_SETTINGS gesetzt; dort ändern.',
  'limits.nothing': 'nichts',
  'limits.on': 'an',
  'limits.off': 'aus',
  'limits.low': 'wenig',
  'limits.medium': 'mittel',
  'limits.high': 'viel',
  'limits.budget': 'eine Zahl von Token',
  'limits.in-tokens': '{count, number} Token',
  'limits.in-seconds': '{count, plural, one {# Sekunde} other {# Sekunden}}',
  'limits.in-characters': '{count, number} Zeichen',
  'limits.in-percent': '{count, number} Prozent',
  'limits.unit-tokens': 'Token',
  'limits.unit-seconds': 'Sekunden',
  'limits.unit-characters': 'Zeichen',
  'limits.unit-bytes': 'Byte',
  'limits.unit-percent': 'Prozent',
  'limits.section-model': 'Antworten und Nachdenken',
  'limits.section-context': 'Fenster und Zusammenfassungen',
  'limits.section-run': 'Durchgänge',
  'limits.section-tools': 'Werkzeuge',
  'limits.section-canvas': 'Leinwand',
  'limits.section-memories': 'Erinnerungen',
  'limits.section-titles': 'Titel',
  'limits.here': 'Grenzen dieser Unterhaltung',
  'limits.here-lead': 'Was leer ist, folgt dem Agenten, dann der Installation.',
  'limits.of-agent': 'Grenzen und Nachdenken',
  'limits.of-agent-lead': 'Was leer ist, folgt der Installation.',
  'limits.not-set-here': 'hier nicht gesetzt',
  'limits.no-number':
    '„{text}“ ist keine Zahl. {name}: {least} bis {most}. Schreiben Sie eine davon, oder nichts für den üblichen Wert.',
  'limits.too-small':
    '{name}: mindestens {least}. Schreiben Sie {least} bis {most}, oder nichts für den üblichen Wert.',
  'limits.too-large': '{name}: höchstens {most}. Schreiben Sie {least} bis {most}, oder nichts für den üblichen Wert.',
  'limits.thinking-why':
    'Wie viel ein Modell nachdenkt, bevor es antwortet, wo es das kann: aus, wenig, mittel, viel, oder höchstens so viele Token. Es kostet wie Ausgabe.',
  'limits.longest-answer': 'Längste Antwort',
  'limits.longest-answer-why':
    'So viel darf eine Antwort höchstens haben, das Nachdenken eingeschlossen. Nichts: was das Modell schreibt, bis zu seinem Anteil am Fenster.',
  'limits.kept-for-the-answer': 'Für die Antwort frei',
  'limits.kept-for-the-answer-why':
    'So viel vom Fenster bleibt höchstens für eine Antwort frei, deren Länge nicht gesetzt ist. Mehr lässt der Unterhaltung weniger.',
  'limits.summarise-at': 'Zusammenfassen bei',
  'limits.summarise-at-why':
    'Der Teil des Fensters, bei dem die Unterhaltung von selbst zusammengefasst wird. Weniger kostet weniger, mehr vergisst später.',
  'limits.summarise-at-the-latest': 'Zusammenfassen spätestens',
  'limits.summarise-at-the-latest-why':
    'Bei so vielen Token wird zusammengefasst, was immer das Fenster fasst: Sie werden mit jeder Anfrage neu gelesen.',
  'limits.exchanges-kept': 'Wortwechsel behalten',
  'limits.exchanges-kept-why': 'So viele der neuesten Wortwechsel bleiben Wort für Wort neben einer Zusammenfassung.',
  'limits.share-kept': 'Anteil behalten',
  'limits.share-kept-why': 'So viel vom Fenster dürfen diese Wortwechsel höchstens einnehmen.',
  'limits.share-carried-over': 'Anteil mitgenommen',
  'limits.share-carried-over-why':
    'So viel vom Fenster höchstens für das, was Menschen im zusammengefassten Teil geschrieben haben, Wort für Wort.',
  'limits.length-of-a-summary': 'Länge einer Zusammenfassung',
  'limits.length-of-a-summary-why':
    'So viel darf eine Zusammenfassung höchstens haben. Kleine Fenster geben ihr höchstens ein Zehntel von sich.',
  'limits.steps-of-a-turn': 'Schritte eines Durchgangs',
  'limits.steps-of-a-turn-why':
    'Nach so vielen Anfragen an das Modell endet ein Durchgang und bietet an, weiterzumachen.',
  'limits.calls-of-a-step': 'Aufrufe eines Schritts',
  'limits.calls-of-a-step-why':
    'So viele Werkzeuge darf eine Antwort höchstens aufrufen; was darüber ist, läuft nicht.',
  'limits.identical-calls': 'Gleiche Aufrufe',
  'limits.identical-calls-why': 'Ein Aufruf, der so oft hintereinander gleich ist, fragt zuerst.',
  'limits.size-of-an-answer': 'Größe einer Antwort',
  'limits.size-of-an-answer-why':
    'So viel darf eine Antwort höchstens enthalten: Text, Nachdenken und Aufrufe zusammen. Dann wird ihre Anfrage geschlossen.',
  'limits.wait-for-an-answer': 'Warten auf eine Antwort',
  'limits.wait-for-an-answer-why':
    'Eine Anfrage, auf die so lange nichts kommt, ist gescheitert. Modelle auf langsamen Rechnern brauchen mehr.',
  'limits.wait-in-an-answer': 'Warten in einer Antwort',
  'limits.wait-in-an-answer-why': 'Eine Antwort, die so lange verstummt, ist gescheitert.',
  'limits.wait-after-a-stop': 'Warten nach einem Stopp',
  'limits.wait-after-a-stop-why': 'So lange darf eine angehaltene Quelle brauchen, bis sie abgeschnitten wird.',
  'limits.time-of-a-call': 'Dauer eines Aufrufs',
  'limits.time-of-a-call-why': 'So lange darf der Aufruf eines Werkzeugs ohne eigene Grenze höchstens dauern.',
  'limits.grace-of-a-call': 'Frist eines Aufrufs',
  'limits.grace-of-a-call-why': 'So lange darf ein Werkzeug von selbst enden, bevor es beendet wird.',
  'limits.output-of-a-call': 'Ausgabe eines Aufrufs',
  'limits.output-of-a-call-why':
    'So viel von einer Ausgabe bekommt das Modell höchstens; den Rest kann es mit read_result lesen.',
  'limits.new-errors': 'Neue Fehler nach einer Änderung',
  'limits.new-errors-why':
    'Ein Aufruf, der Dateien geändert hat, sagt, welche Fehler seither neu sind. Er wartet bis zu 1,5 s. Nötig sind eine Sandbox und ein Sprachserver, etwa TypeScript 7 des Projekts.',
  'limits.network-of-commands': 'Netz der Befehle',
  'limits.network-of-commands-why':
    'Was Befehle in der Sandbox vom nächsten Start an erreichen: einander, das öffentliche Internet oder alles, was dieser Rechner erreicht.',
  'limits.each-other': 'einander',
  'limits.public-internet': 'das öffentliche Internet',
  'limits.all-of-this-machine': 'alles, was dieser Rechner erreicht',
  'limits.models-of-agents': 'Modelle externer Agenten',
  'limits.models-of-agents-why':
    'Wen externe Agenten von ihrem nächsten Start an fragen: ihre eigenen Anbieter mit eigener Anmeldung oder die hier eingerichteten, durch das Gateway. Dann wird jede Anfrage gezählt, und Budgets und Stopp gelten für sie.',
  'limits.their-own': 'ihre eigenen',
  'limits.providers-here': 'die hier eingerichteten',
  'limits.worktrees': 'Worktrees',
  'limits.worktrees-why':
    'So viele Worktrees aller Unterhaltungen zusammen; ein weiterer wird abgelehnt, bis welche beendet oder entfernt sind.',
  'limits.size-of-worktrees': 'Größe aller Worktrees',
  'limits.size-of-worktrees-why': 'Belegen sie zusammen so viele Bytes, wird keiner mehr angelegt.',
  'limits.elements-of-a-canvas': 'Elemente einer Leinwand',
  'limits.elements-of-a-canvas-why': 'So viele Elemente darf eine Leinwand höchstens haben.',
  'limits.size-of-an-element': 'Größe eines Elements',
  'limits.size-of-an-element-why':
    'So viel darf ein Element, oder eine Antwort auf ein Formular, als JSON höchstens haben.',
  'limits.size-of-a-canvas': 'Größe einer Leinwand',
  'limits.size-of-a-canvas-why': 'So viel dürfen alle Elemente einer Leinwand zusammen als JSON höchstens haben.',
  'limits.map-in-a-request': 'Karte des Repositorys in einer Anfrage',
  'limits.map-in-a-request-why':
    'So viel bekommt das Modell davon, was im Ordner wo steht, höchstens gesagt. 0 schaltet es aus; das Modell kann die Karte trotzdem erfragen.',
  'limits.memories-in-a-request': 'Erinnerungen in einer Anfrage',
  'limits.memories-in-a-request-why': 'So viel bekommt das Modell von dem, was gemerkt ist, höchstens gesagt.',
  'limits.memories-of-a-person': 'Erinnerungen eines Menschen',
  'limits.memories-of-a-person-why': 'So viel wird von einem Menschen höchstens gemerkt.',
  'limits.length-of-a-memory': 'Länge einer Erinnerung',
  'limits.length-of-a-memory-why': 'So viel darf eine Erinnerung höchstens haben.',
  'limits.titles-by-themselves': 'Titel von selbst',
  'limits.titles-by-themselves-why':
    'Ob eine Unterhaltung nach seiner ersten Antwort einen Titel bekommt; das kostet eine kleine Anfrage.',
  'limits.length-of-a-title': 'Länge eines Titels',
  'limits.length-of-a-title-why': 'So viel darf ein Titel, den das Modell gab, höchstens haben.',
}
