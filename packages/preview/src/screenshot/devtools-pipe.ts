import { type ChildProcess, spawn } from 'node:child_process'
import { Readable, Writable } from 'node:stream'
import * as z from 'zod'

/** What a browser says by its pipe: answers to what was asked, and what happens in a page. */
const Message = z.object({
  id: z.number().optional(),
  sessionId: z.string().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
})

/** Something that happened in a page. */
export interface DevToolsEvent {
  readonly sessionId: string | null
  readonly method: string
  readonly params: unknown
}

/** A browser that is told what to do by a pipe: no port is open, and nobody else reaches it. */
export interface DevTools {
  readonly pid: number | null
  isOver(): boolean
  /** @throws when the browser refuses, or is gone. */
  ask(method: string, params: Readonly<Record<string, unknown>>, sessionId: string | null): Promise<unknown>
  /** @returns the end of it. */
  onEvent(listener: (event: DevToolsEvent) => void): () => void
  close(): Promise<void>
}

/** Starts a browser with a pipe of its developer tools, which it ends with. */
export function startBrowser({
  program,
  args,
  environment,
}: {
  readonly program: string
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}): DevTools {
  const child = spawn(program, ['--remote-debugging-pipe', ...args], {
    cwd: '/',
    env: { ...environment },
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const [, , , commands, answers] = child.stdio
  if (!(commands instanceof Writable && answers instanceof Readable)) throw new Error('The browser has no pipes')
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const listeners = new Set<(event: DevToolsEvent) => void>()
  let count = 0
  let isOver = false
  let held = ''

  function lose(): void {
    isOver = true
    for (const { reject } of waiting.values()) reject(new Error('The browser has ended'))
    waiting.clear()
  }

  function take(text: string): void {
    const { id, sessionId, method, params, result, error } = Message.parse(JSON.parse(text))
    if (id === undefined) {
      if (method !== undefined)
        for (const listener of listeners) listener({ sessionId: sessionId ?? null, method, params })
      return
    }
    const asked = waiting.get(id)
    waiting.delete(id)
    if (error) asked?.reject(new Error(`The browser refuses: ${error.message}`))
    else asked?.resolve(result)
  }

  child.once('error', lose)
  child.once('exit', lose)
  commands.on('error', lose)
  answers.on('error', lose)
  answers.setEncoding('utf8')
  answers.on('data', (text: string) => {
    const parts = (held + text).split('\0')
    held = parts.pop() ?? ''
    for (const part of parts) take(part)
  })

  return {
    pid: child.pid ?? null,
    isOver: () => isOver,
    ask(method, params, sessionId) {
      if (isOver) return Promise.reject(new Error('The browser has ended'))
      const id = ++count
      const asked = Promise.withResolvers<unknown>()
      waiting.set(id, asked)
      commands.write(`${JSON.stringify({ id, method, params, ...(sessionId === null ? {} : { sessionId }) })}\0`)
      return asked.promise
    },
    onEvent(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => ended(child),
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
  await exit
}
