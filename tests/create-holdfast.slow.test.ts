import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createStrictProvider } from '@holdfast/conformance'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { madeTarballs } from './setup/tarballs.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..')
const TARBALL = 'create-holdfast-0.1.0.tgz'
/** npm as it is where somebody else works: with the Node that Holdfast needs. */
const environment: Record<string, string | undefined> = {
  ...process.env,
  PATH: `${join(process.execPath, '..')}:${process.env['PATH']}`,
  ANTHROPIC_API_KEY: undefined,
  OPENAI_BASE_URL: undefined,
}

let folder: string
let out: string
/** The project as it is made. */
let project: string
let browser: Browser

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-create-'))
  out = await madeTarballs()
  project = join(folder, 'my-agent')
  await create('my-agent', '--tarballs', out)
  const usual = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  await run('npm', ['install', ...usual], { cwd: project, env: environment })
  await run('npm', ['run', 'build'], { cwd: project, env: environment })
  browser = await chromium.launch({
    executablePath: process.env['HOLDFAST_CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
}, 400_000)

afterAll(async () => {
  await browser.close()
  await rm(folder, { recursive: true })
})

/** What `npm create holdfast` does, from the tarball. */
function create(...args: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const npx = ['exec', '--yes', '--prefer-offline', `--package=${join(out, TARBALL)}`, '--', 'create-holdfast', ...args]
  return run('npm', npx, { cwd: folder, env: environment })
}

/** Starts the project's server, and opens its page. */
async function start(more: Record<string, string>): Promise<{ readonly server: ChildProcess; readonly url: string }> {
  const server = spawn(process.execPath, ['server.ts'], {
    cwd: project,
    env: { ...environment, PORT: '0', ...more },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [first] = await once(server.stdout, 'data')
  return { server, url: String(first).match(/http:\S+/)?.[0] ?? '' }
}

/** What a start says that ends by itself. */
async function refusedStart(more: Record<string, string>): Promise<string> {
  return run(process.execPath, ['server.ts'], { cwd: project, env: { ...environment, ...more } }).then(
    () => 'It started',
    ({ stderr }: { readonly stderr: string }) => stderr,
  )
}

async function end(server: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const ended = once(server, 'exit')
  server.kill(signal)
  await ended
}

async function say(page: Page, words: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(words)
  await page.getByRole('button', { name: 'Send' }).click()
}

it('[PACK7] the project that is made has an agent that calls its tool, in a page of its own', async () => {
  const provider = await createStrictProvider({})
  const { server, url } = await start({ ANTHROPIC_BASE_URL: provider.urls.anthropic, ANTHROPIC_API_KEY: 'any' })
  const page = await browser.newPage()
  const offences: string[] = []
  page.on('pageerror', ({ message }) => offences.push(message))
  page.on('console', (message) => message.type() === 'error' && offences.push(message.text()))
  try {
    provider.script({ parts: [{ type: 'tool-call', name: 'roll_dice', input: { count: 2 } }] })
    provider.script({ parts: [{ type: 'text', text: 'You rolled two dice.' }] })
    await page.goto(url)
    await say(page, 'Roll two dice')
    await page.getByText('You rolled two dice.').waitFor()
    expect(await page.locator('.call').innerText()).toMatch(/^roll_dice .* [1-6], [1-6]$/)
    expect(new URL(page.url()).pathname).toMatch(/^\/c\//)
    await page.reload()
    await page.getByText('You rolled two dice.').waitFor()
    expect(provider.requests.flatMap(({ violations }) => violations)).toEqual([])
    expect(offences).toEqual([])
  } finally {
    await page.close()
    await end(server, 'SIGTERM')
    await provider.close()
  }
}, 60_000)

it('[PACK7] its Stop keeps what was read, also over a kill, and needs neither a key nor a network', async () => {
  const first = await start({})
  const page = await browser.newPage()
  try {
    await page.goto(first.url)
    await say(page, '/demo stream-slow')
    const reply = page.locator('.assistant')
    await expect.poll(() => reply.innerText().catch(() => '')).toMatch(/\S{3}/)
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.locator('.assistant[data-state=stopped]').waitFor()
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
    const kept = (await reply.locator('p').innerText()).trim()
    await end(first.server, 'SIGKILL')
    const second = await start({})
    try {
      const { origin, search } = new URL(second.url)
      await page.goto(origin + new URL(page.url()).pathname + search)
      await page.getByText(kept.slice(0, 20)).waitFor()
      expect((await reply.locator('p').innerText()).trim()).toBe(kept)
    } finally {
      await end(second.server, 'SIGTERM')
    }
  } finally {
    await page.close()
    if (first.server.exitCode === null && first.server.signalCode === null) await end(first.server, 'SIGKILL')
  }
}, 60_000)

it('[PACK31] shows why no model answers, keeps its page over a restart, and says in words what keeps it from starting', async () => {
  const dead = { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', MODEL: 'any', DATA_DIR: join(folder, 'dead') }
  const first = await start(dead)
  const page = await browser.newPage()
  try {
    await page.goto(first.url)
    await say(page, 'Hello')
    await expect.poll(() => page.locator('.error').first().innerText()).toContain('nothing listens there')
    expect(await refusedStart({ PORT: new URL(first.url).port, DATA_DIR: join(folder, 'second') })).toMatch(
      /^Port \d+ is in use by another program\. Choose another: PORT=\d+ npm start\n$/,
    )
    expect(await refusedStart({ OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' })).toBe(
      'Set MODEL to the name of a model that OPENAI_BASE_URL has.\n',
    )
    await end(first.server, 'SIGKILL')
    const second = await start({ ...dead, PORT: new URL(first.url).port })
    try {
      expect(second.url).toBe(first.url)
      await page.reload()
      await page.getByText('Hello').waitFor()
      await page.getByRole('status').waitFor({ state: 'detached' })
    } finally {
      await end(second.server, 'SIGTERM')
    }
  } finally {
    await page.close()
    if (first.server.exitCode === null && first.server.signalCode === null) await end(first.server, 'SIGKILL')
  }
}, 60_000)

it('[PACK7] leaves a folder that holds something as it is, and says what is wrong', async () => {
  await writeFile(join(folder, 'held'), '')
  // The program of the tarball by itself: npm, which started it for the project, takes longer than it does.
  await run('tar', ['xzf', TARBALL, '-C', folder], { cwd: out })
  const program = join(folder, 'package', 'bin', 'create-holdfast.js')
  const said = async (...args: readonly string[]): Promise<string> =>
    run(process.execPath, [program, ...args], { cwd: folder, env: environment }).then(
      () => 'It was made',
      ({ stderr }: { readonly stderr: string }) => stderr,
    )
  expect(await said('.')).toContain('holds something already')
  expect(await said('my-agent', '--tarballs', out)).toContain('holds something already')
  expect(await said('other', '--tarballs', join(folder, 'nowhere'))).toContain('is not there')
  expect(await said('other', '--tarballs', project)).toContain('has no tarball of @holdfast/client')
  expect(await said()).toContain('name one folder')
  expect(await said('other', '--from', out)).toContain("Unknown option '--from'")
})

it('[PACK7] the project has the versions that this repository is tested with', async () => {
  const read = async (path: string) => JSON.parse(await readFile(join(ROOT, path), 'utf8'))
  const { dependencies, devDependencies } = await read('create-holdfast/template/package.json')
  const locked = (await read('package-lock.json')).packages
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
    expect([name, locked[`node_modules/${name}`].version ?? '0.1.0']).toEqual([name, version])
})
