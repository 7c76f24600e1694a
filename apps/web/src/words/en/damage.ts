/** The English words of a conversation whose log is damaged. */
export const damage = {
  'damage.this-conversation-is-damaged': 'This conversation is damaged',
  'damage.looking': 'Looking at what can still be read…',
  'damage.not-looked': 'What can still be read is not known: {problem}',
  'damage.readable': '{readable, plural, one {# entry} other {# entries}} of it can still be read.',
  'damage.readable-of':
    '{readable, number} of {count, plural, one {# entry} other {# entries}} of it can still be read.',
  'damage.from-entry': 'The damage begins at entry {seq, number}.',
  'damage.what-the-store-says': 'What the store says',
  'damage.what-to-do':
    'Save what can be read now. A backup brings back the rest: holdfast restore. Other conversations are not touched.',
  'damage.save-as': 'Save as {format}',
} as const
