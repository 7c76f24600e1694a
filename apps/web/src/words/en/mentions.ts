/** The English words of what `/` and `@` bring into a message. */
export const mentions = {
  'mentions.prompts': 'Commands, and prompts of servers',
  'mentions.resources': 'Resources of servers',
  'mentions.reading': 'Asking the servers…',
  'mentions.no-prompt': 'No prompt fits. MCP servers bring them.',
  'mentions.no-resource': 'No resource fits. MCP servers bring them.',
  'mentions.values-of': 'Values of {name}',
  'mentions.of-server': '{name} · {server}',
  'mentions.insert': 'Insert',
  'mentions.attach': 'Attach',
  'mentions.along': 'Sent along',
  'mentions.remove': 'Remove {name}',
  'mentions.as-assistant': 'Assistant: {text}',
  'mentions.sent-in-part': '{uri} (only its beginning was sent)',
} as const
