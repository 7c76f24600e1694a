import { CANVAS_SCENARIOS } from './canvas-scenarios.ts'
import { type DemoAct, type DemoScenario, say } from './demo-act.ts'
import { longReply, markdownTorture, paragraph } from './demo-texts.ts'
import { PREVIEW_SCENARIOS } from './preview-scenarios.ts'
import { TOOL_SCENARIOS } from './tool-scenarios.ts'

/** The window that the demo model is said to have, in tokens. */
export const DEMO_WINDOW_TOKENS = 200_000

/** How often `rate-limit` is refused before it is answered. */
const REFUSED_TIMES = 2

const ALL: readonly DemoScenario[] = [
  scenario('stream-long', 'a long reply at a reading pace', 60, [say(longReply(40))]),
  scenario('stream-fast', 'two thousand tokens a second', 2_000, [say(longReply(60))]),
  scenario('stream-slow', 'a reply that takes its time', 8, [say(longReply(3))]),
  scenario('thinking', 'thinking before the reply', 60, [
    { type: 'thinking', text: paragraph(1) + paragraph(2) },
    say('That was the thinking. This is the reply: three short sentences. It is a script.'),
  ]),
  ...TOOL_SCENARIOS,
  ...CANVAS_SCENARIOS,
  ...PREVIEW_SCENARIOS,
  scenario('cjk', 'Chinese, Japanese and Korean', 60, [
    say(
      '这是一个演示脚本,不是人工智能。\n\nこれはデモのスクリプトです。人工知能ではありません。\n\n이것은 데모 스크립트입니다.',
    ),
  ]),
  scenario('rtl', 'Arabic and Hebrew', 60, [say('هذا نص تجريبي مكتوب مسبقًا.\n\nזהו תסריט הדגמה, לא בינה מלאכותית.')]),
  scenario('markdown-torture', 'headings, code, tables, unfinished marks', 120, [say(markdownTorture())]),
  scenario('drop-mid-stream', 'a stream that breaks off', 60, [say(paragraph(1)), { type: 'break-off' }]),
  {
    ...scenario('stop-unconfirmed', 'a provider that does not confirm a stop; stop it, then force it', 20, [
      say(longReply(40)),
    ]),
    stopMs: 8_000,
  },
  { ...scenario('no-usage', 'a reply without figures', 60, [say(paragraph(3))]), reportsUsage: false },
  {
    ...scenario('fill-context', 'figures of a window that is full to so many percent: `/demo fill-context 80`', 60, [
      say('The figures of this reply are made up, so that the window looks as full as you said. Nothing else is.'),
    ]),
    inputTokensOf: (argument) => Math.round((DEMO_WINDOW_TOKENS * percentOf(argument)) / 100),
  },
  scenario('auth-error', 'a key that is refused', 60, [
    { type: 'fail', code: 'auth', message: 'The key is not valid (simulated).', status: 401, retryAfterMs: null },
  ]),
  scenario('too-long', 'a request over the window', 60, [
    {
      type: 'fail',
      code: 'too-long',
      message: 'The request is longer than the window (simulated).',
      status: 400,
      retryAfterMs: null,
    },
  ]),
  {
    ...scenario('rate-limit', 'a provider that is at its limit twice, and then answers', 60, []),
    acts: ({ refusedCount }) => (refusedCount < REFUSED_TIMES ? [RATE_LIMIT] : [say('Now there was room. ')]),
  },
  scenario('title-slow', 'a title that takes its time', 60, [say('The title of this conversation comes slowly.')]),
]

/** What somebody who is new here would see first. */
const USEFUL_FIRST: readonly string[] = [
  ...['stream-long', 'thinking', 'tools-ok', 'edit', 'review', 'permission', 'shell', 'preview', 'canvas-dashboard'],
  ...['schedule', 'sub-agent', 'remember', 'background', 'permission-x3', 'tools-parallel', 'canvas-all'],
]

/** All scenarios that there are, by the name after `/demo`: the most useful first, then the others as they stand. */
export const DEMO_SCENARIOS: readonly DemoScenario[] = ALL.toSorted((one, other) => rankOf(one) - rankOf(other))

function rankOf({ name }: DemoScenario): number {
  const at = USEFUL_FIRST.indexOf(name)
  return at < 0 ? USEFUL_FIRST.length : at
}

const RATE_LIMIT: DemoAct = {
  type: 'fail',
  code: 'rate-limit',
  message: 'Too many requests (simulated).',
  status: 429,
  retryAfterMs: 2_000,
}

/** What the model says to everything that is not a scenario. It never claims to understand. */
export function unmatched(words: string): DemoScenario {
  return words.startsWith('/demo') ? listed() : echoed(words)
}

/** The list of scenarios, for who asks for it. */
function listed(): DemoScenario {
  const list = DEMO_SCENARIOS.map(({ name, shows }) => `- \`/demo ${name}\` — ${shows}`).join('\n')
  return scenario('list', 'the list of scenarios', 600, [say(`This is what the script can show:\n\n${list}`)])
}

/** Words that the script has no part for: it says so, and where to go on. */
function echoed(words: string): DemoScenario {
  const quoted = words.trim() === '' ? '' : `You wrote:\n\n> ${beginningOf(words).replaceAll('\n', '\n> ')}\n\n`
  return scenario('unmatched', 'words that are no scenario', 120, [
    say(
      `${quoted}This is a scripted demo, not AI; connect a model to ask anything. To see something, write ` +
        '`/demo stream-long`, `/demo canvas-dashboard` or `/demo sub-agent`; `/demo` alone lists all there is.',
    ),
  ])
}

const QUOTED_CHARS = 200

function beginningOf(words: string): string {
  return words.length <= QUOTED_CHARS ? words : `${words.slice(0, QUOTED_CHARS).toWellFormed()}…`
}

function scenario(name: string, shows: string, tokensPerSecond: number, acts: readonly DemoAct[]): DemoScenario {
  return { name, shows, tokensPerSecond, reportsUsage: true, needs: [], acts: () => acts }
}

/** 80 where no percentage is said, or none that can be. */
function percentOf(argument: string): number {
  const percent = Number(argument.replace('%', ''))
  return argument !== '' && percent > 0 && percent <= 200 ? percent : 80
}
