import { createPermissionRules, exactPattern, type PermissionRulesOptions, type ToolDefinition } from '@holdfast/tool'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { globMatches } from '../src/permission/glob.ts'
import { placePath } from '../src/permission/workspace-path.ts'
import { shellCall, TOOLS, WORKSPACE } from './support/definitions.ts'

type Rule = PermissionRulesOptions['rules'][number]

function rulesOf(rules: readonly Rule[], rest?: Partial<PermissionRulesOptions>) {
  return createPermissionRules({ defaultPolicy: 'ask', workspaceRoot: WORKSPACE, rules, ...rest })
}

function effectOf(line: string, ...rules: Rule[]) {
  return rulesOf(rules).decide(shellCall(line), TOOLS.execute).effect
}

const allow = (pattern: string): Rule => ({ effect: 'allow', tool: 'shell', pattern })
const deny = (pattern: string): Rule => ({ effect: 'deny', tool: 'shell', pattern })

/** A tool of a server: nothing is declared by the operator. */
const server: ToolDefinition = { name: 'db_run', description: '', parameters: {} }
const serverCall = { name: 'db_run', input: { statement: 'drop table x' } }

describe('rules and what is not declared', () => {
  it('[PERM1] a deny by annotation or category meets a tool that declares nothing', () => {
    for (const rule of [
      { annotations: { destructive: true } },
      { annotations: { readOnly: false } },
      { category: ['execute'] as const },
    ]) {
      const rules = rulesOf([{ effect: 'deny', tool: '*', ...rule }], { defaultPolicy: 'allow' })
      expect(rules.decide(serverCall, server).effect).toBe('deny')
    }
  })

  it('[PERM1] an allow by annotation or category meets no tool that declares nothing', () => {
    for (const rule of [
      { annotations: { destructive: false } },
      { annotations: { readOnly: true } },
      { category: ['other'] as const },
    ]) {
      expect(rulesOf([{ effect: 'allow', tool: '*', ...rule }]).decide(serverCall, server).effect).toBe('ask')
    }
  })

  it('[PERM1] what a server claims makes a decision stricter and never looser', () => {
    const kind: ToolDefinition = {
      ...server,
      claims: { category: 'read', annotations: { readOnly: true, destructive: false } },
    }
    const reads: Rule = { effect: 'allow', tool: '*', annotations: { readOnly: true } }
    expect(rulesOf([reads]).decide(serverCall, kind).effect).toBe('ask')
    expect(
      rulesOf([{ effect: 'deny', tool: '*', annotations: { destructive: true } }]).decide(serverCall, kind).effect,
    ).toBe('deny')
    const trusted: ToolDefinition = { ...server, category: 'read', annotations: { readOnly: true } }
    expect(rulesOf([reads]).decide(serverCall, trusted).effect).toBe('allow')
    const doubted: ToolDefinition = { ...trusted, claims: { annotations: { readOnly: false } } }
    expect(rulesOf([reads]).decide(serverCall, doubted).effect).toBe('ask')
    expect(
      rulesOf([{ effect: 'deny', tool: '*', annotations: { readOnly: false } }]).decide(serverCall, doubted).effect,
    ).toBe('deny')
  })

  it('[PERM1] every annotation and category that a rule names must match', () => {
    const rule: Rule = {
      effect: 'allow',
      tool: '*',
      category: ['network', 'edit'],
      annotations: { destructive: false, openWorld: false },
    }
    const tool = (annotations: ToolDefinition['annotations']): ToolDefinition => ({
      ...server,
      category: 'edit',
      ...(annotations ? { annotations } : {}),
    })
    expect(rulesOf([rule]).decide(serverCall, tool({ destructive: false, openWorld: false })).effect).toBe('allow')
    expect(rulesOf([rule]).decide(serverCall, tool({ destructive: false, openWorld: true })).effect).toBe('ask')
    expect(rulesOf([rule]).decide(serverCall, tool({ destructive: false })).effect).toBe('ask')
    expect(
      rulesOf([rule]).decide(serverCall, { ...tool({ destructive: false, openWorld: false }), category: 'other' })
        .effect,
    ).toBe('ask')
  })

  it('[PERM1] a rule names one tool, or all that are known; a tool whose name begins alike is another', () => {
    expect(rulesOf([{ effect: 'allow', tool: 'db' }]).decide(serverCall, server).effect).toBe('ask')
    expect(rulesOf([{ effect: 'allow', tool: 'db_run' }]).decide(serverCall, server).effect).toBe('allow')
    expect(rulesOf([{ effect: 'allow', tool: '*' }]).decide(serverCall).effect).toBe('ask')
    expect(rulesOf([{ effect: 'deny', tool: '*' }]).decide(serverCall).effect).toBe('deny')
  })

  it('[PERM1] a deny by pattern reads every text of a tool whose arguments nobody has described', () => {
    expect(
      rulesOf([{ effect: 'deny', tool: '*', pattern: 'rm *' }]).decide(
        { name: 'x', input: { a: [{ b: 'ls; rm y' }] } },
        server,
      ).effect,
    ).toBe('deny')
    expect(
      rulesOf([{ effect: 'deny', tool: '*', pattern: 'secret/**' }]).decide(
        { name: 'x', input: { f: 'secret/key' } },
        server,
      ).effect,
    ).toBe('deny')
    expect(rulesOf([{ effect: 'allow', tool: 'db_run', pattern: '*' }]).decide(serverCall, server).effect).toBe('ask')
  })

  it('[PERM2] an argument without a role keeps a pattern from allowing', () => {
    const call = { name: 'shell', input: { command: 'git status', extra: { PATH: '/tmp' } } }
    expect(rulesOf([allow('git *')]).decide(call, TOOLS.execute).effect).toBe('ask')
    expect(
      rulesOf([allow('git *')]).decide({ name: 'shell', input: { command: 'git status', limit: 3 } }, TOOLS.execute)
        .effect,
    ).toBe('allow')
  })
})

describe('patterns for commands', () => {
  it('[PERM2] match words, not letters', () => {
    expect(effectOf('ls -la', allow('ls *'))).toBe('allow')
    expect(effectOf('ls', allow('ls *'))).toBe('allow')
    expect(effectOf('lsof', allow('ls *'))).toBe('ask')
    expect(effectOf('ls -la', allow('ls'))).toBe('ask')
    expect(effectOf('npm run build', allow('npm run *'))).toBe('allow')
    expect(effectOf('npm runx build', allow('npm run *'))).toBe('ask')
    expect(effectOf('npm run a b', allow('npm run * b'))).toBe('allow')
    expect(effectOf('npm run a c b', allow('npm run * b'))).toBe('ask')
    expect(effectOf('git log --max=3', allow('git log --max=*'))).toBe('allow')
    expect(effectOf('./git status', allow('git *'))).toBe('ask')
  })

  it('[PERM2] judge a line by every command in it, each by a rule of its own', () => {
    expect(effectOf('git pull && npm test', allow('git *'))).toBe('ask')
    const decision = rulesOf([allow('git *'), allow('npm test *')]).decide(
      shellCall('git pull && npm test'),
      TOOLS.execute,
    )
    expect(decision).toMatchObject({ effect: 'allow', ruleIds: ['rule-1', 'rule-2'] })
  })

  it('[PERM2] deny whatever stands around the command', () => {
    const hidden = [
      'rm x',
      'ls; rm x',
      'ls\nrm x',
      '/bin/rm x',
      '\\rm x',
      'env rm x',
      "sh -c 'rm x'",
      'echo $(rm x)',
      'find . -exec rm {} +',
      '$X x',
      'time rm x',
      'A=1 rm x',
    ]
    for (const line of hidden)
      expect({ line, effect: effectOf(line, deny('rm *'), allow('*')) }).toEqual({ line, effect: 'deny' })
    expect(effectOf('git -C /x push origin', deny('git push *'))).toBe('deny')
    expect(effectOf('git commit --amend -m x', deny('git * --amend *'))).toBe('deny')
    expect(effectOf('git pu* x', deny('git push *'))).toBe('deny')
    expect(effectOf('echo rm x', deny('rm *'), allow('echo *'))).toBe('allow')
  })

  it('[PERM2] take quoted stars as stars', () => {
    expect(effectOf("grep '*' a", allow("grep '*' a"))).toBe('allow')
    expect(effectOf('grep x a', allow("grep '*' a"))).toBe('ask')
  })

  it('[PERM2] a wildcard covers no option of a program that nobody knows, and nothing that a runner runs', () => {
    expect(effectOf('mytool x', allow('mytool *'))).toBe('allow')
    expect(effectOf('mytool --fast x', allow('mytool *'))).toBe('ask')
    expect(effectOf('mytool - x', allow('mytool *'))).toBe('ask')
    expect(effectOf('mytool --fast x', allow('mytool --fast *'))).toBe('allow')
    expect(effectOf('uv run pytest -q', allow('uv run *'), allow('pytest *'))).toBe('ask')
    expect(effectOf('uv run pytest -q', allow('uv run pytest *'))).toBe('allow')
    expect(effectOf('uv run python -c 1', allow('uv run python *'))).toBe('ask')
    expect(effectOf('uv run rm -r x', allow('uv run rm *'), deny('rm *'))).toBe('deny')
  })

  it('[PERM2] in bypass a denial meets what carries code, unless a rule allows exactly that call', () => {
    const line = "make -E '$(shell rm x)'"
    const bypass = (...rules: Parameters<typeof rulesOf>[0]) =>
      rulesOf(rules, { mode: 'bypass' }).decide(shellCall(line), TOOLS.execute).effect
    expect(bypass()).toBe('allow')
    expect(bypass(deny('rm *'))).toBe('deny')
    expect(bypass(deny('rm *'), allow(exactPattern(shellCall(line))))).toBe('allow')
  })

  it('[PERM2] let a word by which a program runs something be allowed only by its spelling', () => {
    expect(effectOf('python3 -m pytest -q', allow('python3 *'))).toBe('ask')
    expect(effectOf('python3 -m pytest -q', allow('python3 -m pytest *'))).toBe('allow')
  })
})

describe('patterns for paths and addresses', () => {
  const read = (path: string, ...rules: Rule[]) =>
    rulesOf(rules, { mode: 'ask' }).decide({ name: 'edit_file', input: { path } }, TOOLS.edit).effect
  const edits = (pattern: string, effect: 'allow' | 'deny'): Rule => ({ effect, tool: 'edit_file', pattern })

  it('[PERM2] compare paths after what they mean, not how they are written', () => {
    const rule = edits('src/**', 'allow')
    for (const path of ['src/a.ts', './src/a.ts', 'src/x/../a.ts', `${WORKSPACE}/src/a.ts`, 'src//a.ts'])
      expect(read(path, rule)).toBe('allow')
    for (const path of [
      'srcx/a.ts',
      'src/../../a',
      '/src/a.ts',
      `${WORKSPACE}-evil/src/a.ts`,
      'src\\..\\a',
      'src/%2e%2e/a',
      '~/src/a.ts',
      'src/a\u202e.ts',
      '',
    ]) {
      expect({ path, effect: read(path, rule) }).toEqual({ path, effect: 'ask' })
    }
  })

  it('[PERM2] deny in any letter case, and whatever cannot be told', () => {
    for (const path of ['.env', './.ENV', 'a/../.env', '.env\u200b', '~/.env'])
      expect(read(path, edits('.env', 'deny'))).toBe('deny')
    expect(read('.envx', edits('.env', 'deny'))).toBe('ask')
    expect(read('a/b/key.pem', edits('**/*.pem', 'deny'))).toBe('deny')
    expect(read('key.pem', edits('**/*.pem', 'deny'))).toBe('deny')
  })

  it('[PERM2] match the host of an address whole', () => {
    const get = (url: string, pattern: string) =>
      rulesOf([{ effect: 'allow', tool: 'fetch', pattern }]).decide({ name: 'fetch', input: { url } }, TOOLS.network)
        .effect
    expect(get('https://example.com/a', 'https://example.com/*')).toBe('allow')
    expect(get('https://docs.example.com/a', 'https://*.example.com/*')).toBe('allow')
    for (const url of [
      'http://example.com/a',
      'https://example.com.evil.org/',
      'https://example.com@evil.org/',
      'https://user@example.com/',
      'https://evil.org/#https://example.com/',
      'https://evilexample.com/',
      'no address',
    ]) {
      expect({ url, effect: get(url, 'https://example.com/*') }).toEqual({ url, effect: 'ask' })
    }
  })

  it('[PERM2] a path is inside only if no `..` leaves the workspace, whatever the segments are', () => {
    const segment = fc.constantFrom('a', '..', '.', '', 'b')
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 12 }), (segments) => {
        let depth = 0
        let isOutside = false
        for (const part of segments) {
          if (part === '..') depth--
          else if (part === 'a' || part === 'b') depth++
          isOutside ||= depth < 0
        }
        const path = segments.join('/')
        const place = placePath(path, '/w/root')
        if (path === '' || path.startsWith('/')) return
        if (place.type === 'inside' && !isOutside) expect(place.path.split('/')).not.toContain('..')
        // Outside for a moment may come back only by the name of the root itself, which is none of these.
        if (isOutside) expect(place.type).toBe('outside')
      }),
    )
  })

  it('[PERM2] a star matches across lines, in time that does not explode', () => {
    expect(globMatches('rm *', 'rm a\nb')).toBe(true)
    expect(globMatches('a*b*c', 'aXbXbXc')).toBe(true)
    expect(globMatches('a*b', 'ab')).toBe(true)
    expect(globMatches('ab*ba', 'aba')).toBe(false)
    expect(globMatches(`${'*a'.repeat(50)}b`, 'a'.repeat(50_000))).toBe(false)
  })
})

describe('exactly one call', () => {
  it('[PERM2] is matched whatever the order of its keys, and nothing beside it is', () => {
    const pattern = exactPattern({ name: 'x', input: { a: 1, b: { d: 2, c: 3 } } })
    const rule: Rule = { effect: 'allow', tool: 'note', pattern }
    const decide = (input: { readonly [key: string]: number | { readonly [key: string]: number } }) =>
      rulesOf([rule]).decide({ name: 'note', input }, TOOLS.other).effect
    expect(decide({ b: { c: 3, d: 2 }, a: 1 })).toBe('allow')
    expect(decide({ b: { c: 3, d: 2 }, a: 2 })).toBe('ask')
  })

  it('[PERM2] may be a line that cannot be read, once a person has said so', () => {
    const call = shellCall('echo ${x@P}')
    const rule: Rule = { effect: 'allow', tool: 'shell', pattern: exactPattern(call) }
    expect(rulesOf([]).decide(call, TOOLS.execute)).toMatchObject({ effect: 'ask', guard: 'unreadable-command' })
    expect(rulesOf([rule]).decide(call, TOOLS.execute).effect).toBe('allow')
  })
})
