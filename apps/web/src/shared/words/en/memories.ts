/** The English words of memories. */
export const memories = {
  'memories.reading-the-memories': 'Reading the memories…',
  'memories.memories': 'Memories',
  'memories.what-agents-keep-of-you':
    'What agents keep of you beyond a conversation. Only you see it. An agent is told what is for every agent and what is its own; you can turn that off for one conversation in its inspector.',
  'memories.agents-are-told-these-and': 'Agents are told these, and may add to them',
  'memories.search-memories': 'Search memories',
  'memories.export': 'Export',
  'memories.import-a-file': 'Import a file',
  'memories.forget-all': 'Forget all',
  'memories.remember-this': 'Remember this',
  'memories.nothing-is-remembered-yet-tell':
    'Nothing is remembered yet. Tell an agent to remember something, or write it here.',
  'memories.forget': 'Forget',
  'memories.forget-for-good': 'Forget for good',
  'memories.where-it-came-from': 'Where it came from',
  'memories.memory': 'Memory',
  'memories.use-memories-in-this-conversation': 'Use memories in this conversation, and save new ones',
  'memories.this-file-holds-no-memories': 'This file holds no memories: it needs JSON as “Export” writes it.',
  'memories.forget-all-for-good': 'Forget all {count, number} for good',
  'memories.found-of': '{found, number} of {all, number} found',
  'memories.of-at-most': '{count, number} of at most {most, number}',
  'memories.pinned': 'pinned',
  'memories.only-for': 'only for {agent}',
  'memories.written-by-you': 'written by you',
  'memories.left-out': '{count, number} left out: {reason}',
  'memories.added': '{added, number} added, {known, number} known already',
} as const
