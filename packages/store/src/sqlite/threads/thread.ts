import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Damage, StoreReadError, StoreWriteError } from '@holdfast/conversation'
import { toError } from '../messages/failures.ts'
import type { SignaturesOf } from '../messages/operations.ts'
import type { OpenOrder, ThreadMessage, ThreadOptions } from '../messages/thread-messages.ts'

/** What answers calls by name. */
export interface Caller<Signatures extends SignaturesOf<Signatures>> {
  call<Name extends keyof Signatures & string>(
    name: Name,
    args: Signatures[Name]['args'],
  ): Promise<Signatures[Name]['result']>
}

/** A thread in which SQLite runs, so that nobody else ever waits for the disk. */
export interface Thread<Signatures extends SignaturesOf<Signatures>> extends Caller<Signatures> {
  /** Tells the thread to break off what it does. */
  abort(): void
  /** Refuses calls from now on. */
  shut(): void
  /** Lets it finish what it was asked, and ends it. */
  close(): Promise<void>
}

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** From sources the thread runs from sources too. */
const EXTENSION = extname(import.meta.url)
const EXEC_ARGV = EXTENSION === '.ts' ? ['--conditions=@holdfast/source'] : []

/** A thread that loads its program and has not been told to open its database yet. */
export interface LoadingThread<Signatures extends SignaturesOf<Signatures>> {
  /** @throws {StoreOpenError} when it cannot open it. */
  open(): Promise<Thread<Signatures>>
  /** Ends a thread that is not to be opened. */
  dismiss(): Promise<void>
}

/** Starts a thread. */
export function startThread<Signatures extends SignaturesOf<Signatures>>(
  options: ThreadOptions,
  onDamage: (damage: Damage) => void,
): LoadingThread<Signatures> {
  const worker = new Worker(new URL(`./worker${EXTENSION}`, import.meta.url), {
    workerData: options,
    // Rows live for a moment: a small nursery keeps a thread that pages through a long log small.
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
    execArgv: EXEC_ARGV,
  })
  const waiting = new Map<number, Waiting>()
  const started = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  // Whoever opens the thread meets the error; nobody else is to.
  started.promise.catch(() => undefined)
  let lastId = 0
  let gathered: unknown[] = []
  let isAtWork = false
  let isShut = false
  let closing = false
  let failure: Error | null = null

  const hear = (message: ThreadMessage): void => {
    switch (message.type) {
      case 'ready':
        started.resolve()
        return
      case 'not-opened':
        failure = toError(message.failure)
        return
      case 'answers':
        for (const answer of message.answers) {
          const call = waiting.get(answer.id)
          waiting.delete(answer.id)
          if (answer.type === 'answered') call?.resolve(answer.value)
          else call?.reject(toError(answer.failure))
        }
        if (message.isDone) {
          isAtWork = false
          sendGathered()
        }
        return
      case 'damage':
        onDamage(message.damage)
        return
      case 'closed':
        return
    }
  }
  worker.on('message', hear)
  worker.on('error', (error) => {
    failure = error instanceof Error ? error : new Error(String(error))
  })
  // Only now are its files closed and its locks free.
  worker.on('exit', () => {
    const error = failure ?? closedError(options)
    started.reject(error)
    for (const call of waiting.values()) call.reject(error)
    waiting.clear()
    isShut = true
    closing = true
    ended.resolve()
  })
  /**
   * One message is under way at a time. The first call is sent at once, with those that are made beside it; what is called
   * while the thread is at work goes together when it is done: one commit takes it all, and the thread is woken once.
   */
  const gather = (call: unknown): void => {
    gathered.push(call)
    if (gathered.length === 1 && !isAtWork) queueMicrotask(sendWhenFree)
  }
  const sendWhenFree = (): void => {
    if (!isAtWork) sendGathered()
  }
  const sendGathered = (): void => {
    if (gathered.length === 0) return
    worker.postMessage({ type: 'calls', calls: gathered })
    gathered = []
    isAtWork = true
  }
  const thread: Thread<Signatures> = {
    call(name, args) {
      if (isShut) return Promise.reject(failure ?? closedError(options))
      lastId += 1
      const id = lastId
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        gather({ id, name, args })
      })
    },
    abort() {
      sendGathered()
      worker.postMessage({ type: 'abort' })
    },
    shut() {
      isShut = true
    },
    close() {
      isShut = true
      sendGathered()
      if (!closing) worker.postMessage({ type: 'close' })
      closing = true
      return ended.promise
    },
  }
  return {
    async open() {
      const order: OpenOrder = { type: 'open' }
      worker.postMessage(order)
      await started.promise
      return thread
    },
    async dismiss() {
      await worker.terminate()
    },
  }
}

function closedError({ role, dataDir }: ThreadOptions): Error {
  const message = `The store in ${dataDir} is closed`
  return role === 'write' ? new StoreWriteError('closed', message) : new StoreReadError(message)
}
