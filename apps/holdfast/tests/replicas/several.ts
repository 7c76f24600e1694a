import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Audit, startAudit } from '@holdfast/store/testing'
import pg from 'pg'
import * as z from 'zod'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { type Program, startProgram } from '../support/program.ts'

/** Servers on one database, each under a role of its own. */
export interface Several {
  readonly audit: Audit
  /** Starts another one, with further variables. */
  start(more: Readonly<Record<string, string>>): Promise<RunningReplica>
  /** Ends them all, and the database. */
  stop(): Promise<void>
}

/** A server and the role under which the database knows it. */
export interface RunningReplica {
  readonly role: string
  readonly program: Program
  /** Its data folder, and its environment. */
  readonly dataDir: string
  readonly variables: Readonly<Record<string, string>>
}

/** Starts a database of its own; the first server, with further variables, makes its schema, and from then on who writes is written down. */
export async function startSeveral(
  ofFirst: Readonly<Record<string, string>>,
): Promise<Several & { readonly first: RunningReplica }> {
  const postgres: Postgres = await startPostgres()
  const secret = randomBytes(32).toString('base64url')
  const folders: string[] = []
  const running: Program[] = []

  async function start(more: Readonly<Record<string, string>>): Promise<RunningReplica> {
    const role = `replica_${folders.length + 1}`
    await asHoldfast(`CREATE ROLE ${role} SUPERUSER LOGIN`)
    const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-replica-'))
    folders.push(dataDir)
    const url = postgres.url.replace('holdfast@', `${role}@`)
    const variables = { HOLDFAST_DATABASE_URL: url, HOLDFAST_SECRET_KEY: secret, ...more }
    const program = await startProgram(dataDir, variables)
    running.push(program)
    return { role, program, dataDir, variables }
  }

  async function asHoldfast(text: string): Promise<void> {
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    try {
      await client.query(text)
    } finally {
      await client.end()
    }
  }

  const first = await start(ofFirst)
  const audit = await startAudit(postgres.url)
  return {
    first,
    audit,
    start,
    async stop() {
      for (const program of running) await program.kill()
      await audit.close()
      await postgres.stop()
      for (const folder of folders) await rm(folder, { recursive: true, force: true })
    },
  }
}

const Entries = z.object({
  entries: z.array(
    z.looseObject({
      seq: z.int(),
      type: z.string(),
      blocks: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).optional(),
    }),
  ),
})

/** The log of a conversation as a server gives it. */
export async function logAt({ program }: RunningReplica, id: string) {
  return Entries.parse(await program.call('GET', `/conversations/${id}/entries?after=0&limit=500`)).entries
}

let commandCount = 0

/** An id that no other command of the run has. */
export function commandId(): string {
  commandCount += 1
  return `command_${commandCount}`
}

/** Makes a conversation at a server and has it say something long. @returns the conversation, and the place of the message. */
export async function beginLong(replica: RunningReplica): Promise<{ readonly id: string; readonly seq: number }> {
  const made = await replica.program.call('POST', '/conversations', { commandId: commandId(), modelId: 'demo' })
  const { id } = z.object({ id: z.string() }).parse(made)
  return { id, seq: await send(replica, id, '/demo stream-long') }
}

/** Sends a message. @returns the place at which it was acknowledged. */
export async function send({ program }: RunningReplica, id: string, text: string): Promise<number> {
  const content = [{ type: 'text', text }]
  const sent = await program.call('POST', `/conversations/${id}/inputs`, { commandId: commandId(), content })
  return z.object({ seq: z.int() }).parse(sent).seq
}

/** What somebody heard who followed a conversation. */
export interface Heard {
  /** The text of the answer so far. */
  readonly text: () => string
  /** How many entries of a type have come. */
  readonly count: (type: string) => number
}

/** Follows a conversation at a server until that ends the line. */
export async function follow({ program }: RunningReplica, id: string): Promise<Heard> {
  const answer = await fetch(`${program.url}/api/v1/conversations/${id}/entries?after=0&live=sse`, {
    headers: { authorization: `Bearer ${program.token}` },
  })
  let heard = ''
  let text = ''
  let unread = ''
  const take = (line: string): void => {
    const delta = line.startsWith('data: ') ? Delta.safeParse(JSON.parse(line.slice(6))) : null
    if (delta?.success) text += delta.data.text
  }
  const reading = answer.body?.pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({
      write(piece) {
        heard += piece
        const lines = `${unread}${piece}`.split('\n')
        unread = lines.pop() ?? ''
        for (const line of lines) take(line)
      },
    }),
  )
  // A server that is killed ends the line in the middle.
  reading?.catch(() => {})
  return { text: () => text, count: (type) => heard.split(`"type":"${type}"`).length - 1 }
}

const Delta = z.object({ block: z.int(), offset: z.int(), text: z.string() })
