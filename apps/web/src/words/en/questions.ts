/** The English words of what running calls ask a person. */
export const questions = {
  'questions.asks-you': '{source} asks you',
  'questions.asks-you-aloud': '{source} asks you: {message}',
  'questions.decline': 'Decline',
  'questions.cancel': 'Cancel',
  'questions.cancel-means': 'Closes the question without an answer',
  'questions.accept': 'Accept',
  'questions.optional': 'optional',
  'questions.choose': 'Choose…',
  'questions.none': 'None',
  'questions.no-secrets':
    '{source} gets what you write, and it stays in this conversation. Write no passwords or keys.',
  'questions.asks-for-secret':
    'This seems to ask for a secret. {source} gets what you write, and it stays in this conversation. No server may ask for passwords or keys this way: decline if it does.',
  'questions.wants-page':
    '{source} wants you to open a page at <strong>{host}</strong>. What you do there goes to that page, not to this conversation.',
  'questions.look-alike': 'This address uses letters of other alphabets and may look like another one.',
  'questions.open': 'Open {host}',
  'questions.asked': '{source} asked: {message}',
  'questions.accepted': 'Accepted by you · {at}',
  'questions.declined': 'Declined by you · {at}',
  'questions.cancelled': 'Cancelled by you · {at}',
  'questions.call-ended': 'The call ended before you answered · {at}',
  'questions.stopped': 'Cancelled by your stop · {at}',
  'questions.lost': 'Lost: the server ended, and the call with it · {at}',
  'questions.yes': 'Yes',
  'questions.no': 'No',
} as const
