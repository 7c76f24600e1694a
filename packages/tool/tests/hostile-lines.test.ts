import { createPermissionRules, type PermissionMode } from '@holdfast/tool'
import { describe, expect, it } from 'vitest'
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
    rules: BROAD_PATTERNS.map((pattern) => ({ effect: 'allow', tool: 'shell', pattern })),
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

  it('[PERM2] are told from harmless ones, which the same rules allow', () => {
    const refused = HARMLESS_LINES.map((line) => ({ line, ...decide(line, 'ask') })).filter(
      ({ effect }) => effect !== 'allow',
    )
    expect(refused).toEqual([])
  })
})
