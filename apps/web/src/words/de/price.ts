import type { Translation } from '../../language/translation.ts'
import type { price as english } from '../en/price.ts'

/** The German words of prices. */
export const price: Translation<typeof english> = {
  'price.so-long-the-provider-keeps':
    'So lange behält der Anbieter, was gesendet wurde; danach wird es zum vollen Preis neu gelesen',
  'price.demo-costs-nothing': 'Demo, kostet nichts',
  'price.how-long-the-reply-will': 'wie lang die Antwort wird, ist noch nicht bekannt',
  'price.further-requests-of-the-same': 'weitere Anfragen desselben Durchgangs kosten extra',
  'price.a-summary-is-made-first': 'zuerst entsteht eine Zusammenfassung, mit eigenen Kosten',
  'price.cache-cold': 'Cache kalt',
  'price.asked-anew': 'Neu gefragt: {price}',
  'price.next-message': 'Nächste Nachricht: {price}',
  'price.next-message-and-summary': 'Nächste Nachricht: {price}, und zuerst eine Zusammenfassung',
  'price.price-of': 'Preis von {name}',
  'price.unknown': '≈ {tokens} Tokens geschätzt, Preis unbekannt',
  'price.and-reply': '≈ {amount} + Antwort, geschätzt',
  'price.about': '≈ {amount} geschätzt',
  'price.between': '≈ {low}–{high} geschätzt',
  'price.tokens-in': 'Geschätzt: {count, number} Tokens Eingabe',
  'price.read-from-cache': '{count, number} davon aus dem Cache',
  'price.written-to-it': '{count, number} in ihn geschrieben',
  'price.plain': '{count, number} ohne Cache',
  'price.reply-of': 'eine Antwort von {low, number} bis {high, number} Tokens, wie die Antworten hier bisher',
  'price.cache-warm': 'Cache warm {time}',
  'price.loss': '≈ {tokens} Tokens des Prompt-Caches gehen verloren, ≈ {amount} mehr (geschätzt)',
  'price.loss-free': '≈ {tokens} Tokens des Prompt-Caches gehen verloren (geschätzt)',
  'price.loss-unknown': '≈ {tokens} Tokens des Prompt-Caches gehen verloren, zu einem unbekannten Preis (geschätzt)',
}
