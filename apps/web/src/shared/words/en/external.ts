/** The English words of agents that are programs of their own. */
export const external = {
  'external.lead':
    'Programs that answer conversations by themselves, over the Agent Client Protocol. Where one is installed on this server, it can be chosen like any agent. Nothing is installed or started before you ask for it.',
  'external.add-an-agent': 'Add an agent',
  'external.edit-an-agent': 'Edit an agent',
  'external.not-read': 'The external agents could not be read. {problem}',
  'external.name': 'Name',
  'external.command': 'Command',
  'external.command-note':
    'A program on the PATH, or its whole path, and its arguments. No shell is used; quotes keep words together.',
  'external.a-quote-is-open': 'This is no command yet: a quote or a backslash is left open.',
  'external.variables': 'Variables',
  'external.more-variables': 'Variables to add or replace',
  'external.variables-note':
    'One a line, as NAME=value. Values are kept encrypted on this server and never shown again.',
  'external.bad-line': 'Line {line} is not NAME=value.',
  'external.runs-with-all-rights':
    'It runs with all rights of the account that runs Holdfast, outside of the sandbox. Add only what you trust.',
  'external.name-is-saved': '{name} is saved.',
  'external.name-is-removed': '{name} is removed. What was said with it stays.',
  'external.test': 'Test',
  'external.test-name': 'Test {name}',
  'external.edit-name': 'Edit {name}',
  'external.remove-asking': 'Remove…',
  'external.remove-name': 'Remove {name}',
  'external.really-remove-name': 'Really remove {name}',
  'external.to-install': 'To install it:',
  'external.copy-the-command': 'Copy the command',
  'external.is-started': '{name} is started, and ended again. No model is asked.',
  'external.works': 'Works: version {version}, protocol {protocol}, ready in {time}.',
  'external.held-in': 'Its modes: {modes}. Conversations are held in {mode}, which asks before it acts.',
  'external.no-mode-that-asks': 'It has no mode that is known to ask: it decides by itself what it asks about.',
  'external.ways-to-sign-in': '{count, plural, one {# way to sign in} other {# ways to sign in}}',
  'external.sign-in-on-the-server':
    'Where {name} wants a sign-in, do it in a terminal of this server, as the account that runs Holdfast.',
  'external.installed': 'Installed',
  'external.not-installed': 'Not installed',
  'external.from-the-file': 'from the configuration file',
  'external.added-here': 'added here',
  'external.protocol': 'protocol {version}',
  'external.could-not-be-started': '{name} could not be started',
  'external.test-it-in-the-settings':
    'Its program is missing on the server, or did not begin to speak. Test it in the settings, then try again.',
  'external.wants-a-sign-in': '{name} wants a sign-in',
  'external.sign-in-to-it':
    'Sign in to it in a terminal of the server, as the account that runs Holdfast. Then try again.',
  'external.did-not-go-on': '{name} did not go on',
  'external.what-it-said-is-kept':
    'What it said is kept. Try again starts it anew and tells it this conversation; look first at what it may have done already.',
  'external.open-settings': 'Open its settings',
  'external.keeps-its-own-context':
    '{name} keeps its own memory and asks its own model. What it sends there is not seen here; below is what it told of its use.',
} as const
