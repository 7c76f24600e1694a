import { permissionRules, placeEntry, readStoredEntry, UPCASTS, WrittenPermissionRule } from '@holdfast/conversation'
import { expect, test } from 'vitest'

const place = { conversationId: 'a', seq: 3, at: 1_000 }
const rule = { effect: 'allow', tool: '*', category: ['read'], annotations: { destructive: false } } as const
const entry = placeEntry(
  {
    type: 'permission-rule-changed',
    actor: { type: 'person', userId: 'ann' },
    ruleId: 'r1',
    rule: { effect: 'allow', tool: '*', category: ['read'], annotations: { destructive: false } },
  },
  place,
)

test('[PERM10, LOG6] a rule that was kept with categories is read as one for that category, and not as one for all', () => {
  const { category, ...others } = rule
  const stored = { ...entry, v: 1, rule: { ...others, categories: category } }
  const read = readStoredEntry(JSON.parse(JSON.stringify(stored)), UPCASTS)
  expect(read).toEqual(entry)
  expect(permissionRules.reduce([], [read])).toEqual([{ ...rule, ruleId: 'r1', givenAt: 1_000 }])
  expect(readStoredEntry({ ...entry, v: 1, rule: null }, UPCASTS)).toEqual({ ...entry, rule: null })
  expect(() => readStoredEntry({ ...entry, v: 1, rule: { ...others, categry: category } }, UPCASTS)).toThrow('categry')
})

test('[PERM10] a written rule has the fields of the glossary and no others', () => {
  expect(WrittenPermissionRule.safeParse(rule).success).toBe(true)
  expect(WrittenPermissionRule.safeParse({ ...rule, category: 'read' }).success).toBe(true)
  for (const wrong of [{ categories: ['read'] }, { category: undefined }, { id: 'r1' }, { pattern: '' }])
    expect(WrittenPermissionRule.safeParse({ ...rule, ...wrong }).success, JSON.stringify(wrong)).toBe(false)
})
