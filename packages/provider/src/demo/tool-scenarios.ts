import { Json } from '@holdfast/conversation'
import { call, type DemoAct, type DemoProgress, type DemoResult, type DemoScenario, say } from './demo-act.ts'
import { REVIEW_FILES } from './review-files.ts'

/** Where the demo writes, under the root of the workspace; nowhere else. */
const SCRATCH = 'holdfast-demo'
const NOTE = `${SCRATCH}/note.txt`

/** Where the files are that are reviewed. */
const REVIEWED = `${SCRATCH}/review`
const MADE_TO_REVIEW =
  'Two files are made. Send `/demo review` once more: then they are changed in several places, and *Changes* beside the conversation shows each place, to keep or to reject.\n'
const CHANGED_TO_REVIEW =
  'Two files are changed. *Review…* below shows each place: `n` and `p` go on and back, `a` keeps, `x` rejects, `u` takes that back. Send `/demo review` again to have them changed back.\n'

/** The file that is written after asking. */
const ASKED_NOTE = `${SCRATCH}/permission.txt`

/** The files that are written at once. */
const THREE = ['a', 'b', 'c'].map((name) => `${SCRATCH}/${name}.txt`)

type Step = (progress: DemoProgress) => readonly DemoAct[]

/** The scenarios that call tools: the real ones, which ask for permission and may be stopped like any other call. */
export const TOOL_SCENARIOS: readonly DemoScenario[] = [
  steps(
    'tools-ok',
    'a list of tasks and a look into the folder',
    ['todo', 'list'],
    [
      () => [
        say('First the list of tasks, then the folder.\n\n'),
        call('todo', { tasks: [task('Look into the folder', 'doing'), task('Say what is there', 'open')] }),
      ],
      () => [call('list', { path: '.' })],
    ],
  ),
  steps(
    'tools-parallel',
    'three tools that read, side by side',
    ['list', 'glob', 'search'],
    [
      () => [
        call('list', { path: '.' }),
        call('glob', { pattern: '**/*.md' }),
        call('search', { pattern: 'holdfast', literal: true, ignore_case: true }),
      ],
    ],
  ),
  steps(
    'schedule',
    'a schedule that you confirm, change or decline',
    ['schedule_propose'],
    [
      () => [
        say('I propose this; nothing is scheduled before you say so.\n\n'),
        call('schedule_propose', { name: 'Good morning', ask: '/demo stream-fast', when: '30 7 * * MON-FRI' }),
      ],
    ],
  ),
  steps(
    'tool-error',
    'a tool that fails',
    ['read'],
    [() => [say('This file does not exist.\n\n'), call('read', { path: `${SCRATCH}/there-is-no-such-file.txt` })]],
  ),
  steps(
    'edit',
    'makes a file or changes it, after asking you',
    ['glob', 'read', 'write', 'edit'],
    [
      () => [lookFor(NOTE)],
      ({ results }) => (isThere(results[0], NOTE) ? [call('read', { path: NOTE })] : [makeNote()]),
      ({ results }) => (isThere(results[0], NOTE) && results.length === 2 ? [change(results[1])] : report(results)),
    ],
  ),
  steps(
    'review',
    'makes two files, and changes them when you ask again: keep and reject in Changes',
    ['glob', 'read', 'write'],
    [
      () => [call('glob', { pattern: `${REVIEWED}/*`, include_ignored: true })],
      ({ results }) =>
        areAllThere(results[0])
          ? REVIEW_FILES.map(({ name }) => call('read', { path: `${REVIEWED}/${name}` }))
          : REVIEW_FILES.map(({ name, before }) => call('write', { path: `${REVIEWED}/${name}`, content: before })),
      ({ results }) => {
        if (!areAllThere(results[0])) return [...report(results), say(MADE_TO_REVIEW)]
        const isFirst = results.some(({ text }) => text.includes('HOT = 96'))
        return REVIEW_FILES.map(({ name, before, after }) =>
          call('write', { path: `${REVIEWED}/${name}`, content: isFirst ? after : before }),
        )
      },
      ({ results }) => [...report(results), say(CHANGED_TO_REVIEW)],
    ],
  ),
  steps(
    'permission',
    'asks you before it writes; deny it with a reason',
    ['glob', 'read', 'write'],
    [
      () => [say('First a look at what is there. '), lookFor(ASKED_NOTE)],
      ({ results }) => (isThere(results[0], ASKED_NOTE) ? [call('read', { path: ASKED_NOTE })] : [askedNote()]),
      ({ results }) => (isThere(results[0], ASKED_NOTE) && results.length === 2 ? [askedNote()] : report(results)),
    ],
  ),
  steps(
    'permission-x3',
    'asks you three times at once',
    ['glob', 'read', 'write'],
    [
      () => [call('glob', { pattern: `${SCRATCH}/{a,b,c}.txt`, include_ignored: true })],
      ({ results }) => {
        const there = THREE.filter((path) => isThere(results[0], path))
        return there.length > 0 ? there.map((path) => call('read', { path })) : THREE.map(writeOne)
      },
      ({ results }) => (results.some(({ tool }) => tool === 'write') ? report(results) : THREE.map(writeOne)),
    ],
  ),
  command('shell', 'a command line, after asking you', "echo 'Hello from the shell.'; pwd; ls | head -20"),
  command(
    'tool-slow',
    'a command of thirty seconds; stop it',
    'for n in $(seq 30); do echo "second $n"; sleep 1; done',
  ),
  steps(
    'tool-timeout',
    'a command that is over its limit of two seconds',
    ['shell'],
    [() => [call('shell', { command: 'sleep 30', timeout_ms: 2_000 })]],
  ),
  command(
    'tool-stubborn',
    'a command that does not listen to its end for four seconds; stop it',
    "trap '' TERM; for n in 1 2 3 4; do sleep 1; done; echo 'over by itself'",
  ),
  command(
    'tool-hang-drain',
    'a command that never ends by being asked to; stop it',
    "trap '' TERM INT HUP; while :; do sleep 1; done",
  ),
  steps(
    'background',
    'a process beside the conversation: started, read, stopped',
    ['shell', 'process_output', 'process_stop'],
    [
      () => [call('shell', { command: 'while :; do date; sleep 1; done', background: true })],
      () => [call('process_output', {})],
      ({ results }) => {
        const started = results.map(({ text }) => /process-\d+/.exec(text)?.[0]).find((name) => name !== undefined)
        return started === undefined ? report(results) : [call('process_stop', { process_id: started })]
      },
    ],
  ),
  steps(
    'same-call-x3',
    'the same call three times; the third one asks',
    ['list'],
    [() => [call('list', { path: '.' })], () => [call('list', { path: '.' })], () => [call('list', { path: '.' })]],
  ),
  {
    name: 'call',
    shows:
      'calls the tools that you name, one after the other, each with its input as JSON: `/demo call list {"path":"."}`',
    tokensPerSecond: 120,
    reportsUsage: true,
    needs: [],
    acts({ step, argument, results }) {
      const wanted = callsIn(argument)
      if (wanted === null) return [say('Write the name of a tool and its input as JSON, as often as you like.')]
      const next = wanted[step]
      return next === undefined ? report(results) : [call(next.name, next.input)]
    },
  },
  steps(
    'remember',
    'remembers something about you, for all conversations; delete it under Memories',
    ['memory_save', 'memory_list'],
    [
      () => [call('memory_save', { text: 'The user has tried the demo of memories.' })],
      () => [call('memory_list', {})],
    ],
  ),
  steps(
    'sub-agent',
    'hands a task to another agent, after asking you',
    ['run_agent'],
    [
      () => [
        say('Another demo does this task, in a conversation of its own.\n\n'),
        call('run_agent', { title: 'A task of the demo', task: '/demo thinking' }),
      ],
    ],
  ),
]

/** What the script says where the request does not offer what a scenario calls. */
export function toolsMissing({ name }: DemoScenario, missing: readonly string[]): readonly DemoAct[] {
  const names = missing.map((tool) => `\`${tool}\``).join(', ')
  const isWorkspace = missing.some((tool) => !ALWAYS_THERE.has(tool) && !tool.startsWith('canvas_'))
  const remedy = isWorkspace
    ? 'Tools for files and commands come with a workspace: start with `holdfast start --workspace FOLDER`. '
    : ''
  return [
    say(
      `This is a scripted demo. The scenario \`${name}\` calls ${names}, which this conversation does not offer. ${remedy}` +
        'If they are there and switched off, switch them on in the tools of this conversation.',
    ),
  ]
}

/** Tools that need no workspace. */
const ALWAYS_THERE: ReadonlySet<string> = new Set([
  ...['todo', 'read_result', 'fetch_page', 'run_agent'],
  ...['memory_save', 'memory_search', 'memory_list', 'memory_delete'],
])

/** A scenario whose requests follow each other; at its end it tells what its tools answered. */
function steps(name: string, shows: string, needs: readonly string[], made: readonly Step[]): DemoScenario {
  return {
    name,
    shows,
    tokensPerSecond: 120,
    reportsUsage: true,
    needs,
    acts: (progress) => made[progress.step]?.(progress) ?? report(progress.results),
  }
}

function command(name: string, shows: string, line: string): DemoScenario {
  return steps(name, shows, ['shell'], [() => [call('shell', { command: line, timeout_ms: 60_000 })]])
}

function task(text: string, state: 'open' | 'doing' | 'done') {
  return { text, state }
}

/** Names of tools, each with its input behind it; null for what does not read so. */
function callsIn(argument: string): readonly { readonly name: string; readonly input: Json }[] | null {
  const made: { readonly name: string; readonly input: Json }[] = []
  for (let rest = argument.trim(); rest !== ''; ) {
    const name = /^[\w.-]+(?=\s*\{)/.exec(rest)?.[0]
    if (name === undefined) return null
    const found = objectAt(rest.slice(name.length).trimStart())
    if (found === null) return null
    made.push({ name, input: found.input })
    rest = found.rest.trimStart()
  }
  return made.length === 0 ? null : made
}

/** The object that a text begins with: the shortest that is whole. */
function objectAt(text: string): { readonly input: Json; readonly rest: string } | null {
  for (let end = text.indexOf('}'); end >= 0; end = text.indexOf('}', end + 1)) {
    try {
      return { input: Json.parse(JSON.parse(text.slice(0, end + 1))), rest: text.slice(end + 1) }
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
  }
  return null
}

/** Looks whether a file is there: a look that finds nothing is no failure. */
function lookFor(path: string): DemoAct {
  return call('glob', { pattern: path, include_ignored: true })
}

function isThere(looked: DemoResult | undefined, path: string): boolean {
  return looked?.text.split('\n').includes(path) ?? false
}

function areAllThere(looked: DemoResult | undefined): boolean {
  return REVIEW_FILES.every(({ name }) => isThere(looked, `${REVIEWED}/${name}`))
}

function makeNote(): DemoAct {
  return call('write', { path: NOTE, content: 'A note of the demo.\nIts state is one.\n' })
}

function askedNote(): DemoAct {
  return call('write', { path: ASKED_NOTE, content: 'You allowed this.\n' })
}

function writeOne(path: string): DemoAct {
  return call('write', { path, content: `A file of the demo: ${path}\n` })
}

/** Changes the note that was read. */
function change(read: DemoResult | undefined): DemoAct {
  const [from, to] = read?.text.includes('state is one') ? ['one', 'two'] : ['two', 'one']
  return call('edit', { path: NOTE, old_text: `state is ${from}`, new_text: `state is ${to}` })
}

/** What came back, in the tools' own words; they are quoted, for they are data. */
function report(results: readonly DemoResult[]): readonly DemoAct[] {
  const told = results.map(
    ({ tool, isError, text }) => `\`${tool}\` ${isError ? 'did not do it' : 'answered'}:\n\n${quoted(text)}`,
  )
  return [say(`This is a scripted demo; it does not read what tools say, it repeats it.\n\n${told.join('\n\n')}\n`)]
}

const QUOTED_LINES = 12
const QUOTED_CHARS = 200

function quoted(text: string): string {
  const lines = text.trimEnd().split('\n')
  const more = lines.length > QUOTED_LINES ? [`… and ${lines.length - QUOTED_LINES} more lines`] : []
  return [...lines.slice(0, QUOTED_LINES), ...more].map((line) => `    ${line.slice(0, QUOTED_CHARS)}`).join('\n')
}
