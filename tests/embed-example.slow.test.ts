import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStrictProvider, type StrictProvider } from '@holdfast/conformance'
import { afterAll, beforeAll, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

let provider: StrictProvider
let folder: string
/** The programs of the page, in its order. */
let programs: readonly string[]

beforeAll(async () => {
  provider = await createStrictProvider({})
  folder = await mkdtemp(join(tmpdir(), 'holdfast-embed-'))
  const page = await readFile(join(ROOT, 'docs/embed.md'), 'utf8')
  const codes = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code)
  expect(codes).toHaveLength(2)
  for (const code of codes) expect(code.trim().split('\n').length).toBeLessThanOrEqual(42)
  // Beside the packages, so that their names are found.
  programs = codes.map((_, at) => join(ROOT, 'tests', `embed-example-${process.pid}-${at}.ts`))
  for (const [at, program] of programs.entries()) await writeFile(program, codes[at] ?? '')
})

afterAll(async () => {
  await provider.close()
  for (const program of programs) await rm(program)
  await rm(folder, { recursive: true })
})

/** Runs a program of the page to its end, in a folder of its own. */
function run(at: number, words: string): Promise<{ readonly code: number | null; readonly output: string }> {
  const cwd = join(folder, `${at}`)
  mkdirSync(join(cwd, 'project'), { recursive: true })
  return new Promise((resolve) => {
    const program = programs[at] ?? ''
    const child = spawn(process.execPath, ['--conditions=@holdfast/source', program, words], {
      cwd,
      env: { PATH: process.env['PATH'], ANTHROPIC_BASE_URL: provider.urls.anthropic, ANTHROPIC_API_KEY: 'any' },
    })
    let output = ''
    child.stdout.on('data', (piece) => {
      output += piece
    })
    child.stderr.on('data', (piece) => {
      output += piece
    })
    child.on('close', (code) => resolve({ code, output }))
  })
}

it('[RUN1] the program of docs/embed.md calls its tools, says what it cost, and goes on when it is run again', async () => {
  provider.script({
    parts: [
      { type: 'tool-call', name: 'weather', input: { city: 'Bergen' } },
      { type: 'tool-call', name: 'time', input: { city: 'Bergen' } },
    ],
  })
  provider.script({ parts: [{ type: 'text', text: 'Take the umbrella.' }] })
  const first = await run(0, 'Do I need an umbrella?')
  expect(first).toMatchObject({ code: 0, output: expect.stringContaining('Take the umbrella.') })
  expect(first.output).toMatch(/completed: \d+ tokens, \$0\.0\d+/)
  provider.script({ parts: [{ type: 'text', text: 'As I said: yes.' }] })
  const second = await run(0, 'Are you sure?')
  expect(second.output).toContain('As I said: yes.')
  expect(provider.requests.flatMap(({ violations }) => violations)).toEqual([])
  expect(JSON.stringify(provider.requests[2]?.body)).toContain('rain, 9 °C')
})

it('[WS1, AGENT3, CANVAS1] the program with a workbench writes a file, draws, remembers and hands a task on', async () => {
  const before = provider.requests.length
  provider.script({
    parts: [
      { type: 'tool-call', name: 'write', input: { path: 'plan.md', content: 'One step.' } },
      { type: 'tool-call', name: 'memory_save', input: { text: 'Likes short plans' } },
      { type: 'tool-call', name: 'canvas_add_card', input: { title: 'The plan' } },
      { type: 'tool-call', name: 'run_agent', input: { title: 'Check', task: 'Is the plan short?' } },
    ],
  })
  provider.script({ parts: [{ type: 'text', text: 'It is short.' }] })
  provider.script({ parts: [{ type: 'text', text: 'All is done.' }] })
  const ran = await run(1, 'Plan it')
  expect(ran).toMatchObject({ code: 0, output: expect.stringContaining('All is done.') })
  expect(ran.output).toContain('Likes short plans')
  expect(await readFile(join(folder, '1', 'project', 'plan.md'), 'utf8')).toBe('One step.')
  const asked = provider.requests.slice(before)
  expect(asked.flatMap(({ violations }) => violations)).toEqual([])
  expect(JSON.stringify(asked.at(-1)?.body)).toContain('It is short.')
})
