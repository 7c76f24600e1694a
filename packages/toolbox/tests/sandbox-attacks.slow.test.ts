import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  type CommandGroup,
  endLeftGroups,
  findMachine,
  type Machine,
  usualBounds,
  withoutHidden,
} from '@holdfast/toolbox'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from './support/system-clock.ts'
import { testTool } from './support/test-tool.ts'
import { openWorkbench, PLAIN_MACHINE, SECRET, type Workbench } from './support/workbench.ts'

const bwrap = testTool('HOLDFAST_BWRAP')
const signal = new AbortController().signal
const OTHER_UID = 65_534

function machineAt(searchPath: string, groupNotes: string | null): Promise<Machine> {
  return findMachine({
    environment: { ...PLAIN_MACHINE.environment, PATH: searchPath },
    owner: 'tests',
    register: null,
    network: 'none',
    visible: { readable: [process.execPath], links: [], hiddenFolders: [] },
    groupNotes,
    bounds: usualBounds(),
    clock: systemClock,
    signal,
  })
}

let bench: Workbench
afterEach(() => bench.close())

/** A machine whose sandbox is started by another account. */
async function asOther(): Promise<Machine> {
  const place = await openWorkbench()
  const folder = dirname(place.root)
  chmodSync(folder, 0o755)
  const script = join(folder, 'bwrap')
  writeFileSync(
    script,
    `#!/bin/sh\nexec setpriv --reuid ${OTHER_UID} --regid ${OTHER_UID} --clear-groups ${bwrap} "$@"\n`,
  )
  chmodSync(script, 0o755)
  return machineAt(`${folder}:/usr/bin:/bin`, null)
}

const accounts = [
  { name: 'the account of the tests', machine: () => machineAt(`${dirname(bwrap)}:/usr/bin:/bin`, null) },
  ...(process.getuid?.() === 0 ? [{ name: 'another account', machine: asOther }] : []),
]

describe.each(accounts)('a sandbox of $name', ({ machine }) => {
  beforeEach(async () => {
    bench = await openWorkbench({ machine: await machine() })
    for (const folder of [dirname(bench.root), bench.root]) chmodSync(folder, 0o777)
    mkdirSync(join(bench.root, '.git'))
    writeFileSync(join(bench.root, '.git/config'), '[core]\n')
  })

  it('[SEC6] gives commands no capability, and none to gain', async () => {
    expect(await bench.say('shell', { command: 'grep -E "^Cap(Eff|Prm|Bnd|Amb)" /proc/self/status' })).toMatch(
      /ok: [\s\S]*CapPrm:\s0{16}\nCapEff:\s0{16}\nCapBnd:\s0{16}\nCapAmb:\s0{16}/,
    )
    for (const command of [
      'mount -o remount,bind,rw /usr',
      'umount $PWD/.git/config',
      'unshare -Ur true',
      'unshare -m true',
      // The value that is there: who may write it may write any.
      'cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern',
      'echo 0 > /proc/self/oom_score_adj',
      'mknod /tmp/disk b 8 0',
      'chroot / true',
      'echo x > /dev/tty',
    ])
      expect(await bench.say('shell', { command }), command).toContain('error: The command ended with exit code')
  })
})

describe('a person who uses git after commands', () => {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...args], {
      cwd: bench.root,
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin', HOME: bench.outside, GIT_CONFIG_NOSYSTEM: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const marker = (): string => join(bench.outside, 'ran')
  const evil = (): string => `printf '[core]\\n\\tfsmonitor = touch ${marker()} #\\n\\thooksPath = $PWD/h\\n'`
  const hook = (folder: string): string =>
    `mkdir -p ${folder}; printf '#!/bin/sh\\ntouch ${marker()}\\n' > ${folder}/pre-commit; chmod +x ${folder}/pre-commit`

  beforeEach(async () => {
    bench = await openWorkbench({ machine: await machineAt(`${dirname(bwrap)}:/usr/bin:/bin`, null) })
    git('init', '-q', '.')
    bench.put('a.txt', 'a\n')
    git('add', 'a.txt')
    git('commit', '-qm', 'first')
  })

  /** What a person does afterwards, in the workspace and in every folder of it where git may find something. */
  function useGit(): void {
    for (const folder of ['.', ...readdirSync(bench.root)]) {
      for (const words of [['status'], ['add', '-A', '.'], ['commit', '-qm', 'next', '--allow-empty']]) {
        try {
          git('-C', folder, ...words)
        } catch {
          // There is nothing of git's there.
        }
      }
    }
  }

  it.each([
    [
      "moves git's folder and copies it back",
      () => `mv .git g; cp -r g .git; ${evil()} >> .git/config; ${hook('.git/hooks')}`,
    ],
    [
      'makes a repository in another',
      () => `mkdir n; cd n; git init -q .; ${evil()} >> .git/config; ${hook('.git/hooks')}`,
    ],
    [
      'points git at a copy',
      () => `cp -r .git/. e/; ${evil()} >> e/config; ${hook('e/hooks')}; echo $PWD/e > .git/commondir`,
    ],
    [
      'points git at a copy by a file',
      () => `cp -r .git e; ${evil()} >> e/config; mkdir n; echo gitdir: $PWD/e > n/.git`,
    ],
    ['points git at a copy by a link', () => `cp -r .git e; ${evil()} >> e/config; mkdir n; ln -s ../e n/.git`],
    [
      'leaves a bare repository',
      () => `cp -r .git e; ${evil()} >> e/config; printf '[core]\\n\\tbare = false\\n\\tworktree = ..\\n' >> e/config`,
    ],
    [
      'writes in place',
      () => `${evil()} >> .git/config; ${hook('.git/hooks')}; ${hook('h')}; ${evil()} > .git/config.worktree`,
    ],
    [
      'puts a submodule in',
      () =>
        `mkdir -p .git/modules s; cp -r .git/. .git/modules/s; ${evil()} >> .git/modules/s/config; echo gitdir: ../.git/modules/s > s/.git`,
    ],
  ])('[SEC7] runs nothing of a command that %s', async (_, command) => {
    await bench.say('shell', { command: command() })
    useGit()
    expect(existsSync(marker())).toBe(false)
  })

  it('[SEC7] runs nothing of a command that made the repository', async () => {
    execFileSync('rm', ['-r', join(bench.root, '.git')])
    const said = await bench.say('shell', {
      command: `git init -q .; ${evil()} >> .git/config; ${hook('.git/hooks')}; git config remote.origin.url https://example.org/a.git`,
    })
    useGit()
    expect(existsSync(marker())).toBe(false)
    expect(said).toContain('core.fsmonitor')
    expect(git('config', 'remote.origin.url')).toBe('https://example.org/a.git\n')
  })

  it('[SEC7] sets aside a rebase that would run something', async () => {
    const said = await bench.say('shell', {
      command: `mkdir .git/rebase-merge; printf 'pick 1\\nexec touch ${marker()}\\n' > .git/rebase-merge/git-rebase-todo`,
    })
    expect(said).toMatch(/\.git\/rebase-merge was set aside as \.git\/set-aside-/)
    expect(existsSync(join(bench.root, '.git/rebase-merge'))).toBe(false)
  })

  it('[SEC7] holds against a command that waits until the person changes the settings, and keeps what they set', async () => {
    const started = await bench.say('shell', {
      command: `echo waits; until grep -q Beth .git/config; do sleep 0.05; done; ${evil()} >> .git/config; echo wrote; sleep 100`,
      background: true,
    })
    expect(started).toContain('waits')
    git('config', 'user.nickname', 'Beth')
    git('config', 'user.email', 'beth@example.org')
    await vi.waitFor(
      async () => expect(await bench.say('process_output', { process_id: 'process-1' })).toContain('wrote'),
      10_000,
    )
    expect(await bench.say('process_stop', { process_id: 'process-1' })).toContain('ended')
    useGit()
    expect(existsSync(marker())).toBe(false)
    expect(git('config', '--file', '.git/config', 'user.email')).toBe('beth@example.org\n')
  })

  it('[SEC7] finds what a command committed', async () => {
    const said = await bench.say('shell', {
      command:
        'echo b > b.txt && git add b.txt && git -c user.name=A -c user.email=a@example.org commit -qm second && git branch side && git checkout -q side && git stash list && git log --oneline',
    })
    expect(said).toContain('ok:')
    expect(git('log', '--format=%s', 'side')).toBe('second\nfirst\n')
    expect(git('status', '--short')).toBe('')
    expect(git('fsck')).toBe('')
    expect(readdirSync(join(bench.root, '.git'))).not.toContain('commondir')
    expect(readFileSync(join(bench.root, '.git/HEAD'), 'utf8')).toContain('side')
  })
})

describe('what a sandbox shows of a home folder', () => {
  it('[SEC6] is the program that it was told to show, and none of the secrets beside it', async () => {
    bench = await openWorkbench()
    const home = join(bench.outside, 'home')
    const data = join(home, '.local/share/holdfast')
    for (const folder of [data, join(home, '.local/bin')]) mkdirSync(folder, { recursive: true })
    writeFileSync(join(data, 'start-up-token'), SECRET)
    const program = join(home, '.local/bin/told')
    writeFileSync(program, '#!/bin/sh\necho I am shown\n', { mode: 0o755 })
    const machine = await findMachine({
      environment: { PATH: `${dirname(bwrap)}:/usr/bin:/bin`, HOME: home },
      owner: 'tests',
      register: null,
      network: 'none',
      visible: {
        readable: withoutHidden([program, join(home, '.local'), home, '/'], [home, data]),
        links: [],
        hiddenFolders: [data],
      },
      groupNotes: null,
      bounds: usualBounds(),
      clock: systemClock,
      signal,
    })
    const shown = await openWorkbench({ machine })
    expect(await shown.say('shell', { command: `${program}; ls -A ${join(home, '.local')}` })).toContain(
      'Output:\nI am shown\nbin\n',
    )
    for (const command of [`cat ${join(data, 'start-up-token')}`, `ls ${join(home, '.local/share')}`])
      expect(await shown.say('shell', { command }), command).toContain('error:')
    expect(await shown.say('shell', { command: `echo evil > ${program}` })).toContain('error:')
    await shown.close()
  })
})

describe('what a command may take', () => {
  const bounds = { processes: 100, memoryBytes: 400 * 1_048_576, fileSizeBytes: 1_048_576 }

  beforeEach(async () => {
    bench = await openWorkbench({ machine: { ...(await machineAt(`${dirname(bwrap)}:/usr/bin:/bin`, null)), bounds } })
  })

  it('[SEC9] is bounded in processes: a flood of them ends in words, and nothing of it is left', async () => {
    const said = await bench.say('shell', { command: 'for one in {1..300}; do sleep 61 & done; wait' })
    expect(said).toContain('error:')
    expect(said).toContain('It had more than 100 processes at once')
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain('sleep 61')
  })

  it('[SEC9] is bounded in memory: ten gigabytes end in words', async () => {
    const program = 'const all = []; for (let n = 0; n < 10_000; n++) all.push(Buffer.alloc(1_048_576, n))'
    const said = await bench.say('shell', { command: `${process.execPath} -e '${program}'; echo went on` })
    expect(said).toMatch(/It (?:used more than|came to) 400 MiB of memory, which is all that one command may use/)
    expect(await bench.say('shell', { command: 'head -c 300M /dev/zero > /tmp/big' })).toContain('error:')
  })

  it('[SEC9] is bounded in the size of a file', async () => {
    const said = await bench.say('shell', { command: 'head -c 2M /dev/zero > big' })
    expect(said).toContain('error:')
    expect(readFileSync(join(bench.root, 'big')).byteLength).toBe(1_048_576)
  })
})

/** Whether there are control groups here for us; where there are none, commands are only looked at. */
const { sandbox: here } = await machineAt(`${dirname(bwrap)}:/usr/bin:/bin`, null)
const isBounded = here.type === 'bubblewrap' && here.bounding.type === 'groups'

describe.runIf(isBounded)('what the system holds a command to', () => {
  const bounds = { processes: 64, memoryBytes: 256 * 1_048_576, fileSizeBytes: 1_073_741_824 }
  let notes: string
  const started: ChildProcess[] = []
  const opened: CommandGroup[] = []

  beforeEach(async () => {
    notes = mkdtempSync(join(tmpdir(), 'group-notes-'))
    const machine = await machineAt(`${dirname(bwrap)}:/usr/bin:/bin`, notes)
    bench = await openWorkbench({ machine: { ...machine, bounds } })
  })
  afterEach(async () => {
    for (const child of started.splice(0)) child.kill('SIGKILL')
    for (const group of opened.splice(0)) await group.close()
    rmSync(notes, { recursive: true })
  })

  async function openGroup(processes: number): Promise<CommandGroup> {
    const { sandbox } = await machineAt(`${dirname(bwrap)}:/usr/bin:/bin`, notes)
    if (sandbox.type === 'none' || sandbox.bounding.type === 'looks') throw new Error('There are no groups here')
    const group = await sandbox.bounding.groups.open({ ...bounds, processes })
    opened.push(group)
    return group
  }

  /** Runs a script in a group, without a sandbox and without anybody who looks. */
  function runIn({ before }: CommandGroup, script: string): ChildProcess {
    const [program = '', ...args] = [...before, '/bin/bash', '-c', script]
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    started.push(child)
    return child
  }
  const foldersOf = ({ before }: CommandGroup): readonly string[] =>
    before.filter((word) => word.endsWith('/cgroup.procs')).map(dirname)
  const tasksIn = (group: CommandGroup): number =>
    Math.max(
      ...foldersOf(group)
        .filter((folder) => existsSync(join(folder, 'pids.current')))
        .map((folder) => Number(readFileSync(join(folder, 'pids.current'), 'utf8'))),
    )

  /** A flood that nobody but the system ends, and that does no harm where it does not. */
  async function holdsAFlood(): Promise<void> {
    const group = await openGroup(16)
    runIn(group, 'for one in {1..300}; do sleep 20 & done; wait')
    await vi.waitFor(async () => expect(await group.excess()).toBe('processes'), 5_000)
    expect(tasksIn(group)).toBe(64)
    await group.close()
    for (const folder of foldersOf(group)) expect(existsSync(folder)).toBe(false)
    expect(readdirSync(notes)).toEqual([])
  }

  it('[SEC12] is said to the model and to people', () => {
    expect(bench.own.describe()).toContain('The system itself bounds their processes and memory.')
    expect(bench.tool('shell').definition.description).toContain('The system itself bounds their processes and memory.')
  })

  it('[SEC12] is a number of processes and threads, whoever runs the server', () => holdsAFlood())

  it('[SEC12] ends a fork bomb in words, while the server goes on, and leaves nothing of it', async () => {
    await holdsAFlood()
    let longestMs = 0
    let last = performance.now()
    const beat = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - last)
      last = performance.now()
    }, 10)
    const said = await bench.say('shell', { command: ':(){ :|:& };: ; sleep 31', timeout_ms: 20_000 })
    clearInterval(beat)
    expect(said).toContain('It had more than 64 processes at once')
    expect(longestMs).toBeLessThan(2_000)
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain('sleep 31')
    expect(readdirSync(notes)).toEqual([])
    expect(await bench.say('shell', { command: 'echo the next one runs' })).toContain('the next one runs')
  })

  it('[SEC12] is memory, that of its scratch folders among it', async () => {
    const program = 'const all = []; for (let n = 0; n < 100; n++) all.push(Buffer.alloc(1_048_576, 1))'
    const said = await bench.say('shell', {
      command: `for n in /tmp/1 /dev/shm/2; do head -c 100M /dev/zero > $n || exit; done; ${process.execPath} -e '${program}'`,
    })
    expect(said).toContain('256 MiB of memory')
  })

  it('[SEC12] is no bound of addresses: Node reserves many times of it and runs', async () => {
    const program =
      'new WebAssembly.Memory({ initial: 1, maximum: 65536 }); const big = new ArrayBuffer(1, { maxByteLength: 2 ** 35 }); console.log("ran", big.byteLength)'
    expect(await bench.say('shell', { command: `${process.execPath} -e '${program}'` })).toContain('ran 1')
  })

  it('[SEC12, RUN14] leaves no group and nothing in it to the start after a kill', async () => {
    const group = await openGroup(16)
    const child = runIn(group, 'echo up; exec setsid sleep 30')
    await new Promise((resolve) => child.stdout?.once('data', resolve))
    const gone = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)))
    expect(readdirSync(notes)).toHaveLength(1)
    expect(await endLeftGroups(notes, systemClock)).toBe(1)
    expect(await gone).toBe('SIGKILL')
    for (const folder of foldersOf(group)) expect(existsSync(folder)).toBe(false)
    expect(readdirSync(notes)).toEqual([])
  })

  it('[SEC12] runs nothing outside of a group that cannot be joined', async () => {
    const group = await openGroup(16)
    await group.close()
    const child = runIn(group, `echo ran > ${join(notes, 'ran')}`)
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(125)
    expect(existsSync(join(notes, 'ran'))).toBe(false)
  })
})
