/** Where the vendors themselves are. */
export const USUAL_URLS = {
  anthropic: 'https://api.anthropic.com',
  'openai-responses': 'https://api.openai.com',
  google: 'https://generativelanguage.googleapis.com/v1beta',
} as const
