import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStrictProvider, type StrictProvider } from '@holdfast/conformance'
import { afterAll, beforeAll, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

let provider: StrictProvider
let folder: string
let program: string

beforeAll(async () => {
  provider = await createStrictProvider({})
  folder = await mkdtemp(join(tmpdir(), 'holdfast-embed-'))
  const page = await readFile(join(ROOT, 'docs/embed.md'), 'utf8')
  const code = /```ts\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(40)
  // Beside the packages, so that their names are found.
  program = join(ROOT, 'tests', `embed-example-${process.pid}.ts`)
  await writeFile(program, code)
})

afterAll(async () => {
  await provider.close()
  await rm(program)
  await rm(folder, { recursive: true })
})

/** Runs the program of the page to its end. */
function run(words: string): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--conditions=@holdfast/source', program, words], {
      cwd: folder,
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
  const first = await run('Do I need an umbrella?')
  expect(first).toMatchObject({ code: 0, output: expect.stringContaining('Take the umbrella.') })
  expect(first.output).toMatch(/completed: \d+ tokens, \$0\.0\d+/)
  provider.script({ parts: [{ type: 'text', text: 'As I said: yes.' }] })
  const second = await run('Are you sure?')
  expect(second.output).toContain('As I said: yes.')
  expect(provider.requests.flatMap(({ violations }) => violations)).toEqual([])
  expect(JSON.stringify(provider.requests[2]?.body)).toContain('rain, 9 °C')
})
