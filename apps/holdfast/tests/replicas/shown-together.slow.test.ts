import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@holdfast/client'
import type { UIMessage } from 'ai'
import { chromium, type Page } from 'playwright-core'
import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { freePort } from '../support/free-port.ts'
import { createChat } from '../support/plain-chat.ts'
import { startPostgres } from '../support/postgres.ts'
import { type Program, startProgram } from '../support/program.ts'
import { prepareRedis } from '../support/redis.ts'
import { startRoundRobin } from '../support/round-robin.ts'
import { runCommand } from '../support/run-command.ts'

const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
}, 60_000)

const Created = z.object({ id: z.string() })
const Items = z.object({
  items: z.array(z.looseObject({ role: z.string(), parts: z.array(z.looseObject({ type: z.string() })).optional() })),
})
const Replicas = z.object({
  replicas: z.array(z.object({ url: z.string().nullable(), conversationIds: z.array(z.string()) })),
})

test('[SCALE3, SYNC1] three replicas behind a balancer: useChat, the page, a terminal and an OpenAI client see the same end when the owner is killed in mid-sentence', async () => {
  const postgres = await startPostgres()
  closing.push(postgres.stop)
  const redis = await prepareRedis(null)
  await redis.start()
  closing.push(redis.stop)
  const port = await freePort()
  const token = randomBytes(32).toString('base64url')
  const variables = {
    HOLDFAST_DATABASE_URL: postgres.url,
    HOLDFAST_REDIS_URL: redis.url,
    HOLDFAST_SECRET_KEY: randomBytes(32).toString('base64url'),
  }
  const replicas: { readonly program: Program; readonly dataDir: string }[] = []
  for (let count = 0; count < 3; count += 1) {
    const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-shown-'))
    closing.push(() => rm(dataDir, { recursive: true, force: true }))
    await writeFile(join(dataDir, 'start-up-token'), `${token}\n`, { mode: 0o600 })
    const program = await startProgram(dataDir, variables, ['--allowed-host', `127.0.0.1:${port}`])
    closing.push(program.stop)
    replicas.push({ program, dataDir })
  }
  const balancer = await startRoundRobin(
    port,
    replicas.map(({ program }) => program.url),
  )
  closing.push(balancer.stop)

  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const ask = async (path: string, body: unknown): Promise<unknown> => {
    const answer = await fetch(`${balancer.url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return answer.json()
  }
  const { id } = Created.parse(await ask('/conversations', { commandId: 'shown', modelId: 'demo' }))
  const page = createClient({ url: balancer.url, token })
  closing.push(async () => page.close())
  const store = page.conversation(id)
  store.subscribe(() => {})

  const tab = await openTab(`${balancer.url}/?token=${token}`)
  await tab.goto(`${balancer.url}/c/${id}`)

  // useChat asks; the page, another client of its kind and a terminal follow.
  const chat = createChat({ url: balancer.url, token, id })
  const broken = chat.sendMessage({ text: '/demo stream-long' })
  const words = () => store.getSnapshot().draft?.blocks[0]?.text ?? ''
  await expect.poll(() => words().length, { timeout: 20_000 }).toBeGreaterThan(500)
  await tab.getByText('Paragraph 1.').first().waitFor()
  const any = replicas[0]?.program
  if (!any) throw new Error('There are three')
  const owner = await vi.waitFor(async () => {
    const listed = Replicas.parse(await any.call('GET', '/replicas?conversations=100')).replicas
    const holder = listed.find(({ conversationIds }) => conversationIds.includes(id))
    const found = replicas.find(({ program }) => program.url === holder?.url)
    if (!found) throw new Error('Nobody has it')
    return found
  })
  const [left, other] = replicas.filter((replica) => replica !== owner)
  if (!left || !other) throw new Error('Two are left')
  const terminal = runCommand(['follow', id, '--all', '--data-dir', left.dataDir])
  closing.push(async () => {
    terminal.child.kill('SIGINT')
    await terminal.ended
  })
  await terminal.printed('Paragraph 1.')
  await owner.program.kill()
  await broken
  await expect.poll(() => store.getSnapshot().draft, { timeout: 20_000 }).toBeNull()

  // An OpenAI client goes on in the same conversation, and useChat asks again what became of it.
  const told = await vi.waitFor(
    async () => {
      const answer = await fetch(`${balancer.url}/api/v1/interop/openai/v1/chat/completions`, {
        method: 'POST',
        headers,
        body: JSON.stringify({
          model: 'demo',
          messages: [{ role: 'user', content: 'hello from OpenAI' }],
          metadata: { conversation_id: id },
        }),
      })
      expect(answer.status).toBe(200)
      return Completion.parse(await answer.json()).choices[0]?.message.content ?? ''
    },
    { timeout: 20_000, interval: 200 },
  )
  expect(told.length).toBeGreaterThan(10)

  const textsAt = async ({ program }: { readonly program: Program }) =>
    Items.parse(await program.call('GET', `/conversations/${id}/transcript`)).items.flatMap(textOfItem)
  const texts = await textsAt(left)
  expect(await textsAt(other)).toEqual(texts)
  expect(texts).toHaveLength(4)
  expect(texts[3]).toBe(told)
  const cut = texts[1] ?? ''
  expect(cut.length).toBeGreaterThan(300)
  await expect.poll(() => store.getSnapshot().window.items.flatMap(textOfItem), { timeout: 20_000 }).toEqual(texts)
  for (const text of [told, cut]) await tab.getByText(lastWordsOf(text)).first().waitFor()
  await expect.poll(() => terminal.stdout(), { timeout: 20_000 }).toBe(`${cut}\n${told}\n`)
  const streamed = textOf(chat.messages.at(-1))
  // What was on its way when the owner was lost is shown, and not kept: at most a quarter of a second of it.
  expect(streamed.startsWith(cut.slice(0, 300))).toBe(true)
}, 180_000)

/** How the last paragraph begins, as it stands in the page. */
function lastWordsOf(text: string): string {
  const last = text.split('\n').findLast((line) => line.trim() !== '')
  return last?.slice(0, 30) ?? ''
}

/** The page in a browser of its own, signed in. */
async function openTab(link: string): Promise<Page> {
  const executablePath = process.env['HOLDFAST_CHROMIUM'] ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  closing.push(() => browser.close())
  const tab = await browser.newPage()
  tab.setDefaultTimeout(40_000)
  await tab.goto(link)
  await tab.getByTestId('composer-input').waitFor()
  return tab
}

const Completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })) })

function textOfItem({
  role,
  parts = [],
}: {
  readonly role: string
  readonly parts?: readonly unknown[] | undefined
}): string[] {
  if (role !== 'user' && role !== 'assistant') return []
  return [
    z
      .array(z.looseObject({ type: z.string(), text: z.string().optional() }))
      .parse(parts)
      .flatMap((part) => (part.type === 'text' ? [part.text ?? ''] : []))
      .join('\n'),
  ]
}

const textOf = (message: UIMessage | undefined): string =>
  message?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? ''
