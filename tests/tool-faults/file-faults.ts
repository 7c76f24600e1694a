import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Json, ToolOutcome } from '@holdfast/conversation'
import { openFolder } from './command-faults.ts'
import type { FaultCase } from './fault-case.ts'

interface FileFault {
  readonly tool: string
  readonly input: Json
  readonly says: RegExp
  readonly outcome?: ToolOutcome
  /** What lies in the folder before. */
  readonly prepare?: (folder: string) => Promise<void> | void
}

function file(name: string, { tool, input, says, outcome, prepare }: FileFault): FaultCase {
  return {
    name,
    async open(place) {
      await prepare?.(place.folder)
      return openFolder(place)
    },
    calls: [{ tool, inputText: JSON.stringify(input), outcome: outcome ?? 'error', says, begins: true }],
  }
}

const put = (name: string, content: string | Uint8Array) => (folder: string) => writeFile(join(folder, name), content)
const pipe = (folder: string): void => void execFileSync('mkfifo', [join(folder, 'pipe')])
const link = (to: string) => (folder: string) => symlinkSync(to, join(folder, 'link'))

/** Files that are not what a tool expects. [WS1, TOOL5] */
export const FILE_FAULTS: readonly FaultCase[] = [
  file('reads a file that is not there', { tool: 'read', input: { path: 'none.txt' }, says: /none\.txt/ }),
  file('reads a folder', { tool: 'read', input: { path: '.' }, says: /folder/ }),
  file('reads a pipe that nobody fills', { tool: 'read', input: { path: 'pipe' }, says: /pipe/, prepare: pipe }),
  file('reads a device without end by a link', {
    tool: 'read',
    input: { path: 'link' },
    says: /outside/,
    prepare: link('/dev/zero'),
  }),
  file('reads a link to itself', { tool: 'read', input: { path: 'link' }, says: /link/, prepare: link('link') }),
  file('reads a name of 5,000 letters', {
    tool: 'read',
    input: { path: 'n'.repeat(5_000) },
    says: /has 5000 characters/,
  }),
  file('reads a name with a zero byte', { tool: 'read', input: { path: 'a\0b' }, says: /a/ }),
  file('reads bytes that are no text', {
    tool: 'read',
    input: { path: 'bytes' },
    says: /./,
    prepare: put('bytes', new Uint8Array([0, 1, 2, 255, 254, 0])),
  }),
  file('reads a picture that is none', {
    tool: 'read',
    input: { path: 'a.png' },
    says: /words/,
    outcome: 'ok',
    prepare: put('a.png', 'words'),
  }),
  file('reads a file of 10 GB', {
    tool: 'read',
    input: { path: 'large' },
    says: /large/,
    async prepare(folder) {
      await put('large', '')(folder)
      truncateSync(join(folder, 'large'), 10_000_000_000)
    },
  }),
  file('reads a line of 20 MB', {
    tool: 'read',
    input: { path: 'line' },
    says: /./,
    prepare: put('line', 'x'.repeat(20_000_000)),
  }),
  file('edits what it has not read', {
    tool: 'edit',
    input: { path: 'a', old_text: 'a', new_text: 'b' },
    says: /read/,
    prepare: put('a', 'a'),
  }),
  file('writes over a folder', {
    tool: 'write',
    input: { path: 'sub', content: 'x' },
    says: /folder/,
    prepare: (folder) => mkdirSync(join(folder, 'sub')),
  }),
  file('writes through a link that leads out', {
    tool: 'write',
    input: { path: 'link', content: 'x' },
    says: /outside|link/,
    prepare: link('/tmp/not-of-this-folder'),
  }),
  file('writes below a file', {
    tool: 'write',
    input: { path: 'a/b', content: 'x' },
    says: /a/,
    prepare: put('a', 'a'),
  }),
  file('deletes the workspace itself', { tool: 'delete', input: { path: '.' }, says: /workspace/ }),
  file('moves a folder into itself', {
    tool: 'move',
    input: { from: 'sub', to: 'sub/inner' },
    says: /sub/,
    prepare: (folder) => mkdirSync(join(folder, 'sub')),
  }),
  file('searches by an expression that is none', { tool: 'search', input: { pattern: '(((' }, says: /\(\(\(/ }),
  file('searches by an expression without end', {
    tool: 'search',
    input: { pattern: '(a+)+$' },
    says: /No line matches/,
    outcome: 'ok',
    prepare: put('a', `${'a'.repeat(60)}!`),
  }),
  file('looks for names by a pattern without end', {
    tool: 'glob',
    input: { pattern: '**/**/**/**/**/**/*a*a*a*a*a*a*b' },
    says: /./,
    outcome: 'ok',
    prepare: put('a'.repeat(200), 'a'),
  }),
]
