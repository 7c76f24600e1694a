import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { createStrictProvider } from '@holdfast/conformance'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { madeTarballs } from './setup/tarballs.ts'
import { deadNames, type ReadmeExample, readmeExample } from './walls/readmes.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..')
/** A tarball that is larger is downloaded for too long, in bytes. */
const MOST_BYTES = 12_000_000
const USUAL = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']

let folder: string
/** What was made. */
let out: string
/** Where all of it is installed, as somebody else would. */
let place: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-packages-'))
  place = join(folder, 'place')
  out = await madeTarballs()
  await mkdir(join(place, 'project'), { recursive: true })
  await writeFile(join(place, 'package.json'), '{ "private": true, "type": "module" }')
  await symlink(out, join(place, 'out'))
  // As docs/install.md says it, by a shell.
  const page = await readFile(join(ROOT, 'docs', 'install.md'), 'utf8')
  const line = /^npm install \.\/out\/.*$/m.exec(page)?.[0]
  if (line === undefined) throw new Error('docs/install.md does not say how the libraries are installed')
  await run('sh', ['-c', `${line} ${USUAL.join(' ')}`], { cwd: place })
}, 600_000)

afterAll(() => rm(folder, { recursive: true }))

function install(cwd: string, tarballs: readonly string[]): Promise<unknown> {
  return run('npm', ['install', ...USUAL, ...tarballs], { cwd })
}

it('[PACK1, PACK4] the program is installed without any script being run, answers, and serves its page and its documentation', async () => {
  expect((await stat(join(out, 'holdfast-0.1.0.tgz'))).size).toBeLessThan(MOST_BYTES)
  const program = join(place, 'node_modules', 'holdfast', 'bin', 'holdfast.js')
  const own = ['--data-dir', join(folder, 'data')]
  const asked = run(process.execPath, [program, 'run', ...own, 'Say hello'], { cwd: place })
  asked.child.stdin?.end()
  const { stdout } = await asked
  expect(stdout).toContain('Say hello')
  const server = spawn(process.execPath, [program, 'start', '--json', '--no-open', '--port', '0', ...own], {
    cwd: place,
  })
  try {
    const [first] = await once(server.stdout, 'data')
    const { url, token } = JSON.parse(String(first))
    const page = await fetch(`${url}/?token=${token}`, { redirect: 'manual' })
    expect(page.status).toBe(303)
    const docs = await fetch(`${url}/docs/install.html`)
    expect(await docs.text()).toContain('To install Holdfast')
    const health = await fetch(`${url}/api/v1/health`)
    expect(health.status).toBe(200)
  } finally {
    server.kill('SIGTERM')
    const [code] = await once(server, 'exit')
    expect(code).toBe(0)
  }
}, 60_000)

it('[PACK2] the same sources give the same bytes, whoever packs them, and all that is installed is in the bill of materials', async () => {
  const again = join(folder, 'again')
  // Somebody else, whose files are his alone, far away.
  await run('sh', ['-c', 'umask 077 && exec "$0" scripts/package.mjs "$1"', process.execPath, again], {
    cwd: ROOT,
    env: { ...process.env, TZ: 'Asia/Tokyo', LANG: 'C' },
    maxBuffer: 10_000_000,
  })
  const hashes = await readFile(join(out, 'SHA256SUMS'), 'utf8')
  expect(await readFile(join(again, 'SHA256SUMS'), 'utf8')).toBe(hashes)
  expect(hashes.split('\n').filter((line) => line.endsWith('.tgz'))).toHaveLength((await readdir(out)).length - 2)
  const bill = JSON.parse(await readFile(join(out, 'holdfast.cdx.json'), 'utf8'))
  const named = new Set<string>(bill.components.map(({ purl }: { purl: string }) => purl))
  const unpacked = join(folder, 'unpacked')
  await mkdir(unpacked)
  await run('tar', ['xzf', join(out, 'holdfast-0.1.0.tgz'), '--strip-components=1'], { cwd: unpacked })
  await install(unpacked, [])
  const { packages } = JSON.parse(await readFile(join(unpacked, 'node_modules', '.package-lock.json'), 'utf8'))
  const installed = Object.entries<{ version: string }>(packages).map(
    ([at, { version }]) => `${at.slice(at.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`,
  )
  const licences = await readFile(join(unpacked, 'dist', 'third-party-licenses.txt'), 'utf8')
  const inside = [...licences.matchAll(/^={80}\n(.+)$/gm)].map(([, each = '']) => each)
  expect(inside.length).toBeGreaterThan(100)
  expect(installed.length).toBeGreaterThan(2)
  const missing = [...inside, ...installed].filter((each) => !named.has(`pkg:npm/${each.replace(/^@/, '%40')}`))
  expect(missing).toEqual([])
  const kinds = new Set(bill.components.flatMap(({ licenses }: { licenses?: unknown }) => [JSON.stringify(licenses)]))
  expect([...kinds].filter((each) => each === undefined || /[^L]GPL/.test(String(each)))).toEqual([])
}, 240_000)

it('[PACK3] the agent of docs/embed.md runs on the libraries as they are given away, against the strict provider among them', async () => {
  const page = await readFile(join(ROOT, 'docs/embed.md'), 'utf8')
  const codes = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code)
  for (const [index, code] of codes.entries()) await writeFile(join(place, `example-${index}.ts`), code)
  await checkTypes(codes.map((_, index) => `example-${index}.ts`))
  const provider = await createStrictProvider({})
  try {
    for (const index of codes.keys()) {
      const file = join(place, `example-${index}.ts`)
      provider.script({ parts: [{ type: 'text', text: `Answer ${index}.` }] })
      const { stdout } = await run(process.execPath, [file, 'Hello'], {
        cwd: place,
        env: { PATH: process.env['PATH'], ANTHROPIC_BASE_URL: provider.urls.anthropic, ANTHROPIC_API_KEY: 'any' },
      })
      expect(stdout).toContain(`Answer ${index}.`)
    }
    expect(provider.requests.flatMap(({ violations }) => violations)).toEqual([])
  } finally {
    await provider.close()
  }
}, 60_000)

it('[PACK11] each library shows in its README what it does, and what it shows is so with the libraries as they are given away', async () => {
  const names = (await readdir(join(ROOT, 'packages'))).toSorted()
  const examples = new Map<string, ReadmeExample>()
  for (const name of names) {
    const example = readmeExample(await readFile(join(installed(name), 'README.md'), 'utf8'))
    if (example === null) throw new Error(`${name} has no example`)
    examples.set(name, example)
    await writeFile(join(place, `readme-${name}.ts`), example.code)
  }
  await checkTypes([...examples.keys()].map((name) => `readme-${name}.ts`))
  for (const [name, { code, beside, printed }] of examples) {
    const used = new Set([...code.matchAll(/from '(@holdfast\/[\w-]+)/g)].map(([, from = '']) => from))
    const own = await neededBy(`@holdfast/${name}`)
    expect([...used].filter((from) => !own.has(from)).toSorted(), name).toEqual(beside)
    const cwd = join(folder, `readme-${name}`)
    await mkdir(cwd)
    // With a language server of TypeScript, which one of them asks.
    const env = { PATH: `${join(ROOT, 'node_modules', '.bin')}:${process.env['PATH']}` }
    const { stdout } = await run(process.execPath, [join(place, `readme-${name}.ts`)], { cwd, env })
    expect(stdout, name).toBe(printed)
  }
}, 180_000)

it('[PACK11] no README of a tarball names a file or a link that the tarball lacks', async () => {
  const tarballs = (await readdir(out)).filter((name) => name.endsWith('.tgz'))
  const offences: string[] = []
  for (const tarball of tarballs) {
    const { stdout: listed } = await run('tar', ['tzf', join(out, tarball)])
    const { stdout: text } = await run('tar', ['xzOf', join(out, tarball), 'package/README.md'])
    const files = listed.split('\n').map((path) => path.replace(/^package\//, ''))
    offences.push(...deadNames(text, (path) => files.includes(path)).map((path) => `${tarball}: ${path}`))
  }
  expect(tarballs.length).toBeGreaterThan(20)
  expect(offences).toEqual([])
}, 60_000)

function installed(name: string): string {
  return join(place, 'node_modules', '@holdfast', name)
}

/** All libraries of ours that one brings, itself included. */
async function neededBy(name: string): Promise<ReadonlySet<string>> {
  const found = new Set([name])
  for (const each of found) {
    const manifest = JSON.parse(await readFile(join(place, 'node_modules', each, 'package.json'), 'utf8'))
    for (const next of Object.keys(manifest.dependencies ?? {})) if (next.startsWith('@holdfast/')) found.add(next)
  }
  return found
}

/** Fails where programs in the place do not fit the types that come with the libraries. */
async function checkTypes(files: readonly string[]): Promise<void> {
  const options = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    target: 'esnext',
    module: 'nodenext',
    lib: ['esnext', 'dom'],
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules', '@types')],
  }
  await writeFile(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files }))
  const { stdout } = await run(join(ROOT, 'node_modules', '.bin', 'tsc'), ['-p', place]).catch(({ stdout }) => ({
    stdout,
  }))
  expect(stdout).toBe('')
}

/** A store as somebody else writes one, here around that in memory, and the suite of the contract that it is held to. */
const OWN_STORE = `import { describeEntryStore, describeRecords, type OpenStore } from '@holdfast/conversation/testing'
import { createMemoryStore, type MemoryStore } from '@holdfast/store/memory'
import { expect, it } from 'vitest'

const clock = { now: () => 1_000, monotonicMs: () => 0, after: () => () => undefined }
let appends = 0
function opened({ store, records, reopen }: MemoryStore): OpenStore {
  const own: OpenStore['store'] = { ...store, append: (wanted) => { appends += 1; return store.append(wanted) } }
  return { store: own, records, reopen: async () => opened(await reopen()), dispose: () => store.close() }
}
const harness = { open: async () => opened(createMemoryStore({ clock })) }
describeEntryStore('our own', harness)
describeRecords('our own', harness)
it('was asked', () => expect(appends).toBeGreaterThan(100))
`

it("[PACK3] a store of one's own is held to the contract by the suite that comes with the libraries", async () => {
  const { devDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const tools = ['vitest', 'fast-check'].map((name) => `${name}@${devDependencies[name]}`)
  await install(place, ['--no-save', ...tools])
  await writeFile(join(place, 'own-store.test.ts'), OWN_STORE)
  const vitest = join(place, 'node_modules', 'vitest', 'vitest.mjs')
  const { stdout } = await run(process.execPath, [vitest, 'run'], { cwd: place, env: { PATH: process.env['PATH'] } })
  expect(Number(/Tests .*?(\d+) passed/.exec(stripVTControlCharacters(stdout))?.[1])).toBeGreaterThan(100)
}, 120_000)
