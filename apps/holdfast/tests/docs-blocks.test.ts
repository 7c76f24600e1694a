import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { routes } from '@holdfast/protocol'
import type { Command } from 'commander'
import { type ParseError, parse as parseJsonc } from 'jsonc-parser'
import { parseSync } from 'oxc-parser'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { ConfigFile } from '../src/config-file-schema.ts'
import { createProgram } from '../src/main.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

/** A fenced block of a page. */
interface Block {
  readonly page: string
  readonly line: number
  /** Behind the fence; empty for our own commands, each with what it does behind two spaces. */
  readonly kind: string
  readonly text: string
}

/** What is not a file of ours, by page and the beginning of the block, and why nothing here can say whether it is right. */
const OTHERS: Readonly<Record<string, string>> = {
  'docs/acp.md { "agent_servers"': 'a setting of Zed',
  'docs/decisions/0002-tsc-project-references.md ".": {': 'a part of a package.json, which all packages have (ARCH1)',
  'docs/monitoring.md scrape_configs': 'a file of Prometheus: it is read as YAML, and no more',
  'docs/interop.md model =': 'a file of Codex: it is read as TOML here, and by Codex in `npm run codex`',
}

const blocks = pages().flatMap(blocksOf)
const program = createProgram(() => {})
const publicNames = new Set(
  readdirSync(join(ROOT, 'docs', 'api')).flatMap((name) =>
    readFileSync(join(ROOT, 'docs', 'api', name), 'utf8')
      .split('\n')
      .map((line) => line.replace(/^type /, '')),
  ),
)
const sources = readdirSync(join(ROOT, 'apps', 'holdfast', 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(ROOT, 'apps', 'holdfast', 'src', name), 'utf8'))
  .join('\n')

describe('the blocks of the documentation', () => {
  it('[PACK6] are found, each of a kind that is looked at', () => {
    expect(blocks.length).toBeGreaterThan(35)
    expect([...new Set(blocks.map(({ kind }) => kind))].toSorted()).toEqual(Object.keys(CHECKS).toSorted())
    for (const key of Object.keys(OTHERS))
      expect(
        blocks.filter((block) => isOf(block, key)),
        key,
      ).toHaveLength(1)
  })

  it.each(blocks.map((block) => [`${block.page}:${block.line} ${block.kind}`, block] as const))(
    '[PACK6] hold: %s',
    (_, block) => expect(CHECKS[block.kind]?.(block)).toEqual([]),
  )

  it('[PACK6] would be seen where they do not hold', () => {
    const offences = (kind: string, text: string) => CHECKS[kind]?.({ page: 'p', line: 1, kind, text })
    expect(offences('', 'holdfast imprt x')).toHaveLength(1)
    expect(offences('', 'holdfast import --nonsense x   does much')).toHaveLength(1)
    expect(offences('sh', 'if true; then')).not.toEqual([])
    expect(offences('sh', 'npm run no-such-script')).toHaveLength(1)
    expect(offences('json', '{ "a": }')).not.toEqual([])
    expect(offences('jsonc', '{ "permissions": { "defaultPolicy": "perhaps" } }')).not.toEqual([])
    expect(offences('ts', "import { noSuchName } from '@holdfast/engine'")).toHaveLength(1)
    expect(offences('ts', 'const = 1')).not.toEqual([])
    expect(offences('yaml', 'a: [')).toHaveLength(1)
    expect(offences('toml', 'a =')).toHaveLength(1)
    expect(offences('nginx', 'server {\n  listen 443\n}')).toHaveLength(1)
    expect(offences('http', 'GET /api/v1/nothing')).toHaveLength(1)
    expect(offences('', 'HOLDFAST_NOTHING=1   all')).toHaveLength(1)
  })
})

/** What is wrong with a block, by its kind. */
const CHECKS: Readonly<Record<string, (block: Block) => readonly string[]>> = {
  '': ({ text }) => text.split('\n').flatMap(lineOffences),
  sh: ({ text }) => [...shellOffences(text), ...text.split('\n').flatMap(lineOffences)],
  ts: ({ text }) => moduleOffences('block.ts', text),
  tsx: ({ text }) => fragmentOffences(text),
  json: jsonOffences,
  jsonc: jsonOffences,
  yaml: ({ text }) => thrownBy(() => parseYaml(text)),
  toml: ({ text }) => thrownBy(() => parseToml(text)),
  nginx: ({ text }) => nginxOffences(text),
  // Run by the proxies themselves: [PACK8].
  caddyfile: ({ page }) => (page === 'docs/proxies.md' ? [] : ['the tests run no proxy of this page']),
  haproxy: ({ page }) => (page === 'docs/proxies.md' ? [] : ['the tests run no proxy of this page']),
  http: ({ text }) => text.trim().split('\n').flatMap(routeOffences),
  // Drawings, which nothing reads, and what the example of a package prints: [PACK11].
  text: ({ page }) =>
    page === 'docs/ARCHITECTURE.md' || /^packages\/[\w-]+\/README\.md$/.test(page)
      ? []
      : ['a drawing stands in ARCHITECTURE.md, and what is printed in a README of a package'],
}

function pages(): readonly string[] {
  const inside = (folder: string) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`)
  const readmes = ['apps', 'packages'].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}/README.md`),
  )
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...inside('docs'), ...inside('docs/decisions'), ...readmes]
}

function blocksOf(page: string): Block[] {
  const found: Block[] = []
  let open: { line: number; kind: string; lines: string[] } | null = null
  for (const [index, line] of readFileSync(join(ROOT, page), 'utf8').split('\n').entries()) {
    const fence = /^ *```(.*)$/.exec(line)
    if (!fence) open?.lines.push(line)
    else if (open === null) open = { line: index + 1, kind: (fence[1] ?? '').trim(), lines: [] }
    else {
      found.push({ page, line: open.line, kind: open.kind, text: open.lines.join('\n') })
      open = null
    }
  }
  return found
}

function isOf({ page, text }: Block, key: string): boolean {
  const space = key.indexOf(' ')
  return page === key.slice(0, space) && text.startsWith(key.slice(space + 1))
}

/** A command of ours must be there with each of its options; a variable of ours must be read; a script must exist. */
function lineOffences(line: string): string[] {
  const [said = ''] = line.trim().split(/ {2,}| #|\s>\s/)
  const variables = [...line.matchAll(/\b(HOLDFAST_[A-Z_]+)=/g)].flatMap(([, name = '']) =>
    sources.includes(`'${name}'`) ? [] : [`${name} is read nowhere`],
  )
  const words = said.split(/\s+/)
  const at = words.findIndex((word) => /^(?:[^=]*\/)?holdfast(?:\.js)?$/.test(word))
  const isOurs = at >= 0 && words.slice(0, at).every((word) => /=|^(?:npx|node)$/.test(word))
  const script = /^npm run ([\w-]+)/.exec(said)?.[1]
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  return [
    ...variables,
    ...(isOurs ? commandOffences(words.slice(at + 1)) : []),
    ...(script === undefined || script in scripts ? [] : [`there is no script ${script}`]),
    ...[...line.matchAll(/(?<![\w/])deploy\/[\w./-]+/g)].flatMap(([path]) =>
      existsSync(join(ROOT, path)) ? [] : [`there is no ${path}`],
    ),
  ]
}

function commandOffences(words: readonly string[]): string[] {
  let command: Command = program
  const rest = [...words]
  for (let next = rest[0]; next !== undefined; next = rest[0]) {
    const inner = command.commands.find((one) => one.name() === next)
    if (!inner) break
    command = inner
    rest.shift()
  }
  if (command === program && words[0] !== undefined && !words[0].startsWith('-'))
    return [`there is no command ${words[0]}`]
  const known = [...program.options, ...command.options].flatMap(({ long, short }) => [long, short])
  return rest
    .flatMap((word) => /^\[?(--?[a-z][\w-]*)/.exec(word)?.[1] ?? [])
    .filter((option) => !known.includes(option) && option !== '--help')
    .map((option) => `${command.name()} has no option ${option}`)
}

function shellOffences(text: string): string[] {
  const { stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' })
  return stderr === '' ? [] : [stderr]
}

function moduleOffences(name: string, text: string): string[] {
  const { errors, module } = parseSync(name, text)
  return [
    ...errors.map(({ message }) => message),
    ...module.staticImports
      .filter(({ moduleRequest }) => moduleRequest.value.startsWith('@holdfast/'))
      .flatMap(({ entries }) => entries.map(({ importName }) => importName.name ?? ''))
      .filter((imported) => !publicNames.has(imported))
      .map((imported) => `${imported} is no public name`),
  ]
}

/** Lines that each stand alone: a call, an element, a row of a table. */
function fragmentOffences(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.flatMap((line) => moduleOffences('block.tsx', `void (\n${line}\n)`))
}

/** What has settings of ours must be as our file is; a part of it stands without braces. */
function jsonOffences(block: Block): readonly string[] {
  const errors: ParseError[] = []
  const text = block.text.replace(/^\s*(?:\/\/.*\n\s*)*/, '')
  const value: unknown = parseJsonc(text.startsWith('{') ? text : `{${text}\n}`, errors, { allowTrailingComma: true })
  if (errors.length > 0) return errors.map(({ error, offset }) => `error ${error} at ${offset}`)
  if (Object.keys(OTHERS).some((key) => isOf(block, key))) return []
  const read = ConfigFile.safeParse(value)
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

/** Each line is a statement, or opens or closes a part. nginx itself is not there where tests run. */
function nginxOffences(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  const depth = lines.reduce((sum, line) => sum + (line.endsWith('{') ? 1 : 0) - (line === '}' ? 1 : 0), 0)
  return [
    ...lines.filter((line) => line !== '' && !/[;{]$|^\}$/.test(line)),
    ...(depth === 0 ? [] : [`${depth} parts are left open`]),
  ]
}

function routeOffences(line: string): string[] {
  const [method, path = ''] = line.trim().split(/\s+/)
  const isThere = Object.values(routes).some((route) => route.method === method && `/api/v1${route.path}` === path)
  return isThere ? [] : [`there is no ${method} ${path}`]
}

function thrownBy(read: () => unknown): string[] {
  try {
    read()
    return []
  } catch (error) {
    return [String(error)]
  }
}
