/** The English words of an installation that has no conversation yet. */
export const first = {
  'first.begin-with': 'To begin with',
  'first.models': '{count, plural, one {1 model} other {# models}}: {names}',
  'first.models-more': '{count, plural, one {1 model} other {# models}}: {names} (+{more, number})',
  'first.in-the-environment': 'Key in the environment, not stored · {models}',
  'first.without-a-model': 'It runs, but has no model yet.',
  'first.small-window':
    'Its window ({tokens, number}) has no room for all tools: the first ones are sent. Ollama has a larger one with OLLAMA_CONTEXT_LENGTH=32768.',
  'first.no-model-found': 'No model found',
  'first.no-model-yet': 'No model yet',
  'first.no-model-says': 'Start Ollama, LM Studio, llama.cpp or vLLM on this computer, or bring a key.',
  'first.no-server-found': 'No server of models on this computer',
  'first.no-server-says':
    'Start Ollama, LM Studio, llama.cpp or vLLM, and look again. It may have been busy when Holdfast started.',
  'first.look-again': 'Look again',
  'first.looking': 'Looking…',
  'first.use': 'Use',
  'first.use-name': 'Use {name}',
  'first.answers-here': 'answers here',
  'first.your-project': 'Your project',
  'first.your-project-says': 'Agents read and change files in a folder that you open, and ask first.',
  'first.conversations-of': 'Conversations of {name}',
  'first.conversations-says':
    '{count, plural, one {# log} other {# logs}}, {size}, newest of {day}, in {folder}. Nothing is read before you press.',
  'first.conversations-unread':
    '{count, plural, one {# log or folder may not be read, and is left out: {names}} other {# logs or folders may not be read, and are left out: {names}}}',
  'first.import': 'Import',
  'first.import-of': 'Import conversations of {name}',
} as const
