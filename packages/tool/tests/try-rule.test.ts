import { decidePermission, type PermissionEffect, type PermissionRule, readRule, tryRule } from '@holdfast/tool'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TOOLS } from './support/definitions.ts'
import { done, past, pastEdits, pastLines } from './support/past.ts'

const SHELL = { ...TOOLS.execute, argumentRoles: { command: 'shell-line' } } as const

const rule = (effect: PermissionEffect, pattern: string): PermissionRule => ({
  id: 'tried',
  effect,
  tool: 'shell',
  pattern,
})

function trial(...asked: Parameters<typeof tryRule>) {
  return done(tryRule(...asked))
}

describe('a rule that is tried on past calls', () => {
  const calls = [
    ...pastLines(['npm test'], { at: 1 }),
    ...pastLines(['npm run deploy'], { at: 2, said: 'denied' }),
    ...pastLines(['npm ci'], { at: 3, said: 'unanswered' }),
    ...pastLines(['npm test && sudo ls'], { at: 4 }),
    ...pastLines(['npm run x'], { at: 5, untrustedContent: true, strangersAt: 1 }),
    ...pastEdits(['src/a.ts'], { at: 6 }),
  ]

  it('[PERM9] says what would have been allowed, asked and denied, and which answers it turns round', () => {
    const outcome = trial(calls, rule('allow', 'npm *'))
    expect(outcome).toMatchObject({
      callCount: 5,
      without: { allow: 0, ask: 5, deny: 0 },
      with: { allow: 3, ask: 2, deny: 0 },
      changedCount: 3,
      savedCount: 1,
      againstCount: 1,
    })
    expect(outcome.examples.map(({ call, said, isAgainst }) => [call.at, said, isAgainst])).toEqual([
      [2, 'denied', true],
      [3, null, false],
      [1, 'allowed', false],
    ])
    expect(trial(calls, rule('deny', 'npm *'))).toMatchObject({
      with: { allow: 0, ask: 0, deny: 5 },
      changedCount: 5,
      savedCount: 1,
      againstCount: 3,
    })
    expect(trial(calls, rule('ask', 'npm *'))).toMatchObject({ changedCount: 0, savedCount: 0, againstCount: 0 })
  })

  it('[PERM9] counts what the rules that there are decide already as no change of its own', () => {
    const known = pastLines(['npm test'], { rules: [{ ...rule('allow', 'npm test'), id: 'own' }] })
    expect(trial(known, rule('allow', 'npm *'))).toMatchObject({ callCount: 1, changedCount: 0 })
    const allowed = known.map(({ question }) => question.rules)
    const denied = pastLines(['npm test'], { said: 'denied', rules: allowed.flat() })
    expect(trial(denied, rule('deny', 'npm *'))).toMatchObject({ changedCount: 1, savedCount: 0, againstCount: 0 })
    expect(trial(known, rule('ask', 'npm *'))).toMatchObject({ changedCount: 1, with: { allow: 0, ask: 1, deny: 0 } })
  })

  it('[PERM9] shows at most twenty calls, counts all of them, and asks for any tool where it names none', () => {
    const many = pastLines(Array.from({ length: 30 }, (_, index) => `npm run ${index}`))
    const outcome = trial(many, rule('allow', 'npm *'))
    expect([outcome.changedCount, outcome.examples.length]).toEqual([30, 20])
    expect(trial(calls, { id: 'tried', effect: 'deny', tool: '*' })).toMatchObject({
      callCount: 6,
      with: { deny: 6 },
    })
  })

  it('[PERM1] [PERM9] decides as the permission check does when the rule is there', () => {
    const lines = fc.array(fc.constantFrom('npm test', 'npm ci', 'ls', 'ls | cat', 'rm -rf /', 'sudo ls', 'git push'), {
      maxLength: 12,
    })
    const rules = fc.record({
      effect: fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const),
      pattern: fc.constantFrom('npm *', 'ls *', 'ls', 'git *', 'rm -rf *', '* test'),
    })
    fc.assert(
      fc.property(lines, rules, rules, fc.boolean(), (drawn, known, tried, untrustedContent) => {
        const there = { id: 'there', tool: 'shell', ...known }
        const candidate = { id: 'tried', tool: 'shell', ...tried }
        const pastCalls = pastLines(drawn, { rules: [there], untrustedContent })
        const counts = { allow: 0, ask: 0, deny: 0 }
        for (const { question } of pastCalls)
          counts[decidePermission({ ...question, rules: [there, candidate] }).effect] += 1
        expect(trial(pastCalls, candidate).with).toEqual(counts)
      }),
    )
  })
})

describe('a rule that a person writes', () => {
  const read = (effect: PermissionEffect, tool: string, pattern?: string) =>
    readRule({ effect, tool, ...(pattern === undefined ? {} : { pattern }) }, SHELL)

  it('[PERM2] is refused where it would allow every tool, or could never meet a call, with what to write instead', () => {
    expect(read('allow', '*')).toMatchObject({ type: 'refused', reason: expect.stringContaining('names its tool') })
    expect(read('allow', 'shell', "npm 'test")).toMatchObject({
      type: 'refused',
      reason: expect.stringContaining('close'),
    })
    expect(read('allow', 'shell', '={"command"')).toMatchObject({
      type: 'refused',
      reason: expect.stringContaining('JSON'),
    })
    expect(read('allow', 'shell', '=')).toMatchObject({ type: 'refused' })
    expect(read('deny', '*')).toEqual({ type: 'read', rule: { effect: 'deny', tool: '*' } })
    expect(readRule({ effect: 'allow', tool: 'edit', pattern: "it's" }, TOOLS.edit).type).toBe('read')
    expect(readRule({ effect: 'allow', tool: 'none', pattern: "it's" }, undefined).type).toBe('read')
  })

  it('[PERM2] for exactly one call meets that call, however its JSON is written', () => {
    const written = read('allow', 'note', '={ "b": 1,\n"a": 2 }')
    expect(written).toEqual({ type: 'read', rule: { effect: 'allow', tool: 'note', pattern: '={"a":2,"b":1}' } })
    const tried = { id: 'tried', effect: 'allow', tool: 'note', pattern: '={"a":2,"b":1}' } as const
    expect(trial([past({ name: 'note', input: { a: 2, b: 1 } })], tried)).toMatchObject({ savedCount: 1 })
  })
})
