/** The English words of the frame of the page, dates and numbers. */
export const page = {
  'page.today': 'Today',
  'page.yesterday': 'Yesterday',
  'page.previous-days': 'Previous {days, number} days',
  'page.older': 'Older',
  'page.part-not-read': 'This part of the page could not be read from the server.',
  'page.reload': 'Reload the page',
  'page.begun-anew': 'Begun anew. The conversation so far is in the archive.',
  'page.seconds': '{seconds} s',
} as const
