import type { Translation } from '../../language/translation.ts'
import type { answer as english } from '../en/answer.ts'

/** The German words of answers, their ends and failures. */
export const answer: Translation<typeof english> = {
  'answer.stopped-by-you': 'Von Ihnen gestoppt',
  'answer.stopped-before-any-reply': 'Vor jeder Antwort gestoppt.',
  'answer.interrupted': 'Unterbrochen',
  'answer.the-server-ended-in-the': 'Der Server endete mitten in dieser Antwort. Der Text bis dahin ist erhalten.',
  'answer.the-server-ended-before-any': 'Der Server endete vor jeder Antwort.',
  'answer.limit-reached': 'Grenze erreicht',
  'answer.the-turn-took-as-many': 'Der Durchgang hat so viele Schritte gebraucht, wie er darf.',
  'answer.raises-the-budget-of-this': 'Erhöht das Budget dieser Unterhaltung und sendet die Nachricht „Continue.“',
  'answer.add-1-and-go-on': '1 $ hinzufügen und weiter',
  'answer.go-on': 'Weiter',
  'answer.the-reply-broke-off': 'Die Antwort brach ab',
  'answer.no-reply': 'Keine Antwort',
  'answer.the-stream-ended-before-its': 'Der Strom endete vor seinem Ende. Der Text bis dahin ist erhalten.',
  'answer.sends-the-message-continue': 'Sendet die Nachricht „Continue.“',
  'answer.technical-details': 'Technische Einzelheiten',
  'answer.copy-details': 'Einzelheiten kopieren',
  'answer.the-provider-did-not-accept': 'Der Anbieter hat den Schlüssel nicht angenommen',
  'answer.give-it-a-valid-key':
    'Geben Sie ihm einen gültigen Schlüssel oder nehmen Sie ein anderes Modell. Die Nachricht ist erhalten.',
  'answer.rate-limited': 'Zu viele Anfragen',
  'answer.too-many-requests-at-once':
    'Zu viele Anfragen auf einmal. Warten Sie einen Moment und senden Sie dann erneut.',
  'answer.the-account-has-no-credit': 'Das Konto hat kein Guthaben mehr',
  'answer.add-credit-with-the-provider': 'Laden Sie beim Anbieter Guthaben auf oder nehmen Sie ein anderes Modell.',
  'answer.the-request-is-too-long': 'Die Anfrage ist zu lang für dieses Modell',
  'answer.shorten-the-conversation-or-use':
    'Kürzen Sie die Unterhaltung oder nehmen Sie ein Modell mit größerem Fenster.',
  'answer.lost-contact-with-the-provider': 'Verbindung zum Anbieter verloren',
  'answer.what-had-arrived-is-kept':
    'Was angekommen war, ist erhalten und geht mit Ihrer nächsten Nachricht mit. Nichts lief zweimal.',
  'answer.the-provider-is-overloaded': 'Der Anbieter ist überlastet',
  'answer.it-is-not-your-request': 'Es liegt nicht an Ihrer Anfrage. Versuchen Sie es in einer Weile wieder.',
  'answer.there-is-no-such-model': 'Dieses Modell gibt es nicht',
  'answer.choose-another-model-or-install':
    'Wählen Sie ein anderes Modell oder installieren Sie dieses dort, wo es läuft.',
  'answer.the-model-declined-to-answer': 'Das Modell hat die Antwort abgelehnt',
  'answer.say-it-in-other-words': 'Sagen Sie es mit anderen Worten oder fragen Sie etwas anderes.',
  'answer.the-provider-did-not-understand': 'Der Anbieter hat die Anfrage nicht verstanden',
  'answer.this-is-a-defect-of':
    'Das ist ein Fehler dieses Programms oder des Anbieters. Die Einzelheiten helfen, ihn zu melden.',
  'answer.something-broke-in-the-program': 'Im Programm ist etwas kaputtgegangen',
  'answer.the-conversation-is-kept-the':
    'Die Unterhaltung ist erhalten. Die Einzelheiten helfen, den Fehler zu melden.',
  'answer.stopping': 'Wird gestoppt …',
  'answer.time-until-the-next-try': 'Zeit bis zum nächsten Versuch',
  'answer.stop-retrying': 'Versuche beenden',
  'answer.tokens-kept': '{tokens} Tokens erhalten',
  'answer.attempt-failed-at': 'Versuch {attempt} schlug um {time} fehl: {title}',
  'answer.attempt-failed': 'Versuch {attempt} fehlgeschlagen',
  'answer.until-next-try': '<count>{seconds, number} s</count> bis zum nächsten Versuch',
  'answer.waiting-for-model': 'Wartet auf das Modell · {seconds, number} s',
}
