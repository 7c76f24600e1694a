/** The English words of formatted text. */
export const markdown = {
  'markdown.text': 'text',
  'markdown.copy-code': 'Copy code',
  'markdown.without-a-name': 'without a name',
  'markdown.to-do': 'to do',
  'markdown.picture': 'Picture: {name}',
  'markdown.done': 'done',
  'markdown.show-all-rows': 'Show all {count, number} rows',
} as const
