import { expect, it } from 'vitest'
import { importInto, openImports } from './support/import-into.ts'

/** What strangers may have written to keep whoever imports it busy, made of so many pieces. */
const TEXTS: readonly (readonly [string, (pieces: number) => string])[] = [
  ['blanks before a word', (pieces) => `${' '.repeat(pieces)}x`],
  ['marks of every kind', (pieces) => `${'*_`~#>[](){}'.repeat(pieces / 10)}x`],
  ['addresses without an end', (pieces) => 'data:image/png;base64,'.repeat(pieces / 20)],
  ['open tags', (pieces) => '<thinking>'.repeat(pieces / 10)],
  ['lines', (pieces) => '> a\n'.repeat(pieces / 4)],
  ['characters written with a backslash', (pieces) => '\\"'.repeat(pieces / 2)],
]

const SOURCES: readonly (readonly [string, (text: string) => string])[] = [
  [
    'messages of a list',
    (text) => JSON.stringify({ messages: [{ role: 'user', content: text }], model: 'gpt-4o', title: text }),
  ],
  ['an answer of Aider', (text) => `\n# aider chat started at 2024-08-05 19:33:02\n\n#### Go on  \n\n${text}\n`],
  [
    'a line of Claude Code',
    (text) =>
      `${JSON.stringify({ type: 'user', uuid: 'u1', parentUuid: null, sessionId: 's1', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/', version: '2.0.0', message: { role: 'user', content: text } })}\n`,
  ],
]

const FEW = 20_000

/** The least processor time of several rounds of importing a source so many times, in milliseconds. */
async function timeOf(source: string, times: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3; round++) {
    const begun = process.threadCpuUsage()
    for (let time = 0; time < times; time++) await importInto(openImports(), source)
    const { user, system } = process.threadCpuUsage(begun)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}

it.each(SOURCES.flatMap(([source, write]) => TEXTS.map(([text, make]) => [source, text, write, make] as const)))(
  '[SEC28] %s with ten times as many %s is imported in at most twelve times the time',
  async (_source, _text, write, make) => {
    const few = write(make(FEW))
    expect((await importInto(openImports(), few)).report.conversations).toBe(1)
    const many = write(make(10 * FEW))
    // Other work on the machine takes from one of both: what is too slow is so each time.
    await expect
      .poll(async () => (await timeOf(many, 1)) - (1.2 * (await timeOf(few, 10)) + 10), {
        interval: 0,
        timeout: 20_000,
      })
      .toBeLessThan(0)
  },
)

/** A log of so many lines of 100,000 characters, as it is read from a disk. */
async function* longLines(count: number): AsyncGenerator<string> {
  const line = (index: number) =>
    `${JSON.stringify({ type: 'user', uuid: `u${index}`, parentUuid: index === 0 ? null : `u${index - 1}`, sessionId: 's1', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/', version: '2.0.0', message: { role: 'user', content: 'word '.repeat(20_000) } })}\n`
  const source = Array.from({ length: count }, (_, index) => line(index)).join('')
  for (let at = 0; at < source.length; at += 65_536) yield source.slice(at, at + 65_536)
}

it('[SEC28] a log of long lines goes into the store a megabyte or so at a time, from its first line on', async () => {
  const { events } = await importInto(openImports(), longLines(40))
  const sizes = events.flatMap((event) => (event.type === 'entries' ? [JSON.stringify(event.entries).length] : []))
  expect(sizes.length).toBeGreaterThanOrEqual(3)
  expect(Math.max(...sizes)).toBeLessThan(2_500_000)
})

it('[SEC28] ten times as long a first line is looked at in at most twelve times the time', async () => {
  const line = (characters: number) =>
    (async function* () {
      for (let at = 0; at < characters; at += 16_384) yield ' '.repeat(16_384)
      yield '{}\n'
    })()
  const timeOfLine = async (characters: number, times: number): Promise<number> => {
    let least = Number.POSITIVE_INFINITY
    for (let round = 0; round < 3; round++) {
      const begun = process.threadCpuUsage()
      for (let time = 0; time < times; time++) await importInto(openImports(), line(characters))
      const { user, system } = process.threadCpuUsage(begun)
      least = Math.min(least, (user + system) / 1_000)
    }
    return least
  }
  await timeOfLine(400_000, 1)
  await expect
    .poll(async () => (await timeOfLine(4_000_000, 1)) - (1.2 * (await timeOfLine(400_000, 10)) + 20), {
      interval: 0,
      timeout: 20_000,
    })
    .toBeLessThan(0)
}, 30_000)
