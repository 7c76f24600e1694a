import type { BlockStart, ProviderErrorCode } from '@holdfast/conversation'

/** One thing that the demo model does. Text is sent in pieces at the scenario's pace. */
export type DemoAct =
  | { readonly type: 'text' | 'thinking'; readonly text: string }
  | { readonly type: 'fail'; readonly code: ProviderErrorCode; readonly message: string; readonly status: number }
  /** The stream ends without the provider's own end. */
  | { readonly type: 'break-off' }

/** What the demo model answers to one command. */
export interface DemoScenario {
  readonly name: string
  /** What it shows, for the list of scenarios. */
  readonly shows: string
  /** Tokens a second; a token is a word with the space before it. */
  readonly tokensPerSecond: number
  readonly reportsUsage: boolean
  readonly acts: readonly DemoAct[]
}

/** The block that an act opens. */
export function blockOf(act: Extract<DemoAct, { text: string }>): BlockStart {
  return act.type === 'thinking' ? { type: 'thinking' } : { type: 'text' }
}

/** All scenarios that there are, by the name after `/demo`. */
export const DEMO_SCENARIOS: readonly DemoScenario[] = [
  scenario('stream-long', 'a long reply at a reading pace', 60, [say(longReply(40))]),
  scenario('stream-fast', 'two thousand tokens a second', 2_000, [say(longReply(60))]),
  scenario('stream-slow', 'a reply that takes its time', 8, [say(longReply(3))]),
  scenario('thinking', 'thinking before the reply', 60, [
    { type: 'thinking', text: paragraph(1) + paragraph(2) },
    say('That was the thinking. This is the reply: three short sentences. It is a script.'),
  ]),
  scenario('cjk', 'Chinese, Japanese and Korean', 60, [
    say(
      '这是一个演示脚本,不是人工智能。\n\nこれはデモのスクリプトです。人工知能ではありません。\n\n이것은 데모 스크립트입니다.',
    ),
  ]),
  scenario('rtl', 'Arabic and Hebrew', 60, [say('هذا نص تجريبي مكتوب مسبقًا.\n\nזהו תסריט הדגמה, לא בינה מלאכותית.')]),
  scenario('markdown-torture', 'headings, code, tables, unfinished marks', 120, [say(markdownTorture())]),
  scenario('drop-mid-stream', 'a stream that breaks off', 60, [say(paragraph(1)), { type: 'break-off' }]),
  { ...scenario('no-usage', 'a reply without figures', 60, [say(paragraph(3))]), reportsUsage: false },
  scenario('auth-error', 'a key that is refused', 60, [
    { type: 'fail', code: 'auth', message: 'The key is not valid (simulated).', status: 401 },
  ]),
  scenario('too-long', 'a request over the window', 60, [
    { type: 'fail', code: 'too-long', message: 'The request is longer than the window (simulated).', status: 400 },
  ]),
]

/** What the model says to everything that is not a scenario. It never claims to understand. */
export function unmatched(words: string): DemoScenario {
  const list = DEMO_SCENARIOS.map(({ name, shows }) => `/demo ${name} — ${shows}`).join('\n')
  const echo = words === '' ? '' : `You wrote:\n\n${words}\n\n`
  return scenario('unmatched', 'the list of scenarios', 120, [
    say(`${echo}This is a scripted demo; connect a model to ask anything. What the script can show:\n\n${list}`),
  ])
}

function scenario(name: string, shows: string, tokensPerSecond: number, acts: readonly DemoAct[]): DemoScenario {
  return { name, shows, tokensPerSecond, reportsUsage: true, acts }
}

function say(text: string): DemoAct {
  return { type: 'text', text }
}

/** Paragraphs that differ, with a heading, a code block and a table now and then. */
function longReply(paragraphs: number): string {
  const parts: string[] = []
  for (let number = 1; number <= paragraphs; number++) {
    if (number % 8 === 1) parts.push(`## Part ${Math.ceil(number / 8)}\n\n`)
    parts.push(paragraph(number))
    if (number % 8 === 4) parts.push('```ts\nconst kept = log.filter((entry) => entry.seq <= cursor)\n```\n\n')
    if (number % 8 === 6) parts.push('| what | count |\n| --- | ---: |\n| entries | 128 |\n| lost | 0 |\n\n')
  }
  return parts.join('')
}

function paragraph(number: number): string {
  const sentences = [
    'A holdfast is what anchors kelp to the rock.',
    'The blade moves with every wave, and the plant stays where it is.',
    'What has been written to the log stays there, whatever happens to the page.',
    'Close the tab, open it again: the same words stand in the same place.',
    'Press Stop and the reply ends at what you see.',
    'The server may be killed in the middle of this sentence.',
    'Nothing that was acknowledged is lost.',
  ]
  const first = number % sentences.length
  const order = [...sentences.slice(first), ...sentences.slice(0, first)]
  return `Paragraph ${number}. ${order.slice(0, 4).join(' ')}\n\n`
}

function markdownTorture(): string {
  return [
    '# Heading\n\n## Second\n\n',
    'Some *emphasis*, **strong**, `code`, ~~struck~~ and a [link](https://example.org/).\n\n',
    '1. one\n2. two\n   - nested\n   - list\n\n',
    '> a quote\n> of two lines\n\n',
    '```json\n{ "key": "value", "list": [1, 2, 3] }\n```\n\n',
    '| left | right |\n| :--- | ---: |\n| a | 1 |\n| b | 22 |\n\n',
    '<script>alert(1)</script> <img src=x onerror=alert(1)>\n\n',
    'An unfinished **strong and `code that never closes',
  ].join('')
}
