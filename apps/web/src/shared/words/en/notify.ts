/** The English words of what is told to who does not look. */
export const notify = {
  'notify.notifications': 'Notifications',
  'notify.also': 'notifications tell finished done waiting browser',
  'notify.needs-you': 'Needs you',
  'notify.is-done': 'Is done',
  'notify.has-failed': 'Has failed',
  'notify.while-you-were-away':
    'Something happened here while you were away. The browser can tell you when a conversation needs you or is done.',
  'notify.tell-me': 'Tell me',
  'notify.not-now': 'Not now',
  'notify.tell-me-while': 'Tell me what happens while I look elsewhere',
  'notify.the-browser-asks':
    'The browser asks you first. It shows the title of the conversation, without a sound, and nothing while you look at this page.',
  'notify.the-browser-allows-none':
    'The browser allows none: let it show notifications of this address, in its settings.',
  'notify.cannot': 'Needs a trusted line: this computer itself, or https.',
  'notify.of-needs-you': 'A conversation needs you',
  'notify.of-needs-you-why': 'It waits for a permission or an answer.',
  'notify.of-finished': 'A turn is done',
  'notify.of-finished-why': 'One that took longer than 20 seconds.',
  'notify.of-failed': 'A turn has failed',
  'notify.of-failed-why': 'Or the server was ended in it.',
  'notify.always': 'The title and the icon of the tab say it always.',
} as const
