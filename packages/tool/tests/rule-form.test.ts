import {
  createPermissionRules,
  decidePermission,
  grantFor,
  MalformedRuleError,
  type PermissionRule,
  readRule,
  ruleWords,
  suggestRules,
  tryRule,
  type WrittenRule,
} from '@holdfast/tool'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shellCall, TOOLS, WORKSPACE } from './support/definitions.ts'
import { done, pastLines } from './support/past.ts'

/** What JavaScript may hand over: no compiler has seen it. */
const written = (value: unknown): PermissionRule => value as PermissionRule

const MISSPELT = [
  { categories: ['read'] },
  { categry: 'read' },
  { Category: 'read' },
  { annotation: { readOnly: true } },
  { annotations: { readonly: true } },
  { annotations: {} },
  { annotations: { readOnly: 'yes' } },
  { category: 'reads' },
  { category: [] },
  { category: ['read', 'edits'] },
  { category: null },
  { pattern: 7 },
  { patern: 'npm test *' },
  { effect: 'permit' },
  { tool: '' },
  { tool: undefined },
  { givenAt: 'today' },
]

describe('the form of a rule', () => {
  it.each(MISSPELT.map((wrong) => [JSON.stringify(wrong), wrong] as const))(
    '[PERM10] with %s is refused wherever the library takes one, and never allows what it does not name',
    (_, wrong) => {
      const rule = written({ id: 'mine', effect: 'allow', tool: '*', ...wrong })
      const rules = [rule]
      const question = {
        call: shellCall('rm -rf /'),
        definition: TOOLS.execute,
        mode: 'ask',
        rules,
        hardDenials: [],
        defaultPolicy: 'ask',
        workspaceRoot: WORKSPACE,
        recentCalls: [],
        identicalCallLimit: 3,
        untrustedContent: false,
      } as const
      expect(() => createPermissionRules({ defaultPolicy: 'ask', rules })).toThrow(MalformedRuleError)
      expect(() => createPermissionRules({ defaultPolicy: 'ask', rules: [], hardDenials: rules })).toThrow(/mine/)
      expect(() => decidePermission(question)).toThrow(MalformedRuleError)
      expect(() => decidePermission({ ...question, rules: [], hardDenials: rules })).toThrow(MalformedRuleError)
      expect(() => done(tryRule(pastLines(['ls']), rule))).toThrow(MalformedRuleError)
      expect(readRule(rule, TOOLS.execute).type).toBe('refused')
    },
  )

  it('[PERM10] is said with the field that there is not, and with those that there are', () => {
    const rules = [written({ effect: 'allow', tool: '*', categories: ['read'] })]
    expect(() => createPermissionRules({ defaultPolicy: 'ask', rules })).toThrow(
      'Rule rule-1 has no field "categories"; there are id, effect, tool, pattern, category, annotations, givenAt',
    )
  })

  it('[PERM1, PERM10] takes one category or several, which mean the same', () => {
    const decide = (category: PermissionRule['category']) =>
      createPermissionRules({
        defaultPolicy: 'ask',
        rules: [{ effect: 'deny', tool: '*', ...(category && { category }) }],
      }).decide(shellCall('ls'), TOOLS.execute).effect
    expect([decide('execute'), decide(['execute']), decide(['read', 'execute'])]).toEqual(['deny', 'deny', 'deny'])
    expect([decide('read'), decide(['read', 'edit'])]).toEqual(['ask', 'ask'])
  })
})

describe('a rule of a person', () => {
  const read = (rule: Omit<WrittenRule, 'effect'>, effect: WrittenRule['effect'] = 'allow') =>
    readRule({ effect, ...rule }, undefined)

  it('[PERM11] allows every tool of a category that does not destroy, and no more than a grant of it', () => {
    const harmless = { destructive: false }
    const grant = grantFor({ call: shellCall('ls'), definition: TOOLS.read, scope: 'category', ruleId: 'r' })
    const own = read({ tool: '*', category: 'read', annotations: harmless })
    expect(own).toEqual({
      type: 'read',
      rule: { effect: 'allow', tool: '*', category: ['read'], annotations: harmless },
    })
    expect(grant?.rule).toEqual({ id: 'r', effect: 'allow', tool: '*', category: ['read'], annotations: harmless })
    for (const wide of [
      { tool: '*' },
      { tool: '*', category: 'read' },
      { tool: '*', category: ['read', 'edit'] },
      { tool: '*', annotations: harmless },
      { tool: '*', category: 'edit', annotations: { destructive: true } },
      { tool: '*', category: 'edit', annotations: { idempotent: true } },
      { tool: '*', pattern: 'src/**' },
    ] as const) {
      expect(read(wide), JSON.stringify(wide)).toMatchObject({ type: 'refused', reason: /destructive: false/ })
      expect(read(wide, 'deny').type).toBe('read')
      expect(read(wide, 'ask').type).toBe('read')
    }
  })

  it('[PERM11] is kept in one form: each category once, in the order of the words', () => {
    const rule = { tool: '*', category: ['read', 'edit', 'read'], annotations: { destructive: false } } as const
    expect(read(rule)).toMatchObject({ rule: { category: ['edit', 'read'] } })
  })

  it('[PERM11] is told in words, with all that it asks of a tool', () => {
    expect(ruleWords({ tool: 'shell', pattern: 'npm test *' })).toBe('shell: npm test *')
    expect(ruleWords({ tool: 'shell' })).toBe('shell')
    expect(ruleWords({ tool: '*' })).toBe('every tool')
    expect(ruleWords({ tool: '*', category: ['edit', 'read'], annotations: { destructive: false } })).toBe(
      'every tool of the category edit or read that is not destructive',
    )
    expect(ruleWords({ tool: 'db_run', annotations: { readOnly: true, openWorld: false }, pattern: 'src/**' })).toBe(
      'db_run where it is read-only and not open-world: src/**',
    )
  })

  it('[PERM9, PERM11] is never suggested by category or annotation: that would be wider than the answers', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('npm test', 'git status', 'ls src', 'cat a'), { maxLength: 30 }),
        (lines) => {
          const pastCalls = pastLines(lines)
          for (const { rule } of done(suggestRules({ pastCalls, unseenDenials: [], dismissed: [] }))) {
            expect(Object.keys(rule).sort()).toEqual(['effect', 'pattern', 'tool'])
            expect(rule.tool).toBe('shell')
          }
        },
      ),
    )
  })
})
