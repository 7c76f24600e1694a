import { expect, test } from 'vitest'
import { diffOf, kindOf, locationsOf } from '../src/cli/acp/tool-words.ts'

test('[AGENT71] an editor sees the edits of agents that are programs as it sees ours: their kind, place and lines', () => {
  const input = { title: 'Edit a.txt', path: 'a.txt', oldText: 'one', newText: 'two' }
  expect(kindOf('agent_edit')).toBe('edit')
  expect(locationsOf(input, '/work')).toEqual([{ path: '/work/a.txt' }])
  expect(diffOf('agent_edit', input, '/work')).toEqual([
    { type: 'diff', path: '/work/a.txt', oldText: 'one', newText: 'two' },
  ])
  const written = { title: 'Write', path: '/etc/x', content: 'all' }
  expect(diffOf('agent_edit', written, '/work')).toEqual([{ type: 'diff', path: '/etc/x', newText: 'all' }])
  // Of a sub-agent nobody here knows the folder: what is not told whole has no place.
  expect([locationsOf(input, null), diffOf('agent_edit', input, null)]).toEqual([[], []])
  expect(locationsOf(written, null)).toEqual([{ path: '/etc/x' }])
})
