import type { EntryStore } from '@holdfast/conversation'
import { expect, onTestFinished, test } from 'vitest'
import { createOpenCommands } from '../src/live/open-commands.ts'
import { serve } from './support/serve.ts'
import { greet, type SocketClient } from './support/socket-client.ts'

/** A store whose disk does not answer for one conversation until it is let go. */
function holding() {
  const asked = Promise.withResolvers<void>()
  const letGo = Promise.withResolvers<void>()
  let held: string | null = null
  const throughStore = (store: EntryStore): EntryStore => ({
    ...store,
    async append(wanted) {
      const written = await store.append(wanted)
      if (wanted.conversationId === held) {
        asked.resolve()
        await letGo.promise
      }
      return written
    },
  })
  return {
    throughStore,
    hold: (conversationId: string) => {
      held = conversationId
    },
    asked: asked.promise,
    letGo: () => letGo.resolve(),
  }
}

async function open() {
  const disk = holding()
  const served = await serve({ webRoot: null, throughStore: disk.throughStore })
  onTestFinished(async () => {
    disk.letGo()
    await served.close()
  })
  const [held, free] = [await served.newConversation(), await served.newConversation()]
  disk.hold(held)
  return { disk, held, free, client: await greet(served) }
}

function title(client: SocketClient, conversationId: string, commandId: string): void {
  client.send({ type: 'command', name: 'change-conversation', commandId, conversationId, title: commandId })
}

const answersOf = (client: SocketClient): readonly string[] =>
  client.frames.flatMap((frame) =>
    frame.type === 'accepted' || frame.type === 'refused' ? [frame.commandId ?? ''] : [],
  )

test('[SYNC13] answers a command while another conversation’s waits for its disk, and those of one in their order', async () => {
  const { disk, held, free, client } = await open()
  title(client, held, 'held_1')
  await disk.asked
  title(client, held, 'held_2')
  client.send({ type: 'command', name: 'stop-run', commandId: 'held_3', conversationId: held })
  title(client, free, 'free_1')
  title(client, free, 'free_2')
  await client.next('accepted', ({ commandId }) => commandId === 'free_2')
  expect(answersOf(client)).toEqual(['free_1', 'free_2'])
  disk.letGo()
  expect((await client.next('refused')).problem.code).toBe('nothing-runs')
  expect(answersOf(client)).toEqual(['free_1', 'free_2', 'held_1', 'held_2', 'held_3'])
})

test('[SYNC13] answers all of more commands than a socket may have open, in their order', async () => {
  const { disk, held, free, client } = await open()
  const wanted = Array.from({ length: 100 }, (_, index) => `held_${index}`)
  for (const commandId of wanted) title(client, held, commandId)
  title(client, free, 'free_1')
  await disk.asked
  disk.letGo()
  await client.next('accepted', ({ commandId }) => commandId === 'held_99')
  await expect.poll(() => answersOf(client).length).toBe(101)
  expect(answersOf(client).filter((commandId) => commandId !== 'free_1')).toEqual(wanted)
})

test('[SYNC13] holds a reader back at 32 open commands of all its conversations, until one is answered', async () => {
  const told: string[] = []
  const commands = createOpenCommands({ pause: () => told.push('pause'), resume: () => told.push('resume') })
  const [first, second, rest] = [openWork(), openWork(), openWork()]
  commands.begin('c0', () => first.promise)
  commands.begin('c1', () => second.promise)
  for (let index = 2; index < 31; index += 1) commands.begin(`c${2 + (index % 8)}`, () => rest.promise)
  expect(told).toEqual([])
  commands.begin(null, () => rest.promise)
  expect(told).toEqual(['pause'])
  commands.begin('late', () => rest.promise)
  first.resolve()
  await settled()
  expect(told).toEqual(['pause'])
  second.resolve()
  await settled()
  expect(told).toEqual(['pause', 'resume'])
  rest.resolve()
  await settled()
  expect(told).toEqual(['pause', 'resume'])
})

const openWork = () => Promise.withResolvers<void>()

/** All that could go on by itself has gone on. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
