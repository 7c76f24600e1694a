/** The English words of the language itself. */
export const language = {
  'language.not-loaded':
    'The words of this language could not be loaded. They are asked for again when the line is back.',
} as const
