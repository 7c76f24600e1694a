/** How a program that runs another one takes its own arguments before it. */
export interface Wrapper {
  /** Options that stand alone. Short ones may be joined. */
  readonly flags: readonly string[]
  /** Options that take a value, joined with `=` or as the next word; short ones also without a blank. */
  readonly values: readonly string[]
  /** Words of its own before the program. */
  readonly positionals: number
  /** Whether `NAME=value` may stand before the program. */
  readonly assigns: boolean
  /** Whether it adds words of its own behind those that are written. */
  readonly appends: boolean
}

const plain: Wrapper = { flags: [], values: [], positionals: 0, assigns: false, appends: false }

/**
 * Programs that run the program in their arguments. What stands behind them is judged in their place;
 * an option that is not listed here makes the whole unclear, and asks.
 */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map([
  ['env', { ...plain, flags: ['-i', '-0', '--ignore-environment'], values: ['-u', '--unset'], assigns: true }],
  ['nice', { ...plain, values: ['-n', '--adjustment'] }],
  ['ionice', { ...plain, flags: ['-t'], values: ['-c', '-n'] }],
  ['nohup', plain],
  ['setsid', { ...plain, flags: ['-w', '-f', '-c', '--wait', '--fork'] }],
  ['stdbuf', { ...plain, values: ['-i', '-o', '-e', '--input', '--output', '--error'] }],
  ['time', { ...plain, flags: ['-p', '-v'] }],
  [
    'timeout',
    {
      ...plain,
      flags: ['-v', '--foreground', '--preserve-status', '--verbose'],
      values: ['-k', '-s', '--kill-after', '--signal'],
      positionals: 1,
    },
  ],
  ['command', { ...plain, flags: ['-p'] }],
  ['builtin', plain],
  ['exec', { ...plain, flags: ['-c', '-l'], values: ['-a'] }],
  [
    'xargs',
    {
      ...plain,
      flags: ['-0', '-r', '-t', '-x', '--null', '--no-run-if-empty', '--verbose'],
      values: ['-n', '-L', '-P', '-s', '-d', '-E', '--max-args', '--max-procs', '--max-lines', '--delimiter'],
      appends: true,
    },
  ],
  ['taskset', { ...plain, positionals: 1 }],
  ['chrt', { ...plain, flags: ['-b', '-f', '-i', '-o', '-r'], positionals: 1 }],
  ['unbuffer', plain],
  ['caffeinate', plain],
  ['busybox', plain],
  ['toybox', plain],
  ['setarch', { ...plain, flags: ['-R', '-v', '--addr-no-randomize', '--verbose'] }],
  ...['linux32', 'linux64', 'i386', 'x86_64'].map((name): [string, Wrapper] => [
    name,
    { ...plain, flags: ['-R', '-v', '--addr-no-randomize', '--verbose'] },
  ]),
  ['prlimit', plain],
  [
    'flock',
    {
      ...plain,
      flags: [
        '-s',
        '-x',
        '-e',
        '-n',
        '-u',
        '-F',
        '-o',
        '--shared',
        '--exclusive',
        '--nonblock',
        '--close',
        '--no-fork',
      ],
      values: ['-w', '-E', '--timeout', '--wait', '--conflict-exit-code'],
      positionals: 1,
    },
  ],
  ['systemd-inhibit', { ...plain, values: ['--what', '--who', '--why', '--mode'] }],
  ['chroot', { ...plain, positionals: 1 }],
])

/** A program that runs another one by a command of its own, in an environment that it has set up. */
export interface Runner {
  /** None where it runs what stands behind it at once. */
  readonly commands: readonly string[]
  readonly wrapper: Wrapper
}

/**
 * Programs that run the program behind them, or behind their `run` or `exec`, by names of their own. A rule covers what they run only where
 * it spells them and that program. [PERM2]
 */
export const RUNNERS: ReadonlyMap<string, Runner> = new Map([
  [
    'uv',
    {
      commands: ['run'],
      wrapper: { ...plain, flags: ['--frozen', '--locked', '--no-sync', '--offline', '-q', '--quiet'] },
    },
  ],
  ['conda', { commands: ['run'], wrapper: { ...plain, flags: ['--no-capture-output'], values: ['-n', '--name'] } }],
  ...['poetry', 'pipenv', 'hatch', 'pdm', 'rye', 'pipx', 'volta', 'micromamba', 'mamba'].map(
    (name): [string, Runner] => [name, { commands: ['run'], wrapper: plain }],
  ),
  ...['bundle', 'rbenv', 'pyenv', 'asdf', 'mise'].map((name): [string, Runner] => [
    name,
    { commands: ['exec', 'x'], wrapper: plain },
  ]),
  [
    'npx',
    {
      commands: [],
      wrapper: {
        ...plain,
        flags: [
          '-y',
          '--yes',
          '--no',
          '--no-install',
          '-q',
          '--quiet',
          '-s',
          '--silent',
          '--offline',
          '--prefer-offline',
        ],
        values: ['-p', '--package'],
      },
    },
  ],
  ...['pnpx', 'bunx', 'uvx'].map((name): [string, Runner] => [name, { commands: [], wrapper: plain }]),
  ['direnv', { commands: ['exec'], wrapper: { ...plain, positionals: 1 } }],
])

/** Programs that raise rights. They always ask; the command behind them is judged too. */
export const RAISING: ReadonlyMap<string, Wrapper> = new Map([
  ['sudo', { ...plain, flags: ['-n', '-E', '-H', '-b', '-k', '-S'], values: ['-u', '-g'], assigns: true }],
  ['doas', { ...plain, flags: ['-n'], values: ['-u'] }],
  ['su', plain],
  ['pkexec', { ...plain, values: ['--user'] }],
  ['runuser', plain],
])

/** Shells whose `-c` text is read as a line of its own: those whose grammar the reader knows. */
export const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'ash', 'rbash'])

/** Builtins that change nothing outside the shell and run nothing; a line of only these is not allowed by itself. */
export const HARMLESS_BUILTINS: ReadonlySet<string> = new Set([
  ...['cd', 'pwd', 'true', 'false', ':', 'test', '[', 'exit', 'return', 'break', 'continue', 'sleep', 'wait'],
])

/** Programs without any option that writes or runs something: whatever their arguments become does no harm. */
export const FREE_ARGUMENTS: ReadonlySet<string> = new Set([
  ...['ls', 'cat', 'wc', 'head', 'tail', 'echo', 'grep', 'egrep', 'fgrep', 'stat', 'du', 'df', 'basename', 'dirname'],
  ...['realpath', 'readlink', 'md5sum', 'sha1sum', 'sha256sum', 'cut', 'tr', 'nl', 'tac', 'seq'],
])

const HARMLESS_VARIABLES: ReadonlySet<string> = new Set([
  ...['LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'NO_COLOR', 'FORCE_COLOR', 'CI', 'NODE_ENV', 'TERM', 'COLUMNS', 'LINES'],
  ...['PYTHONUNBUFFERED', 'PYTHONDONTWRITEBYTECODE', 'RUST_BACKTRACE', 'DEBIAN_FRONTEND'],
])
/** Short names of the line's own; programs read none of them. Those of shells and proxies are not among them. */
const OWN_VARIABLE = /^[a-z][a-z0-9]{0,15}$/
const SHELLS_OWN: ReadonlySet<string> = new Set(['path', 'cdpath', 'fpath', 'manpath', 'prompt', 'argv', 'home', 'ifs'])

/** Whether setting the variable cannot change what a program does beyond its looks. */
export function isHarmlessVariable(name: string): boolean {
  return HARMLESS_VARIABLES.has(name) || (OWN_VARIABLE.test(name) && !SHELLS_OWN.has(name))
}
