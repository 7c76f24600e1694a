import { spawnSync } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { say, untilTurn } from './support/browser.ts'
import { liveScene } from './support/live-scene.ts'
import { ROOT } from './support/root.ts'
import { scriptedAgent } from './support/scripted-agent.ts'
import { shots } from './support/shots.ts'

const call = (name: string, input: unknown) => [{ type: 'tool-call', name, input } as const]
const edit = (path: string, old_text: string, new_text: string) => call('edit', { path, old_text, new_text })

const MAIN = `import './style.css'

export function greet(): string {
  return 'Hello'
}

const root = document.querySelector('#app')
if (root !== null) root.textContent = greet()

export function boil(degrees: number): string {
  return degrees < 100 ? 'warm' : 'hot'
}

export function pour(cups: number): string {
  return cups + ' cups'
}

export const FOOTER = 'Made with tea'
`
const COUNT = "export const visits: number = Number(localStorage.getItem('visits') ?? 0) + 1\n"
const TYPE_ERROR = "src/count.ts:1:14 Type 'number' is not assignable to type 'string'"

/** A call waits a moment for the language server, which has only been started: the agent breaks the file until it is told of it. */
const breakAndMend = [
  edit('src/count.ts', 'number', 'string'),
  edit('src/count.ts', 'string', 'number'),
  (sent: string) =>
    sent.includes(TYPE_ERROR) ? [{ type: 'text', text: 'Counted.' } as const] : call('shell', { command: 'sleep 3' }),
] as const

const scene = liveScene({
  config: { permissions: { rules: [{ id: 'all', effect: 'allow', tool: '*' }] } },
  workspace: {},
  reply: scriptedAgent({
    'Greet by name': [
      call('read', { path: 'src/main.ts' }),
      edit('src/main.ts', "'Hello'", "'Hello, Ann'"),
      edit('src/main.ts', 'Made with tea', 'Made with coffee'),
      call('shell', { command: 'git add -A && git commit -qm "Greet by name" && git log -1 --format=%s' }),
      [{ type: 'text', text: 'Greeted.' }],
    ],
    'Count the visits': [
      call('write', { path: 'src/count.ts', content: COUNT }),
      ...Array.from({ length: 10 }, () => breakAndMend).flat(),
    ],
    'Go on then': [[{ type: 'text', text: 'Tea it is.' }]],
  }),
  // A branch is asked for while the server is gone.
  forgiven: /Failed to fetch|status of 5/,
})

const git = (...args: string[]): string => {
  const own = ['-C', scene.folder, '-c', 'user.name=Ann', '-c', 'user.email=ann@example.org']
  const { status, stdout, stderr } = spawnSync('git', [...own, ...args], { encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  return stdout
}
const read = (...path: string[]) => readFile(join(...path), 'utf8')

/** A project of Vite with the Vite and TypeScript of this repository, in git, with a bare repository as its remote. */
async function makeProject(): Promise<string> {
  const files = {
    'package.json': '{"name":"kettle","private":true,"type":"module","scripts":{"dev":"vite","build":"vite build"}}',
    'index.html': '<!doctype html><div id="app"></div><script type="module" src="/src/main.ts"></script>',
    'tsconfig.json':
      '{"compilerOptions":{"strict":true,"module":"esnext","moduleResolution":"bundler","noEmit":true,"types":[]},"include":["src"]}',
    'src/main.ts': MAIN,
    'src/style.css': 'body { color: teal }\n',
    'src/styles.d.ts': "declare module '*.css'\n",
    '.gitignore': 'node_modules\ndist\n',
  }
  await mkdir(join(scene.folder, 'src'), { recursive: true })
  await mkdir(join(scene.folder, 'node_modules'))
  await symlink(join(ROOT, 'node_modules', 'vite'), join(scene.folder, 'node_modules', 'vite'))
  for (const [path, text] of Object.entries(files)) await writeFile(join(scene.folder, path), text)
  const remote = join(scene.folder, '..', 'remote.git')
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-q', '-m', 'A kettle')
  git('init', '-q', '--bare', remote)
  git('remote', 'add', 'origin', remote)
  git('push', '-q', 'origin', 'main')
  return remote
}

async function worktrees(page: Page) {
  const rows = z.object({
    worktrees: z.array(
      z.looseObject({ folder: z.string(), branch: z.string(), conversationId: z.string(), state: z.string() }),
    ),
  })
  const headers = { authorization: `Bearer ${scene.holdfast.token}` }
  const listed = await page.request.get(`${scene.holdfast.url}/api/v1/worktrees`, { headers })
  const all = rows.parse(await listed.json()).worktrees
  return (name: string) => {
    const found = all.find(({ branch }) => branch.includes(name))
    if (found === undefined) throw new Error(`There is no worktree of ${name}`)
    return found
  }
}

/** kill -9, and the page finds the server again. */
async function killed(page: Page): Promise<void> {
  await scene.restart(async () => {})
  await page.reload()
  await page.getByTestId('composer-input').waitFor()
}

/** The review beside the conversation has a menu too. */
const main = (page: Page) => page.getByRole('main', { name: 'Conversation' })

async function finish(page: Page, way: string): Promise<void> {
  const menu = main(page).getByTestId('worktree-menu')
  await menu.getByRole('radio', { name: new RegExp(`^${way}`) }).check()
  await menu.getByRole('button', { name: way, exact: true }).click()
}

test('[UI65, UI66, UI73, WS8, WS9, WS10, WS12, WS31] two agents change a project at once in worktrees, a hunk is rejected, one branch is merged, the other pushed for a pull request, and all is restored, with kill -9 between the steps', async () => {
  const remote = await makeProject()
  await scene.startAnew(async () => {})
  const one = await scene.enter()
  const other = await scene.enter()
  for (const page of [one, other]) await page.getByTestId('place-picker').selectOption('worktree')
  await Promise.all([say(one, 'Greet by name'), say(other, 'Count the visits')])
  await Promise.all([untilTurn(one, 'completed'), untilTurn(other, 'completed')])
  const trees = await worktrees(one)
  const [greeting, counting] = [trees('greet-by-name'), trees('count-the-visits')]
  expect(await read(scene.folder, 'src/main.ts')).toBe(MAIN)
  expect(await read(greeting.folder, 'src/main.ts')).toContain("'Hello, Ann'")
  expect(await read(counting.folder, 'src/count.ts')).toBe(COUNT)
  expect(git('log', '--format=%s', greeting.branch)).toBe('Greet by name\nA kettle\n')
  const sent = () => scene.provider.requests.map(({ body }) => JSON.stringify(body) ?? '')
  expect(sent().filter((body) => body.includes(TYPE_ERROR))).not.toEqual([])
  await killed(one)

  await one.getByRole('button', { name: 'Review…' }).last().click()
  const review = one.getByTestId('review')
  await expect.poll(() => review.getByTestId('review-hunk').count()).toBe(2)
  await shots(one, 'closing-review')
  // The file is as wanted some moments before the decision is in the log: the kill comes behind that.
  const decided = one.waitForResponse((answer) => answer.url().endsWith('/changes/decide') && answer.ok())
  await review
    .getByRole('button', { name: /^Reject: .*main.ts, line/ })
    .last()
    .click()
  await decided
  await expect.poll(() => read(greeting.folder, 'src/main.ts')).toBe(MAIN.replace("'Hello'", "'Hello, Ann'"))
  await review.locator('[data-testid=review-hunk][data-state=rejected]').first().waitFor()
  await killed(one)
  await say(one, 'Go on then')
  // A server that is only just back takes it when it is asked again: the turn before stands there until then.
  const told = () => sent().findLast((body) => body.includes('Go on then')) ?? ''
  await expect.poll(told).toMatch(/rejected[^"]*src\/main\.ts|src\/main\.ts[^"]*rejected/)
  await untilTurn(one, 'completed')

  await main(one).getByTestId('worktree-button').click()
  const menu = main(one).getByTestId('worktree-menu')
  await menu.getByLabel('What the work is, for the commit').fill('Keep the tea')
  await finish(one, 'Merge')
  await expect.poll(() => main(one).getByTestId('worktree-done').innerText()).toContain('was merged into main')
  expect(git('show', 'main:src/main.ts')).toBe(MAIN.replace("'Hello'", "'Hello, Ann'"))
  expect(git('status', '--short')).toBe('')
  await killed(other)

  await main(other).getByTestId('worktree-button').click()
  const second = main(other).getByTestId('worktree-menu')
  await second.getByLabel('What the work is, for the commit').fill('Count the visits')
  await finish(other, 'Pull request')
  await expect.poll(() => main(other).getByTestId('worktree-done').innerText()).toContain(counting.branch)
  await shots(other, 'closing-pull-request')
  expect(git('--git-dir', remote, 'show', `${counting.branch}:src/count.ts`)).toBe(COUNT)
  expect(git('log', '-1', '--format=%s', 'origin/main')).toBe('A kettle\n')
  await killed(other)

  // What was merged away, and what is discarded now, comes back byte for byte.
  await writeFile(join(counting.folder, 'src/not-committed.ts'), 'export {}\r\n')
  await main(other).getByTestId('worktree-button').click()
  await finish(other, 'Discard')
  await expect.poll(() => main(other).getByTestId('worktree-done').innerText()).toContain('discarded')
  await second.getByRole('button', { name: 'Restore' }).click()
  await expect.poll(() => read(counting.folder, 'src/not-committed.ts').catch(() => '')).toBe('export {}\r\n')
  // One that is killed in the middle of a restoration is as it was before it.
  await second.getByRole('radio').first().waitFor()
  await killed(one)
  await one.goto(`${scene.holdfast.url}/settings/workspaces`)
  await one
    .getByTestId('worktree-row')
    .filter({ hasText: 'greet-by-name' })
    .getByRole('button', { name: /Restore/ })
    .click()
  await expect
    .poll(() => read(greeting.folder, 'src/main.ts').catch(() => ''))
    .toBe(MAIN.replace("'Hello'", "'Hello, Ann'"))
  await expect.poll(() => one.locator('[data-testid=worktree-row][data-state=ready]').count()).toBe(2)
  expect(git('fsck', '--no-dangling')).toBe('')
  expect(git('worktree', 'list').trim().split('\n')).toHaveLength(3)

  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
  const built = spawnSync(process.execPath, [vite, 'build'], { cwd: scene.folder, encoding: 'utf8', timeout: 60_000 })
  expect(built.status, built.stderr).toBe(0)
}, 240_000)
