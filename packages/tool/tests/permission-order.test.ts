import {
  decidePermission,
  decideUnattended,
  PERMISSION_ORDER,
  type PermissionCase,
  type PermissionEffect,
  type PermissionMode,
  type PermissionRule,
  type PermissionSource,
} from '@holdfast/tool'
import { describe, expect, it } from 'vitest'
import { TOOLS, WORKSPACE } from './support/definitions.ts'

const MODES: readonly PermissionMode[] = ['plan', 'ask', 'accept-edits', 'sandboxed', 'bypass']

const CALLS = {
  'read inside': { definition: TOOLS.read, call: { name: 'read_file', input: { path: 'src/a.ts' } } },
  'read outside': { definition: TOOLS.read, call: { name: 'read_file', input: { path: '../other/a.ts' } } },
  'edit inside': { definition: TOOLS.edit, call: { name: 'edit_file', input: { path: 'src/a.ts', content: 'x' } } },
  'edit outside': { definition: TOOLS.edit, call: { name: 'edit_file', input: { path: '/etc/hosts', content: 'x' } } },
  "edit of git's own": {
    definition: TOOLS.edit,
    call: { name: 'edit_file', input: { path: '.git/hooks/pre-commit', content: 'x' } },
  },
  execute: { definition: TOOLS.execute, call: { name: 'shell', input: { command: 'make test' } } },
  'in the sandbox': {
    definition: { ...TOOLS.execute, sandboxed: true },
    call: { name: 'shell', input: { command: 'make test' } },
  },
  network: { definition: TOOLS.network, call: { name: 'fetch', input: { url: 'https://example.com/' } } },
  other: { definition: TOOLS.other, call: { name: 'note', input: {} } },
  unknown: { definition: undefined, call: { name: 'surprise', input: {} } },
} as const
type CallName = keyof typeof CALLS

function question(name: CallName, rest: Partial<PermissionCase>): PermissionCase {
  return {
    ...CALLS[name],
    mode: 'ask',
    rules: [],
    hardDenials: [],
    defaultPolicy: 'ask',
    workspaceRoot: WORKSPACE,
    recentCalls: [],
    identicalCallLimit: 3,
    untrustedContent: false,
    ...rest,
  }
}

type Cell = `${PermissionEffect} by ${PermissionSource}`

/** Complete by its type: a mode or a kind of call that is added does not compile until it has its cells. */
const CELLS: Readonly<Record<CallName, Readonly<Record<PermissionMode, Cell>>>> = {
  'read inside': {
    plan: 'allow by workspace-read',
    ask: 'allow by workspace-read',
    'accept-edits': 'allow by workspace-read',
    sandboxed: 'allow by workspace-read',
    bypass: 'allow by bypass',
  },
  'read outside': {
    plan: 'deny by plan',
    ask: 'ask by default-policy',
    'accept-edits': 'ask by default-policy',
    sandboxed: 'ask by default-policy',
    bypass: 'allow by bypass',
  },
  'edit inside': {
    plan: 'deny by plan',
    ask: 'ask by default-policy',
    'accept-edits': 'allow by accept-edits',
    sandboxed: 'allow by accept-edits',
    bypass: 'allow by bypass',
  },
  'edit outside': {
    plan: 'deny by plan',
    ask: 'ask by default-policy',
    'accept-edits': 'ask by default-policy',
    sandboxed: 'ask by default-policy',
    bypass: 'allow by bypass',
  },
  "edit of git's own": {
    plan: 'deny by plan',
    ask: 'ask by default-policy',
    'accept-edits': 'ask by default-policy',
    sandboxed: 'ask by default-policy',
    bypass: 'allow by bypass',
  },
  execute: {
    plan: 'deny by plan',
    ask: 'ask by default-policy',
    'accept-edits': 'ask by default-policy',
    sandboxed: 'ask by default-policy',
    bypass: 'allow by bypass',
  },
  'in the sandbox': {
    plan: 'deny by plan',
    ask: 'ask by default-policy',
    'accept-edits': 'ask by default-policy',
    sandboxed: 'allow by sandboxed',
    bypass: 'allow by bypass',
  },
  network: {
    plan: 'deny by plan',
    ask: 'ask by default-policy',
    'accept-edits': 'ask by default-policy',
    sandboxed: 'ask by default-policy',
    bypass: 'allow by bypass',
  },
  other: {
    plan: 'deny by plan',
    ask: 'ask by default-policy',
    'accept-edits': 'ask by default-policy',
    sandboxed: 'ask by default-policy',
    bypass: 'allow by bypass',
  },
  unknown: {
    plan: 'deny by plan',
    ask: 'ask by default-policy',
    'accept-edits': 'ask by default-policy',
    sandboxed: 'ask by default-policy',
    bypass: 'ask by default-policy',
  },
}

const NAMES = [
  ...['read inside', 'read outside', 'edit inside', 'edit outside', "edit of git's own", 'execute'],
  ...['in the sandbox', 'network', 'other', 'unknown'],
] as const satisfies readonly string[]

function isCallName(name: string): name is CallName {
  return name in CALLS
}

function rule(effect: PermissionEffect): PermissionRule {
  return { id: `the-${effect}`, effect, tool: 'edit_file' }
}

const SAME = CALLS['edit inside'].call

/** What makes a source decide about an edit inside the workspace. */
const MAKES_DECIDE: Readonly<Record<PermissionSource, Partial<PermissionCase>>> = {
  'hard-denial': { hardDenials: [{ ...rule('deny'), id: 'hard' }] },
  'deny-rule': { rules: [rule('deny')] },
  guard: { recentCalls: [SAME, SAME] },
  plan: { mode: 'plan' },
  'ask-rule': { rules: [rule('ask')] },
  bypass: { mode: 'bypass' },
  sandboxed: { mode: 'sandboxed', definition: { ...TOOLS.edit, sandboxed: true } },
  'accept-edits': { mode: 'accept-edits' },
  'allow-rule': { rules: [rule('allow')] },
  'workspace-read': { definition: { ...TOOLS.read, name: 'edit_file' } },
  'default-policy': {},
}

/** Sources that cannot both have an opinion about one call. */
function exclude(a: PermissionSource, b: PermissionSource): boolean {
  const modes: readonly PermissionSource[] = ['plan', 'bypass', 'sandboxed', 'accept-edits']
  const both = [a, b]
  return (
    (modes.includes(a) && modes.includes(b)) ||
    (both.includes('workspace-read') &&
      (both.includes('plan') || both.includes('accept-edits') || both.includes('sandboxed')))
  )
}

function together(a: PermissionSource, b: PermissionSource): PermissionCase {
  const [one, other] = [MAKES_DECIDE[a], MAKES_DECIDE[b]]
  return question('edit inside', { ...one, ...other, rules: [...(one.rules ?? []), ...(other.rules ?? [])] })
}

/** The order of the specification, written down a second time. */
const ORDER: readonly PermissionSource[] = [
  ...(['hard-denial', 'deny-rule', 'plan', 'guard', 'ask-rule', 'bypass', 'sandboxed'] as const),
  ...(['accept-edits', 'allow-rule', 'workspace-read', 'default-policy'] as const),
]

describe('the order of permissions', () => {
  it('[PERM1] is the one of the specification', () => {
    expect(PERMISSION_ORDER).toEqual(ORDER)
  })

  it.each(NAMES.flatMap((name) => MODES.map((mode) => ({ name, mode }))))(
    '[PERM1] $name in mode $mode, without rules',
    ({ name, mode }) => {
      if (!isCallName(name)) throw new Error(`There is no call ${name}`)
      const { effect, source, mode: named } = decidePermission(question(name, { mode }))
      expect({ cell: `${effect} by ${source}`, named }).toEqual({ cell: CELLS[name][mode], named: mode })
    },
  )

  it('[WS36] a command in mode sandboxed asks where no sandbox confines it, and the reason says so', () => {
    const decision = decidePermission(question('execute', { mode: 'sandboxed' }))
    expect(decision).toMatchObject({ effect: 'ask', reason: expect.stringContaining('what a sandbox confines') })
    expect(decidePermission(question('in the sandbox', { mode: 'sandboxed' })).effect).toBe('allow')
  })

  it('[PERM1] has a cell for every kind of call', () => {
    expect(Object.keys(CELLS)).toEqual([...NAMES])
  })

  const pairs = ORDER.flatMap((higher, index) =>
    ORDER.slice(index + 1)
      .filter((lower) => !exclude(higher, lower))
      .map((lower) => ({ higher, lower })),
  )
  it.each(pairs)('[PERM1] $higher stands before $lower', ({ higher, lower }) => {
    expect(decidePermission(together(higher, lower)).source).toBe(higher)
  })

  it.each(PERMISSION_ORDER.filter((source) => source !== 'default-policy'))(
    '[PERM1] %s decides where it stands alone',
    (source) => {
      expect(decidePermission(question('edit inside', MAKES_DECIDE[source])).source).toBe(source)
    },
  )

  it('[PERM1] the order of the rules does not matter: a later broad allow lifts no deny', () => {
    const rules = [rule('deny'), rule('allow'), { id: 'all', effect: 'allow', tool: '*' } as const]
    for (const order of [rules, rules.toReversed()]) {
      expect(decidePermission(question('edit inside', { rules: order }))).toMatchObject({
        effect: 'deny',
        ruleIds: ['the-deny'],
      })
    }
  })

  it('[PERM1] the default policy is asked last, and allows no tool that nobody has registered', () => {
    for (const defaultPolicy of ['ask', 'deny', 'allow'] as const) {
      expect(decidePermission(question('other', { defaultPolicy })).effect).toBe(defaultPolicy)
    }
    expect(decidePermission(question('unknown', { defaultPolicy: 'allow' })).effect).toBe('ask')
    expect(decidePermission(question('unknown', { defaultPolicy: 'deny' })).effect).toBe('deny')
  })

  it('[PERM6] what would ask is denied where nobody can be asked, and says so', () => {
    expect(decideUnattended(question('other', {}))).toMatchObject({
      effect: 'deny',
      source: 'default-policy',
      reason: expect.stringContaining('Nobody is there'),
    })
    expect(decideUnattended(question('read inside', {})).effect).toBe('allow')
  })

  it('[PERM8] names mode, source and rules of a decision', () => {
    expect(decidePermission(question('edit inside', { mode: 'ask', rules: [rule('allow')] }))).toEqual({
      effect: 'allow',
      source: 'allow-rule',
      mode: 'ask',
      ruleIds: ['the-allow'],
      guard: null,
      reason: 'Allowed by rule the-allow (edit_file)',
    })
  })

  it('[PERM1] nothing is inside a workspace that is not there', () => {
    expect(decidePermission(question('read inside', { workspaceRoot: null })).effect).toBe('ask')
  })
})
