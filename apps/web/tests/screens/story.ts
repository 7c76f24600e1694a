import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  createStrictProvider,
  type Reply,
  type ReplyPart,
  STRICT_MODELS,
  type StrictProvider,
} from '@holdfast/conformance'

/** What the person of the story writes. */
export const ASKED = {
  first: 'The signup form accepts “a@b”. Find out why, and show me how the week went.',
  tables: 'Which fields are tested, and how well?',
  fix: 'Make the rule stricter.',
  queued: ['Also add a test for “a@b.c ”', 'Then update the docs'],
  explain: 'Explain the rule to somebody who has never seen it.',
} as const

const RULE = `const EMAIL = /@/

/** Whether the form takes an address. */
export function isEmail(value: string): boolean {
  return EMAIL.test(value)
}
`

const STRICTER = {
  path: 'src/signup.ts',
  old_text: 'const EMAIL = /@/',
  new_text: '// A local part, one @, a host with a dot.\nconst EMAIL = /^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$/',
}

/** A small project that agents may work in. */
export async function writeProject(folder: string): Promise<void> {
  await mkdir(join(folder, 'src'), { recursive: true })
  await writeFile(join(folder, 'src', 'signup.ts'), RULE)
  await writeFile(join(folder, 'signups.csv'), 'day,accepted,bounced\nMon,41,12\nTue,38,14\nWed,44,9\nThu,52,4\n')
}

/** A provider that plays the agent of the story. It checks requests as the vendor does, and has the vendor's models alone. */
export async function startAgent(): Promise<StrictProvider> {
  const provider = await createStrictProvider({ models: STRICT_MODELS.filter(({ id }) => id.startsWith('claude-')) })
  provider.otherwise(({ body }) => replyTo(JSON.stringify(body['messages']), JSON.stringify(body['system'] ?? '')))
  return provider
}

function replyTo(messages: string, system: string): Reply {
  const asks = `${system} ${messages}`
  if (asks.includes('<title-request>')) return { parts: [text('Fix the signup form')] }
  if (asks.includes('<summary-request>')) return { parts: [text(SUMMARY)] }
  if (messages.includes(ASKED.explain)) return { parts: [text(LONG)], deltasPerSecond: 4 }
  if (messages.includes(ASKED.fix)) return fixed(messages)
  if (messages.includes(ASKED.tables)) return { parts: [text(TABLE)] }
  if (!messages.includes('EMAIL.test')) {
    return {
      parts: [
        { type: 'thinking', text: 'The rule stands in src/signup.ts. I read it before I say anything about it.' },
        text('I read the rule and the numbers of the week first.'),
        call('read', { path: 'src/signup.ts' }),
        call('read', { path: 'signups.csv' }),
      ],
    }
  }
  if (!messages.includes('canvas_show_chart')) return drawn()
  return { parts: [text(CAUSE)], deltasPerSecond: 4 }
}

function fixed(messages: string): Reply {
  if (!messages.includes('A local part, one @')) {
    return { parts: [text('I change one line, and nothing else in the form.'), call('edit', STRICTER)] }
  }
  if (!messages.includes('sleep 30')) {
    return { parts: [text('Changed. Now the tests.'), call('shell', { command: 'echo "12 of 31 passed"; sleep 30' })] }
  }
  return { parts: [text('Done.')] }
}

function drawn(): Reply {
  return {
    parts: [
      text('The pattern asks for one **@** and nothing more. I put the week on the canvas.'),
      call('canvas_add_card', {
        title: 'Bounced this week',
        figure: '39',
        body: 'Mail to addresses without a host. Thursday is the day on which the new rule was tried.',
        tone: 'warning',
      }),
      call('canvas_show_chart', {
        title: 'Signups by day',
        kind: 'bar',
        labels: ['Mon', 'Tue', 'Wed', 'Thu'],
        series: [
          { name: 'Accepted', values: [41, 38, 44, 52] },
          { name: 'Bounced', values: [12, 14, 9, 4] },
        ],
      }),
      call('canvas_show_confirmation', {
        title: 'Use the stricter rule for everybody?',
        body: 'One line changes. The billing form is not touched.',
        choices: [
          { id: 'not-yet', label: 'Not yet' },
          { id: 'use', label: 'Use it', style: 'primary' },
        ],
      }),
    ],
  }
}

function text(words: string): ReplyPart {
  return { type: 'text', text: words }
}

function call(name: string, input: unknown): ReplyPart {
  return { type: 'tool-call', name, input }
}

const CAUSE = `## Why “a@b” passes

The pattern in \`src/signup.ts\` looks for an **@** anywhere, so every text that holds one is an address:

\`\`\`ts
const EMAIL = /@/
\`\`\`

Of 214 signups this week, 39 bounced. Nearly all of them have a host without a dot:

| day | accepted | bounced |
|---|---:|---:|
| Mon | 41 | 12 |
| Tue | 38 | 14 |
| Wed | 44 | 9 |
| Thu | 52 | 4 |

A rule that asks for a local part, one @ and a host with a dot would have stopped 36 of them, and nobody who signed up with success. It does not have to know every address that there is: what it lets through is still checked by the mail that we send.
`

const TABLE = `Two of five fields have no test at all:

| field | tests | coverage |
|---|---:|---:|
| Password | 6 | 100 % |
| E-mail | 5 | 96 % |
| Name | 3 | 92 % |
| Postcode | 0 | 0 % |
| Country | 0 | 0 % |
`

const LONG = `${CAUSE}\n## In plain words\n\n${'An address has a name, a sign between, and a place. The old rule looked for the sign alone. '.repeat(12)}`

const SUMMARY = `**Goal.** Stop the signup form from taking addresses without a host.

**Known.** The rule stands in \`src/signup.ts\` and asks for one @ only. 39 of 214 signups bounced this week.

**Decided.** A stricter pattern for the e-mail field; the billing form stays as it is.
`
