import fc from 'fast-check'
import { OWNED } from './line-oracle.ts'
import { PROGRAM_OPTIONS } from './program-options.ts'

/** What stands behind the options of a program so that it does something harmless; without one, `a b`. */
const TAILS: Readonly<Record<string, string>> = {
  make: 'test',
  npm: 'test',
  'git push': '. HEAD',
  'git ls-remote': '.',
  'git fetch': '.',
  'git archive': 'HEAD',
  'git format-patch': 'HEAD~1',
  'git log': '-1',
  'git show': 'HEAD',
  'git commit': '-m x',
  'git rebase': 'HEAD~1',
  'git grep': 'one',
  'git diff': 'HEAD~1',
  split: 'a /tmp/split',
  diff3: 'a b x',
  curl: 'http://127.0.0.1:9/',
  wget: 'http://127.0.0.1:9/',
  tar: '-cf /dev/null a',
  xxd: 'a',
  gcc: '-fsyntax-only a.c',
  node: 'a.js',
  python3: 'a.py',
  perl: 'a.pl',
  bash: 'a.sh',
  date: '',
  uniq: 'a',
  sed: 'p a',
  awk: "'{print}' a",
  jq: '.name package.json',
  sqlite3: ":memory: 'select 1'",
  zip: '/tmp/z.zip a',
}

/** Wrappers, and how each stands before a program. */
const BEFORE: readonly string[] = [
  ...[
    'env ',
    'env -i PATH="$PATH" LINE="$LINE" ',
    'nice ',
    'nice -n 5 ',
    'nohup ',
    'setsid -w ',
    'stdbuf -oL ',
    'time ',
  ],
  ...[
    'timeout 3 ',
    'command ',
    'exec ',
    'xargs ',
    'taskset 1 ',
    'chrt -o 0 ',
    'unbuffer ',
    'caffeinate ',
    'setarch -R ',
  ],
  ...[
    'setarch x86_64 -R ',
    'linux64 ',
    'prlimit ',
    'prlimit --nofile ',
    'prlimit --nofile=9 ',
    'flock a ',
    'flock -n a ',
  ],
  ...[
    'systemd-inhibit ',
    'chroot / ',
    'uv run ',
    'uv run -- ',
    'uv --quiet run ',
    'poetry run ',
    'pipenv run ',
    'conda run ',
  ],
  ...[
    'bundle exec ',
    'hatch run ',
    'pdm run ',
    'rye run ',
    'mise exec -- ',
    'watch -n9 -e ',
    'watch -x ',
    'script -qc ',
    'flock a -c ',
  ],
  ...[
    'eval ',
    'eval -- ',
    'trap -- ',
    'trap ',
    'builtin eval ',
    'command eval -- ',
    'npx -c ',
    'npx ',
    '! ',
    'ionice -c 3 ',
  ],
]

/** Rules as people give them: a wildcard behind each program, and behind each wrapper. */
export const GENERATED_PATTERNS: readonly string[] = [
  ...new Set([
    ...Object.keys(PROGRAM_OPTIONS).map((program) => `${program} *`),
    ...BEFORE.map((before) => `${before.split(' ')[0]} *`),
    ...[
      'git *',
      'make test *',
      'npm test *',
      'dash *',
      'bash5 *',
      'sh *',
      'node22 *',
      'python3.11 *',
      'perl5.36 *',
      'gcc-12 *',
    ],
    ...['source *', '. *', 'echo *', 'cat *', 'uv run *', 'poetry run *', 'bundle exec *'],
  ]),
]

/** Copies of programs under names with a version. */
export const COPIES: Readonly<Record<string, string>> = {
  bash5: '/bin/bash',
  node22: '/node/node',
  'perl5.36': '/usr/bin/perl',
}

/** Wrappers that not every machine has. */
export const WRAPPER_NAMES: readonly string[] = [
  ...['uv', 'poetry', 'pipenv', 'conda', 'bundle', 'hatch', 'pdm', 'rye', 'mise', 'unbuffer', 'caffeinate', 'prlimit'],
  ...['systemd-inhibit', 'setarch', 'linux64', 'flock', 'taskset', 'chrt', 'ionice', 'watch', 'script'],
]

const CODE: Readonly<Record<string, string>> = {
  node: `require('fs').writeFileSync('${OWNED}','')`,
  python3: `open('${OWNED}','w')`,
  perl: `open F,'>${OWNED}'`,
  bash: 'evil;:',
}
const SCRIPTED: Readonly<Record<string, string>> = {
  node: 'node',
  node22: 'node',
  python3: 'python3',
  'python3.11': 'python3',
  perl: 'perl',
  'perl5.36': 'perl',
  bash: 'bash',
  bash5: 'bash',
  sh: 'bash',
  dash: 'bash',
}

const VALUES: readonly string[] = [
  ...[
    'evil',
    'evil;',
    './x.sh',
    './hurt.js',
    './hurt.mk',
    './envfile',
    '$(shell evil)',
    'x:;evil',
    'exec=evil',
    '!evil',
  ],
  ...[
    'ext::evil',
    `data:text/javascript,import("fs").then(f=>f.writeFileSync("${OWNED}",""))`,
    'BEGIN{system("evil")}',
  ],
  ...[
    '.shell evil',
    `vacuum into '${OWNED}'`,
    '1e evil',
    '--require=./hurt.js',
    '--eval=x:;evil',
    '-I. -Mhurt',
    OWNED,
    OWNED,
  ],
  ...Object.values(CODE),
]

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Names whose files are the program's own to run or to write: a file as a word of its own says nothing against a rule. */
const TAKES_FILES: ReadonlySet<string> = new Set([...Object.keys(SCRIPTED), 'tar', 'zip', 'sqlite3', 'git archive'])

const withOption = fc
  .record({
    program: fc.constantFrom(...Object.keys(PROGRAM_OPTIONS)),
    optionAt: fc.nat(),
    lengthAt: fc.nat(),
    isWhole: fc.boolean(),
    dashes: fc.constantFrom('', '-', '--', '--', '---'),
    join: fc.constantFrom('=', '=', ' ', ' ', '', 'none'),
    value: fc.constantFrom(...VALUES),
    place: fc.constantFrom('before', 'after'),
  })
  .map(({ program, optionAt, lengthAt, isWhole, dashes, join, value, place }) => {
    const options = (PROGRAM_OPTIONS[program] ?? '').split(' ')
    const option = options[optionAt % options.length] ?? ''
    const own = /^-*/.exec(option)?.[0] ?? ''
    const name = option.slice(own.length)
    const cut = isWhole ? name : name.slice(0, 1 + (lengthAt % name.length))
    const given = join === ' ' && TAKES_FILES.has(program) && /^[./]/.test(value) ? 'evil' : value
    const joined = join === 'none' ? '' : join === ' ' ? ` ${quote(given)}` : quote(`${join}${given}`)
    const written = `${dashes === '' ? own : dashes}${cut}${joined}`
    const tail = TAILS[program] ?? 'a b'
    return place === 'before' ? `${program} ${written} ${tail}` : `${program} ${tail} ${written}`
  })

const INPUTS = [
  '/dev/stdin',
  '/dev/fd/0',
  '//dev/stdin',
  '/dev/./stdin',
  '/proc/self/fd/0',
  '../../dev/stdin',
  '-',
  '--',
  '-- -',
]
const FLAGS = [
  '-u',
  '-w',
  '-B',
  '-x',
  '+x',
  '+e',
  '-e',
  '+o posix',
  '-l',
  '-s',
  '-n',
  '-0777',
  '-v',
  '-c',
  '-0777e',
  '--',
  '+B',
  '-W0e',
]

const withInput = fc
  .record({
    name: fc.constantFrom(...Object.keys(SCRIPTED)),
    flags: fc.array(fc.constantFrom(...FLAGS), { maxLength: 2 }),
    script: fc.constantFrom('', ...INPUTS, 'code'),
    input: fc.constantFrom('here-string', 'pipe', 'here-document', 'none'),
  })
  .map(({ name, flags, script, input }) => {
    const code = CODE[SCRIPTED[name] ?? ''] ?? 'evil'
    const words = [name, ...flags, script === 'code' ? quote(code) : script].filter((word) => word !== '').join(' ')
    switch (input) {
      case 'here-string':
        return `${words} <<< ${quote(code)}`
      case 'pipe':
        return `echo ${quote(code)} | ${words}`
      case 'here-document':
        return `${words} <<'E'\n${code}\nE`
      case 'none':
        return words
    }
  })

const withWrapper = fc
  .record({
    before: fc.array(fc.constantFrom(...BEFORE), { minLength: 1, maxLength: 3 }),
    payload: fc.constantFrom(
      ...[
        'evil',
        'sh -c evil',
        "'sh -c evil'",
        'bash +x -c evil',
        'bash /dev/stdin <<< evil',
        'source /dev/stdin <<< evil',
      ],
      ...[
        'source -- /dev/stdin <<< evil',
        `python3.11 -c "open('${OWNED}','w')"`,
        '. /dev/stdin <<< evil',
        "'evil' EXIT",
      ],
      ...["make -E '$(shell evil)' test", 'eval -- evil', "trap -- 'evil' EXIT", 'perl5.36 -0777e \'system("evil")\''],
    ),
  })
  .map(({ before, payload }) => `${before.join('')}${payload}`)

/** Lines that try to run `evil`, or to write what is not theirs, by a rule for something else. */
export const generatedLine = fc.oneof(
  { arbitrary: withOption, weight: 8 },
  { arbitrary: withInput, weight: 1 },
  { arbitrary: withWrapper, weight: 1 },
)
