import { expect, it } from 'vitest'
import { CommandFrame, scopeOfCommand } from '../src/commands/command-table.ts'

/** What a key needs to change these settings of a conversation. */
function scopeOf(settings: object): string {
  const about = { type: 'command', name: 'change-settings', commandId: 'c1', conversationId: 'conversation_1' }
  return scopeOfCommand(CommandFrame.parse({ ...about, settings }))
}

it.each([
  ['agentId', 'agent_1'],
  ['toolMode', 'all-on'],
  ['includedTools', ['shell']],
  ['excludedSources', []],
  ['permissionMode', 'bypass'],
  ['workspace', '/srv'],
])('[SEC1, TOOL10] a key that may chat alone does not change %s, which decides what agents may do', (name, value) => {
  expect(scopeOf({ [name]: value })).toBe('tools')
  expect(scopeOf({ instructions: 'Be brief.', [name]: value })).toBe('tools')
  expect(scopeOf({ instructions: 'Be brief.' })).toBe('chat')
})
