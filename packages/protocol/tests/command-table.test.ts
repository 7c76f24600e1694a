import { expect, test } from 'vitest'
import { CommandFrame, commandRoutes, commands } from '../src/commands/command-table.ts'
import type { Route } from '../src/parts/route.ts'
import { routes } from '../src/routes/routes.ts'

/** Routes below a conversation, or about rules for calls, that write and are no command, each with its reason. */
const NO_COMMANDS: Readonly<Record<string, string>> = {
  readNextRequest: 'asks by words, and changes nothing',
  priceNext: 'asks by words, and changes nothing',
  tryPermissionRule: 'asks by words, and changes nothing',
  tryConversationRule: 'asks by words, and changes nothing',
  stopChatOfAiSdk: 'is stop-run, as a foreign client asks for it',
  chooseTools: 'is change-settings, answered with the tools',
  writeComposer: 'is about the desk of a person and not about the log',
  appendToComposer: 'is about the desk of a person and not about the log',
  makeWorktree: 'changes the disk; its record keeps what was answered, and the setting is an entry',
  finishWorktree: 'changes the disk; its record keeps what was answered',
  endProcess: 'ends a process of the machine; the log says so when its end is seen',
  markRead: 'is about the desk of a person and not about the log',
}

const WRITING = Object.entries<Route>(routes).filter(
  ([, { method, access, path }]) => method !== 'GET' && (access === 'owner' || path.startsWith('/permission-rules')),
)

test('[ARCH22] what changes a conversation or the rules of a person is a row of the table', () => {
  const others = WRITING.map(([name]) => name).filter((name) => !Object.hasOwn(commandRoutes, name))
  expect(others.toSorted()).toEqual(Object.keys(NO_COMMANDS).toSorted())
})

test('[ARCH22] a socket takes the frames of the rows that say so, and no others', () => {
  const taken = Object.values(commands).filter(({ onSocket }) => onSocket)
  const named = CommandFrame.options.map(({ shape }) => shape.name.value)
  expect(named.toSorted()).toEqual(taken.map(({ frame }) => frame.shape.name.value).toSorted())
  const erasure = { type: 'command', name: 'erase-entries', conversationId: 'c', seqs: [1], reason: 'asked for' }
  expect(CommandFrame.safeParse(erasure).success).toBe(false)
})

test('[ARCH22] a change that names no change is refused on every way', () => {
  const change = { commandId: 'x' }
  const frame = { type: 'command', name: 'change-conversation', conversationId: 'c' }
  const refused = { error: { issues: [{ message: expect.stringContaining('asks for nothing') }] } }
  expect(CommandFrame.safeParse({ ...frame, ...change })).toMatchObject(refused)
  expect(commandRoutes.changeConversation.body.safeParse(change)).toMatchObject(refused)
  expect(CommandFrame.safeParse({ ...frame, ...change, title: 'A title' }).success).toBe(true)
})
