import {
  decidePermission,
  type PastCall,
  type PermissionRule,
  personSaid,
  type RuleSuggestion,
  SUGGESTION_LIMITS,
  type SuggestedRule,
  type SuggestionSources,
  suggestRules,
} from '@holdfast/tool'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { candidatesFor } from '../src/permission/history/rule-candidates.ts'
import { CARRIED_LINES } from './support/carried-lines.ts'
import { TOOLS } from './support/definitions.ts'
import { HARMLESS_LINES } from './support/harmless-lines.ts'
import { HOSTILE_LINES } from './support/hostile-lines.ts'
import { done, past, pastEdits, pastLines } from './support/past.ts'

function suggest(pastCalls: readonly PastCall[], rest: Partial<SuggestionSources> = {}): readonly RuleSuggestion[] {
  return done(suggestRules({ pastCalls, unseenDenials: [], dismissed: [], ...rest }))
}

/** The rules in words. */
function rulesIn(pastCalls: readonly PastCall[], rest: Partial<SuggestionSources> = {}): string[] {
  return suggest(pastCalls, rest).map(({ rule }) => `${rule.effect} ${rule.tool}: ${rule.pattern ?? 'anything'}`)
}

const THREE = ['npm test -- a', 'npm test -- b', 'npm test -- c']

describe('what the past suggests', () => {
  it('[PERM9] is the narrowest rule that would have answered three times or more', () => {
    expect(rulesIn(pastLines(['npm test', 'npm test', 'npm test']))).toEqual(['allow shell: npm test'])
    expect(rulesIn(pastLines(THREE))).toEqual(['allow shell: npm test -- *'])
    expect(rulesIn(pastLines(['git log -3', 'git log --oneline', 'git log']))).toEqual(['allow shell: git log *'])
    expect(rulesIn(pastLines(['ls a', 'ls -la b', 'ls']))).toEqual(['allow shell: ls *'])
    const carried = ['npm run a', 'npm run b', 'npm run c', 'npx d 1', 'npx d 2', 'npx d 3']
    expect(rulesIn(pastLines(carried))).toEqual([])
    expect(
      rulesIn(pastLines(['npx tsc -b', 'npx tsc -p a', 'npx tsc', 'npm run a -- p', 'npm run a', 'npm run a q'])),
    ).toEqual(['allow shell: npm run a *'])
    expect(rulesIn(pastLines(["grep 'a b' x", "grep 'a b' y", "grep 'a b' z"]))).toEqual(["allow shell: grep 'a b' *"])
    expect(rulesIn(pastEdits(['src/a.ts', 'src/a.ts', 'src/a.ts']))).toEqual(['allow edit_file: src/a.ts'])
    expect(rulesIn(pastEdits(['src/a.ts', 'src/b.ts', './src/c.ts']))).toEqual(['allow edit_file: src/*'])
    expect(rulesIn(pastEdits(['src/a/1', 'src/b/2', 'src/3']))).toEqual(['allow edit_file: src/**'])
    const pages = ['/a', '/b', '/c'].map((page) =>
      past({ name: 'fetch', input: { url: `https://example.com${page}` } }),
    )
    expect(rulesIn(pages)).toEqual(['allow fetch: https://example.com/*'])
  })

  it('[PERM9] says how often the person answered so, where, when, and shows the newest', () => {
    const calls = THREE.flatMap((line, index) => pastLines([line], { at: 10 + index, conversationId: `c${index % 2}` }))
    expect(suggest(calls)).toEqual([
      {
        rule: { effect: 'allow', tool: 'shell', pattern: 'npm test -- *' },
        answeredCount: 3,
        conversationCount: 2,
        lastAt: 12,
        examples: calls.toReversed(),
      },
    ])
  })

  it('[PERM9] is nothing for two answers, for answers of rules, for questions without an answer, and for a whole workspace', () => {
    expect(rulesIn(pastLines(THREE.slice(1)))).toEqual([])
    for (const said of ['by a rule', 'unanswered', 'ran'] as const)
      expect(rulesIn(pastLines(THREE, { said }))).toEqual([])
    expect(rulesIn(pastEdits(['a/1', 'b/2', 'c/3']))).toEqual([])
    expect(rulesIn(pastLines(['npm ci', 'make x', 'tsc -b']))).toEqual([])
  })

  it('[PERM9] is a denial where the person always denied, and nothing that would deny what ran', () => {
    const pushes = pastLines(['git push origin a', 'git push origin b', 'git push'], { said: 'denied' })
    expect(rulesIn(pushes)).toEqual(['deny shell: git push *'])
    expect(rulesIn([...pushes, ...pastLines(['git push origin c'], { said: 'ran' })])).toEqual([])
    expect(rulesIn([...pushes, ...pastLines(['git push upstream'])])).toEqual([])
  })

  it('[PERM9] leaves out what a rule decides already, whatever it decides', () => {
    for (const effect of ['allow', 'ask', 'deny'] as const)
      expect(rulesIn(pastLines(THREE, { rules: [{ id: 'own', effect, tool: 'shell', pattern: 'npm *' }] }))).toEqual([])
    expect(rulesIn(pastLines(THREE, { hardDenials: [{ id: 'hard', effect: 'deny', tool: 'shell' }] }))).toEqual([])
    expect(rulesIn(pastLines(THREE, { mode: 'bypass' }))).toEqual([])
    expect(rulesIn(pastLines(THREE, { definition: undefined }))).toEqual([])
  })

  it('[PERM7] [PERM9] leaves out what guards asked about: no such rule would have answered', () => {
    for (const said of ['allowed', 'denied'] as const)
      expect(rulesIn(pastLines(THREE, { said, untrustedContent: true, strangersAt: 1 }))).toEqual([])
    const recentCalls = [1, 2].map(() => ({ name: 'shell', input: { command: 'npm test' } }))
    expect(rulesIn(pastLines(['npm test', 'npm test', 'npm test'], { recentCalls }))).toEqual([])
    expect(rulesIn(pastLines(['rm -rf /tmp/a', 'rm -rf /tmp/b', 'rm -rf /tmp/c']))).toEqual([])
  })

  it('[PERM9] never allows what the person denied, and is narrower or nothing for it', () => {
    const denied = pastLines(['git fetch deploy'], { said: 'denied' })
    const scripts = pastLines(['git fetch a', 'git fetch b', 'git fetch c'])
    expect(rulesIn(scripts)).toEqual(['allow shell: git fetch *'])
    expect(rulesIn([...scripts, ...denied])).toEqual([])
    expect(rulesIn([...scripts, ...pastLines(['git fetch a', 'git fetch a']), ...denied])).toEqual([
      'allow shell: git fetch a',
    ])
    // In the past a guard asked about it; a rule must not allow it on another day either.
    const guarded = pastLines(['git fetch deploy'], { said: 'denied', untrustedContent: true, mode: 'bypass' })
    expect(rulesIn([...scripts, ...guarded])).toEqual([])
    const erased: PastCall[] = denied.map((call) => ({
      ...call,
      fate: { type: 'asked', requestId: 'r', answer: { type: 'erased' } },
    }))
    expect(rulesIn([...scripts, ...erased])).toEqual([])
    expect(rulesIn(scripts, { unseenDenials: ['shell'] })).toEqual([])
  })

  it('[PERM9] never allows together what the person denied, nor beside the rules that there are', () => {
    const both = [
      ...pastLines(['git fetch a', 'git fetch b', 'git fetch c']),
      ...pastLines(['git add x', 'git add y', 'git add z']),
    ]
    const denied = pastLines(['git add . && git fetch deploy'], { said: 'denied' })
    expect(rulesIn(both)).toHaveLength(2)
    expect(rulesIn([...both, ...denied])).toHaveLength(1)
    const rules: PermissionRule[] = [{ id: 'own', effect: 'allow', tool: 'shell', pattern: 'git add *' }]
    const known = pastLines(['git fetch a', 'git fetch b', 'git fetch c'], { rules })
    const joined = pastLines(['git add . && git fetch deploy'], { said: 'denied', rules })
    expect(rulesIn([...known, ...joined])).toEqual([])
  })

  it('[PERM2] [PERM9] is nothing for lines that are joined, substituted, redirected, wrapped, raised or unknown before they run', () => {
    const lines = [
      'npm test && ls',
      'npm test | cat',
      'npm test; ls',
      'npm test > out',
      'echo `id`',
      'echo $(id)',
      'echo $X',
    ]
    const more = [
      'sudo ls',
      'FOO=1 npm test',
      'timeout 5 npm test',
      'sh -c ls',
      'npm test &',
      '! npm test',
      'time npm test',
      'find . -delete',
      'cat *.ts',
      'f() { ls; }; f',
    ]
    for (const line of [...lines, ...more]) expect([line, ...rulesIn(pastLines([line, line, line]))]).toEqual([line])
  })

  it('[PERM2] allows of the hostile lines none but a plain one that was allowed, word by word', () => {
    const asked = [...HOSTILE_LINES, ...CARRIED_LINES].flatMap((line) => pastLines([line, line, line]))
    const suggested = suggest(asked).map(({ rule }) => rule)
    const rules = suggested.map((rule, index): PermissionRule => ({ ...rule, id: `rule-${index}` }))
    const run = pastLines([...HOSTILE_LINES, ...CARRIED_LINES], { rules }).filter(
      ({ question }) => decidePermission(question).effect === 'allow',
    )
    const lines = run.map(({ question: { call } }) => Object.values(call.input ?? {})[0])
    expect(lines.sort()).toEqual(rules.map(({ pattern }) => pattern).sort())
  })

  it('[PERM9] is the tool itself where its arguments say nothing to rules, and never where it may destroy', () => {
    const note = (text: string, definition = TOOLS.other) => past({ name: 'note', input: { text } }, { definition })
    expect(rulesIn([note('a'), note('b'), note('c')])).toEqual(['allow note: anything'])
    expect(rulesIn([note('a'), note('a'), note('a')])).toEqual(['allow note: ={"text":"a"}'])
    for (const definition of [
      { ...TOOLS.other, annotations: { destructive: true } },
      { ...TOOLS.other, claims: { annotations: { destructive: true } } },
    ])
      expect(rulesIn([note('a', definition), note('b', definition), note('c', definition)])).toEqual([])
  })

  it('[PERM9] does not come back after it was not wanted, nor a wider one, until there are new answers', () => {
    const edits = pastEdits(['src/a/1', 'src/a/2', 'src/a/3'], { at: 10 })
    const rule = { effect: 'allow', tool: 'edit_file', pattern: 'src/a/*' } as const
    expect(rulesIn(edits, { dismissed: [{ rule, at: 9 }] })).toEqual(['allow edit_file: src/a/*'])
    expect(rulesIn(edits, { dismissed: [{ rule, at: 10 }] })).toEqual([])
    const newer = pastEdits(['src/a/4', 'src/a/5', 'src/a/6'], { at: 20 })
    expect(rulesIn([...edits, ...newer.slice(1)], { dismissed: [{ rule, at: 10 }] })).toEqual([])
    expect(suggest([...edits, ...newer], { dismissed: [{ rule, at: 10 }] })).toMatchObject([{ rule, answeredCount: 3 }])
  })
})

const line = fc.constantFrom(
  ...[
    'npm test',
    'npm test -- a',
    'npm test -- b',
    'npm run lint',
    'npm run deploy',
    'git log -3',
    'git log',
    'git push',
  ],
  ...['ls', 'ls src', 'cat a', 'npm test && git push', 'git log; ls', 'echo $(id)', 'ls > out'],
  ...HARMLESS_LINES.slice(0, 20),
  ...HOSTILE_LINES.slice(0, 20),
)
const path = fc.constantFrom(
  'src/a.ts',
  'src/b.ts',
  'src/x/c.ts',
  'src/x/d.ts',
  'docs/e.md',
  'f.md',
  '/etc/hosts',
  '../g',
)
const said = fc.constantFrom(
  'allowed' as const,
  'allowed' as const,
  'allowed' as const,
  'denied' as const,
  'ran' as const,
)
const anyPast = fc.array(
  fc.oneof(
    fc.tuple(line, said).map(([command, word]) => pastLines([command], { said: word })),
    fc.tuple(path, said).map(([file, word]) => pastEdits([file], { said: word })),
  ),
  { maxLength: 60 },
)

describe('whatever the past is', () => {
  it('[PERM9] all that is suggested, taken at once, allows nothing denied and denies nothing that ran', () => {
    fc.assert(
      fc.property(anyPast, (drawn) => {
        const calls = drawn.flat()
        const rules = suggest(calls).map(({ rule }, index): PermissionRule => ({ ...rule, id: `rule-${index}` }))
        for (const { question, fate } of calls) {
          const { effect } = decidePermission({ ...question, rules })
          expect(personSaid(fate) === 'denied' ? effect !== 'allow' : effect !== 'deny').toBe(true)
        }
      }),
    )
  })

  it('[PERM9] no narrower rule would have answered three of the calls that a suggestion answers', () => {
    fc.assert(
      fc.property(anyPast, (drawn) => {
        const calls = drawn.flat()
        const suggestions = suggest(calls)
        fc.pre(suggestions.length < SUGGESTION_LIMITS.suggestions)
        const isDenied = ({ fate }: PastCall) => personSaid(fate) === 'denied'
        const decides = ({ question }: PastCall, rule: SuggestedRule) =>
          decidePermission({ ...question, rules: [{ ...rule, id: 'own' }] }).ruleIds.includes('own')
        for (const { rule, examples } of suggestions.filter((one) => one.rule.effect === 'allow')) {
          const others = suggestions.filter((one) => one.rule.effect === 'allow' && one.rule !== rule)
          for (const candidate of examples.flatMap(({ question }) => candidatesFor(question))) {
            if (candidate.pattern === rule.pattern) break
            const { breadth: _, ...narrower } = { effect: 'allow' as const, ...candidate }
            const own = calls.filter(
              (call) =>
                personSaid(call.fate) === 'allowed' &&
                decidePermission(call.question).source === 'default-policy' &&
                decides(call, narrower) &&
                !others.some((other) => decides(call, other.rule)),
            )
            const all = [...others.map((other) => other.rule), narrower].map((one, id) => ({
              ...one,
              id: `rule-${id}`,
            }))
            const isUnsafe = calls.some(
              (call) => isDenied(call) && decidePermission({ ...call.question, rules: all }).effect === 'allow',
            )
            expect(own.length < 3 || isUnsafe).toBe(true)
          }
        }
      }),
    )
  })
})
