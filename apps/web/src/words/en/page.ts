/** The English words of the frame of the page, dates and numbers. */
export const page = {
  'page.today': 'Today',
  'page.yesterday': 'Yesterday',
  'page.previous-days': 'Previous {days, number} days',
  'page.older': 'Older',
  'page.seconds': '{seconds} s',
} as const
