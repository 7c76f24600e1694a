import { createPermissionRules, type PermissionMode } from '@holdfast/tool'
import { describe, expect, it } from 'vitest'
import {
  ATTACKED_PATTERNS,
  CARRYING_LINES,
  ESCALATING_LINES,
  EVADING_LINES,
  UNGUARDED_LINES,
} from './support/attacked-lines.ts'
import { CARRIED_LINES } from './support/carried-lines.ts'
import { shellCall, TOOLS, WORKSPACE } from './support/definitions.ts'
import { BROAD_PATTERNS, HARMLESS_LINES } from './support/harmless-lines.ts'
import { HOSTILE_LINES } from './support/hostile-lines.ts'

const ALL_LINES = [...HOSTILE_LINES, ...CARRIED_LINES]

function decide(command: string, mode: PermissionMode) {
  const rules = createPermissionRules({
    defaultPolicy: 'ask',
    mode,
    workspaceRoot: WORKSPACE,
    rules: [...BROAD_PATTERNS, ...ATTACKED_PATTERNS].map((pattern) => ({ effect: 'allow', tool: 'shell', pattern })),
  })
  return rules.decide(shellCall(command), TOOLS.execute)
}

function decideFreely(command: string, denials: readonly string[]) {
  const hardDenials = denials.map((pattern) => ({ id: pattern, effect: 'deny', tool: 'shell', pattern }) as const)
  const rules = createPermissionRules({
    defaultPolicy: 'ask',
    mode: 'bypass',
    workspaceRoot: WORKSPACE,
    hardDenials,
    rules: [],
  })
  return rules.decide(shellCall(command), TOOLS.execute)
}

describe('hostile command lines', () => {
  it('[PERM2] are at least 300, and none of them is allowed by rules for other commands', () => {
    expect(new Set(ALL_LINES).size).toBeGreaterThanOrEqual(300)
    const allowed = ALL_LINES.filter((line) => decide(line, 'ask').effect !== 'ask')
    expect(allowed).toEqual([])
  })

  it('[PERM2] are not allowed by accepting edits either', () => {
    expect(ALL_LINES.filter((line) => decide(line, 'accept-edits').effect === 'allow')).toEqual([])
  })

  it('[PERM2] of the attack ATTACK-C3 run nothing by a rule for a harmless use', () => {
    expect(ESCALATING_LINES.filter((line) => decide(line, 'ask').effect === 'allow')).toEqual([])
  })

  it('[PERM1, PERM2] of the attack ATTACK-C4 meet a guard in bypass and by a grant for the tool, and a denial of what they run', () => {
    const unguarded = [...EVADING_LINES, ...UNGUARDED_LINES]
    expect(unguarded.filter((line) => decideFreely(line, []).effect === 'allow')).toEqual([])
    const granted = (line: string) => {
      const rules = [{ effect: 'allow', tool: 'shell' }] as const
      return createPermissionRules({ defaultPolicy: 'ask', workspaceRoot: WORKSPACE, rules }).decide(
        shellCall(line),
        TOOLS.execute,
      )
    }
    expect(unguarded.filter((line) => granted(line).effect === 'allow')).toEqual([])
    const denied = [...EVADING_LINES, ...CARRYING_LINES]
    expect(denied.filter((line) => decideFreely(line, ['rm *']).effect === 'allow')).toEqual([])
  })

  it('[PERM2] are told from harmless ones, which the same rules allow', () => {
    const refused = HARMLESS_LINES.map((line) => ({ line, ...decide(line, 'ask') })).filter(
      ({ effect }) => effect !== 'allow',
    )
    expect(refused).toEqual([])
  })
})
