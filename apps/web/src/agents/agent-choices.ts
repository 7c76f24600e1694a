/** Which tools an agent has, beside the empty choice that leaves it to the conversation. */
export const TOOL_MODES = [
  { value: '', name: 'agents.as-the-conversation' },
  { value: 'auto', name: 'agents.found-when-needed' },
  { value: 'cached', name: 'agents.all-kept-in-the-cache' },
  { value: 'all-on', name: 'agents.all' },
  { value: 'manual', name: 'agents.only-these' },
  { value: 'all-off', name: 'agents.none' },
] as const

/** What an agent asks before it acts, beside the empty choice that leaves it to the conversation. */
export const PERMISSION_MODES = [
  { value: '', name: 'agents.as-the-conversation' },
  { value: 'plan', name: 'agents.plan-only' },
  { value: 'ask', name: 'agents.ask-first' },
  { value: 'accept-edits', name: 'agents.accept-edits' },
  { value: 'sandboxed', name: 'agents.ask-outside-the-sandbox' },
  { value: 'bypass', name: 'agents.ask-nothing' },
] as const
