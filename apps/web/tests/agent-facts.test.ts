import type { AgentRow } from '@holdfast/protocol'
import { beforeAll, expect, it } from 'vitest'
import { agentFacts } from '../src/agents/agent-facts.ts'
import { loadTheRest } from '../src/shared/language/load-words.ts'

beforeAll(loadTheRest)

const ROW: AgentRow = {
  id: 'agent-1',
  version: 3,
  name: 'Ada',
  description: 'Checks proofs.',
  avatar: null,
  picture: null,
  presetId: null,
  voice: null,
  settings: {
    instructions: 'You are Ada.\nBe exact.',
    modelId: 'anthropic/claude-sonnet-4-5',
    memories: 'off',
    parameters: { temperature: 0.2 },
    toolMode: 'manual',
    includedTools: ['read', 'glob'],
    permissionMode: 'plan',
  },
  starters: ['Check my proof', 'Explain it'],
  origin: 'shared',
  sharing: null,
  sharedBy: 'Grace',
  accepted: true,
  canChange: false,
  updatedAt: 0,
}

it('[AGENT4] who may use an agent sees all that it is set to', () => {
  expect(agentFacts(ROW).map(({ name, value }) => `${name}: ${value}`)).toEqual([
    'What it is for: Checks proofs.',
    'Instructions: You are Ada.\nBe exact.',
    'Model: anthropic/claude-sonnet-4-5',
    'Parameters (JSON): {\n  "temperature": 0.2\n}',
    'Tools: Only these\nread\nglob',
    'Permissions: Plan only',
    'Starters, one a line: Check my proof\nExplain it',
    'It is told what you wanted remembered: No',
  ])
})

it('[AGENT4] what an agent leaves to the conversation says so, and what it has not is not there', () => {
  const plain = { ...ROW, description: '', settings: {}, starters: [] }
  expect(agentFacts(plain).map(({ name, value }) => `${name}: ${value}`)).toEqual([
    'Model: As the conversation',
    'Tools: As the conversation',
    'Permissions: As the conversation',
    'It is told what you wanted remembered: Yes',
  ])
})
