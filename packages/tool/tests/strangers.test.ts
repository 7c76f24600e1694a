import {
  createPermissionRules,
  decidePermission,
  mayBringStrangers,
  type PermissionRule,
  type ToolDefinition,
} from '@holdfast/tool'
import { describe, expect, it } from 'vitest'

const shell: ToolDefinition = {
  name: 'shell',
  description: '',
  parameters: {},
  category: 'execute',
  annotations: { readOnly: false, destructive: true, openWorld: true },
  argumentRoles: { command: 'shell-line' },
}
const fetchPage = {
  name: 'fetch',
  description: '',
  parameters: {},
  category: 'network',
  argumentRoles: { url: 'url' },
} as const

describe('what may bring words of strangers', () => {
  it.each([
    'ls -la',
    'cat a.txt | grep b && wc -l c',
    'npm test -- signup',
    'npm run build',
    'git status; git diff',
    'cargo test',
    'cd src && make',
  ])('[PERM7] %j does not', (command) => {
    expect(mayBringStrangers(shell, { command })).toBe(false)
  })

  it.each([
    'curl https://example.com',
    'npm install left-pad',
    'npm exec evil',
    'git fetch',
    'git clone https://example.com/a',
    'ls; curl https://example.com',
    'cat $(curl https://example.com)',
    'python3 -c "import urllib"',
    'node fetch.js',
    './tool',
    'bash -c "wget x"',
    '"unclosed',
    'xargs -n1 curl < list',
  ])('[PERM7] %j does', (command) => {
    expect(mayBringStrangers(shell, { command })).toBe(true)
  })

  it('[PERM7] a page, a tool of a server and one that reaches out do, one of our own files does not', () => {
    expect(mayBringStrangers(fetchPage, { url: 'https://example.com' })).toBe(true)
    const server = { name: 's__read', description: '', parameters: {}, category: 'other', claims: {} } as const
    expect(mayBringStrangers(server, {})).toBe(true)
    const read = { name: 'read', description: '', parameters: {}, category: 'read' } as const
    expect(mayBringStrangers(read, { path: 'a' })).toBe(false)
    expect(mayBringStrangers({ ...read, annotations: { openWorld: true } }, { path: 'a' })).toBe(true)
  })
})

describe('a rule that was given knowing what strangers wrote', () => {
  function effectOf(rule: Partial<PermissionRule>, strangersAt: number, command = 'npm test -- a') {
    const { policy } = createPermissionRules({ defaultPolicy: 'ask', rules: [] })
    const rules = [{ id: 'r', effect: 'allow', tool: 'shell', ...rule } as const]
    const call = { name: 'shell', input: { command } }
    const asked = { ...policy, rules, call, definition: shell, recentCalls: [], identicalCallLimit: 3 }
    return decidePermission({ ...asked, untrustedContent: true, strangersAt }).effect
  }

  it('[PERM7] holds until the next of it comes', () => {
    expect(effectOf({ pattern: 'npm test *', givenAt: 20 }, 10)).toBe('allow')
    expect(effectOf({ pattern: 'npm test *', givenAt: 20 }, 30)).toBe('ask')
    expect(effectOf({ pattern: 'npm test *' }, 10)).toBe('ask')
  })

  it('[PERM7] has to spell the commands, and no rule lifts a guard for a destructive one', () => {
    expect(effectOf({ givenAt: 20 }, 10)).toBe('ask')
    expect(effectOf({ pattern: 'npm test *', givenAt: 20 }, 10, 'npm test && curl https://example.com')).toBe('ask')
    expect(effectOf({ pattern: 'rm *', givenAt: 20 }, 10, 'rm -rf /')).toBe('ask')
  })
})
