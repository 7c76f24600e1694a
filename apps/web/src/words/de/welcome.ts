import type { Translation } from '../../language/translation.ts'
import type { welcome as english } from '../en/welcome.ts'

/** The German words of the first page. */
export const welcome: Translation<typeof english> = {
  'welcome.watch-it-stream': 'Dem Strom zusehen',
  'welcome.forty-paragraphs-at-a-reading': 'Vierzig Absätze im Lesetempo. Drücken Sie auf halbem Weg Esc oder Stopp.',
  'welcome.see-it-think-first': 'Erst denken lassen',
  'welcome.thinking-in-one-line-then': 'Denken in einer Zeile, dann eine kurze Antwort.',
  'welcome.draw-on-the-canvas': 'Auf die Leinwand zeichnen',
  'welcome.cards-a-chart-a-table': 'Karten, ein Diagramm, eine Tabelle und eine Frage neben der Unterhaltung.',
  'welcome.lose-the-line': 'Die Verbindung verlieren',
  'welcome.the-stream-breaks-off-in': 'Der Strom bricht mittendrin ab; was gesagt war, bleibt.',
  'welcome.other-scripts': 'Andere Schriften',
  'welcome.chinese-japanese-and-korean': 'Chinesisch, Japanisch und Koreanisch.',
  'welcome.nothing-is-connected-yet-and': 'Noch ist nichts verbunden, und Sie können es ausprobieren.',
  'welcome.the-demo-follows-a-script':
    'Die Demo folgt einem Skript und geht denselben Weg wie ein echtes Modell. Stopp und Wiederherstellung sind echt.',
  'welcome.seconds': '{seconds, number} s',
}
