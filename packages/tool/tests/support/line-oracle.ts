import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Runs lines in a sandbox without network, and says which of them ran the program `evil` or wrote what is not theirs. */
export interface LineOracle {
  linesThatEscape(lines: readonly string[]): Promise<readonly string[]>
  close(): void
}

/** What a line must not write. */
export const OWNED = '/mark/owned'

const run = promisify(execFile)
const LINES_IN_ONE_SANDBOX = 250
const SIDE_BY_SIDE = 2

/** Names a line by its number; `evil` writes the number that its environment has down. */
const DRIVER = `
cd /work && cp -r /oracle/files/. . && export HOME=/tmp/home && mkdir -p /tmp/home
git init -q . && git add . && git commit -qm one && echo more >> a && git commit -qam two
number=0
while IFS= read -r -d '' line <&9; do
  LINE=$number timeout -s KILL 2 bash -c "$line" </dev/null >/dev/null 2>&1
  [ -e ${OWNED} ] && { echo $number >> /mark/ran; rm -rf ${OWNED}; }
  number=$((number + 1))
done 9< /oracle/lines/$1
[ -e /mark/ran ] && cat /mark/ran; echo end
`

const JS = `require('fs').writeFileSync('${OWNED}','')\n`
const FILES: Readonly<Record<string, string>> = {
  a: 'one\ntwo\n',
  b: 'two\nthree\n',
  x: 'three\n',
  'a.c': 'int main(void) { return 0; }\n',
  'a.js': '0\n',
  'a.py': 'pass\n',
  'a.pl': '1;\n',
  'a.sh': 'true\n',
  'x.sh': '#!/bin/sh\nevil\n',
  'hurt.js': JS,
  'hurt.py': `open('${OWNED}','w')\n`,
  'hurt.pm': `open F,'>${OWNED}';1;\n`,
  'hurt.mk': 'test:\n\tevil\nx:\n\tevil\n',
  envfile: 'NODE_OPTIONS=--require=./hurt.js\n',
  Makefile: 'test:\n\t@true\n',
  'package.json': '{"name":"x","version":"1.0.0","scripts":{"test":"true","build":"true"}}\n',
}

/** Opens an oracle; wrappers that this machine does not have are played by a program that runs what stands behind them. */
export function openLineOracle({
  program,
  wrappers,
  copies,
}: {
  /** The path of bubblewrap. */
  readonly program: string
  readonly wrappers: readonly string[]
  readonly copies: Readonly<Record<string, string>>
}): LineOracle {
  const folder = mkdtempSync(join(tmpdir(), 'line-oracle-'))
  for (const name of ['stubs', 'copies', 'files', 'lines', 'empty']) mkdirSync(join(folder, name))
  const write = (path: string, text: string) => {
    writeFileSync(join(folder, path), text)
    chmodSync(join(folder, path), 0o755)
  }
  write('copies/evil', '#!/bin/dash\necho "$LINE" >> /mark/ran\n')
  for (const name of wrappers)
    write(
      `stubs/${name}`,
      '#!/bin/bash\nwhile [ $# -gt 0 ]; do case $1 in run|exec|x|-*) shift;; *) break;; esac; done\nexec "$@"\n',
    )
  for (const [name, target] of Object.entries(copies)) symlinkSync(target, join(folder, 'copies', name))
  for (const [name, text] of Object.entries(FILES)) write(`files/${name}`, text)
  write('driver', DRIVER)
  const bound = [
    '/usr',
    '/bin',
    '/sbin',
    '/lib',
    '/lib32',
    '/lib64',
    '/etc/alternatives',
    '/etc/passwd',
    '/etc/ld.so.cache',
  ]
  const sandbox = [
    ...['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--clearenv'],
    ...bound.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--tmpfs', '/mark', '--tmpfs', '/work'],
    ...['--ro-bind', folder, '/oracle', '--ro-bind', process.execPath, '/node/node', '--chdir', '/work'],
    ...[
      '--setenv',
      'PATH',
      '/oracle/copies:/node:/usr/bin:/bin:/usr/sbin:/sbin:/oracle/stubs',
      '--setenv',
      'LANG',
      'C',
    ],
    ...['AUTHOR', 'COMMITTER'].flatMap((role) => [
      ...['--setenv', `GIT_${role}_NAME`, 'x', '--setenv', `GIT_${role}_EMAIL`, 'x@example.com'],
    ]),
  ]
  let batchNumber = 0

  async function runBatch(lines: readonly string[]): Promise<readonly string[]> {
    const name = `${++batchNumber}`
    write(`lines/${name}`, lines.map((line) => `${line}\0`).join(''))
    const { stdout } = await run(program, [...sandbox, '--', '/bin/bash', '/oracle/driver', name], {
      timeout: 600_000,
      killSignal: 'SIGKILL',
    })
    const numbers = stdout.split('\n').filter((line) => line !== '')
    if (numbers.pop() !== 'end') throw new Error(`The sandbox did not come to the end of its lines: ${stdout}`)
    return [...new Set(numbers)].map((number) => lines[Number(number)] ?? `line ${number}`)
  }

  return {
    async linesThatEscape(lines) {
      const batches: (readonly string[])[] = []
      for (let at = 0; at < lines.length; at += LINES_IN_ONE_SANDBOX)
        batches.push(lines.slice(at, at + LINES_IN_ONE_SANDBOX))
      const escaped: string[] = []
      const work = async () => {
        for (let batch = batches.shift(); batch; batch = batches.shift()) escaped.push(...(await runBatch(batch)))
      }
      await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work))
      return escaped
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
