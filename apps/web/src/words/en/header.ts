/** The English words of the bar above. */
export const header = {
  'header.ask-the-model': 'Ask the model',
  'header.not-allowed': 'Not allowed',
  'header.plan-only': 'Plan only',
  'header.tools-may-read-in-the': 'Tools may read in the folder; everything else is denied.',
  'header.ask-first': 'Ask first',
  'header.tools-may-read-in-the-2': 'Tools may read in the folder; for everything else you are asked.',
  'header.accept-edits': 'Accept edits',
  'header.tools-may-also-change-files': 'Tools may also change files in the folder.',
  'header.ask-nothing': 'Ask nothing',
  'header.tools-may-do-everything-that': 'Tools may do everything that no rule forbids.',
  'header.permission-mode': 'Permission mode',
  'header.title-waiting': '◆ Needs you — {title} — Holdfast',
  'header.title': '{title} — Holdfast',
} as const
