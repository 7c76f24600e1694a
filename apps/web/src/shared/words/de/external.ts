/** The German words of agents that are programs of their own. */
export const external = {
  'external.lead':
    'Programme, die Unterhaltungen selbst beantworten, über das Agent Client Protocol. Ist eines auf diesem Server installiert, kann es wie jeder Agent gewählt werden. Nichts wird installiert oder gestartet, bevor Sie es verlangen.',
  'external.add-an-agent': 'Agenten hinzufügen',
  'external.edit-an-agent': 'Agenten bearbeiten',
  'external.not-read': 'Die externen Agenten konnten nicht gelesen werden. {problem}',
  'external.name': 'Name',
  'external.command': 'Befehl',
  'external.command-note':
    'Ein Programm auf dem PATH oder sein ganzer Pfad, und seine Argumente. Keine Shell; Anführungszeichen halten Wörter zusammen.',
  'external.a-quote-is-open': 'Das ist noch kein Befehl: Ein Anführungszeichen oder ein Backslash ist offen.',
  'external.variables': 'Variablen',
  'external.more-variables': 'Variablen, die dazukommen oder ersetzt werden',
  'external.variables-note':
    'Je Zeile eine, als NAME=Wert. Werte liegen verschlüsselt auf diesem Server und werden nie wieder gezeigt.',
  'external.bad-line': 'Zeile {line} ist nicht NAME=Wert.',
  'external.runs-with-all-rights':
    'Er läuft mit allen Rechten des Kontos, unter dem Holdfast läuft, außerhalb der Sandbox. Fügen Sie nur hinzu, dem Sie trauen.',
  'external.name-is-saved': '{name} ist gespeichert.',
  'external.name-is-removed': '{name} ist entfernt. Was mit ihm gesagt wurde, bleibt.',
  'external.test': 'Testen',
  'external.test-name': '{name} testen',
  'external.edit-name': '{name} bearbeiten',
  'external.remove-asking': 'Entfernen…',
  'external.remove-name': '{name} entfernen',
  'external.really-remove-name': '{name} wirklich entfernen',
  'external.to-install': 'So wird er installiert:',
  'external.copy-the-command': 'Befehl kopieren',
  'external.is-started': '{name} wird gestartet und wieder beendet. Kein Modell wird gefragt.',
  'external.works': 'Geht: Version {version}, Protokoll {protocol}, bereit in {time}.',
  'external.held-in': 'Seine Modi: {modes}. Unterhaltungen werden in {mode} gehalten, der vorher fragt.',
  'external.no-mode-that-asks':
    'Er hat keinen Modus, von dem bekannt ist, dass er fragt: Er entscheidet selbst, wonach er fragt.',
  'external.ways-to-sign-in': '{count, plural, one {# Weg, sich anzumelden} other {# Wege, sich anzumelden}}',
  'external.sign-in-on-the-server':
    'Will {name} eine Anmeldung, dann in einem Terminal dieses Servers, unter dem Konto, unter dem Holdfast läuft.',
  'external.installed': 'Installiert',
  'external.not-installed': 'Nicht installiert',
  'external.from-the-file': 'aus der Konfigurationsdatei',
  'external.added-here': 'hier hinzugefügt',
  'external.protocol': 'Protokoll {version}',
  'external.could-not-be-started': '{name} konnte nicht gestartet werden',
  'external.test-it-in-the-settings':
    'Sein Programm fehlt auf dem Server oder begann nicht zu sprechen. Testen Sie es in den Einstellungen und versuchen Sie es dann noch einmal.',
  'external.wants-a-sign-in': '{name} will eine Anmeldung',
  'external.sign-in-to-it':
    'Melden Sie sich in einem Terminal des Servers bei ihm an, unter dem Konto, unter dem Holdfast läuft. Versuchen Sie es dann noch einmal.',
  'external.did-not-go-on': '{name} machte nicht weiter',
  'external.what-it-said-is-kept':
    'Was er sagte, ist da. Ein neuer Versuch startet ihn neu und erzählt ihm diese Unterhaltung; sehen Sie vorher nach, was er vielleicht schon getan hat.',
  'external.open-settings': 'Seine Einstellungen öffnen',
  'external.keeps-its-own-context':
    '{name} hat ein eigenes Gedächtnis und fragt sein eigenes Modell. Was er dorthin schickt, sieht man hier nicht; unten steht, was er von seinem Verbrauch sagte.',
  'external.reading-what-offers': 'Was {name} anbietet, wird gelesen …',
  'external.offers-not-read': 'Was {name} anbietet, konnte nicht gelesen werden: {problem}',
  'external.mode': 'Modus des Agenten',
  'external.its-own-mode': 'sein eigener Modus',
  'external.does-not-ask': '{name} (handelt vielleicht, ohne zu fragen)',
  'external.model': 'Modell des Agenten',
  'external.its-own-model': 'sein eigenes Modell',
  'external.who-pays': 'Wer für den Agenten zahlt',
  'external.who-pays-note':
    'Wer für das zahlt, was der Agent fragt, ab der nächsten Nachricht. Er wird dann neu gestartet und erfährt dieses Gespräch.',
  'external.paid-by': '{name} zahlt',
  'external.paid-by-itself': 'eigene Anmeldung',
  'external.paid-here': 'die Anbieter hier zahlen',
  'external.paid-by-itself-line':
    'der Hersteller rechnet mit seinem Konto ab; was er von seinem Verbrauch sagt, gilt als geschätzt',
  'external.paid-here-line': 'mit deren Schlüsseln, Anfrage für Anfrage gezählt; Budgets und Stopp gelten',
  'external.choice-line': '{name}: {says}',
  'external.takes-no-pictures': '{name} nimmt hier keine Bilder. Er erfährt von ihnen in Worten.',
} as const
