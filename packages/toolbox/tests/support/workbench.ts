import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { BlobReference, Json } from '@holdfast/conversation'
import { type CallEffect, type CallResult, DEFAULT_LIMITS, type FileChange, runCall, type Tool } from '@holdfast/tool'
import {
  type BuiltInTools,
  createWorkspaceTools,
  type FileChangePorts,
  type FolderWatch,
  type Machine,
  openWorkspace,
  usualBounds,
  type Workspace,
  type WorkspaceOptions,
} from '@holdfast/toolbox'
import { systemClock } from './system-clock.ts'

/** A workspace on a real disk with a secret beside it, and the tools of one conversation. */
export interface Workbench {
  readonly workspace: Workspace
  readonly root: string
  /** A folder outside, with `secret.txt` in it. */
  readonly outside: string
  /** For restoring: what is changed through them is among the changes. */
  readonly ports: FileChangePorts
  readonly changes: FileChange[]
  readonly blobs: Map<string, Uint8Array>
  readonly own: BuiltInTools
  tool(name: string): Tool
  /** Runs one call of a tool, whose changes are among the changes then. */
  run(tool: Tool, input: Json, signal?: AbortSignal): Promise<CallResult>
  /** Runs one call as the engine does. */
  call(name: string, input: Json, signal?: AbortSignal): Promise<CallResult>
  /** The text of a call, with its outcome before it. */
  say(name: string, input: Json): Promise<string>
  /** Writes a file by the test's own hand. */
  put(path: string, content: string | Uint8Array): string
  close(): Promise<void>
}

export const SECRET = 'CANARY-7b1f0c'

export const PLAIN_MACHINE: Machine = {
  environment: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/nonexistent', LANG: 'C.UTF-8' },
  sandbox: { type: 'none', reason: 'this test uses none' },
  owner: 'tests',
  register: null,
  bounds: usualBounds(),
  bash: '/bin/bash',
  ripgrep: null,
}

/** How a workspace is opened, and who watches it. */
export interface WorkbenchOptions extends Omit<WorkspaceOptions, 'root' | 'closed'> {
  /** Below the folder that holds the workspace. */
  readonly closed?: readonly string[]
  readonly machine?: Machine
  readonly watch?: FolderWatch
  readonly conversationId?: string
}

export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const { machine = PLAIN_MACHINE, watch, closed = [], conversationId, ...rest } = options
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'workbench-')))
  const root = join(base, 'work')
  const outside = join(base, 'outside')
  mkdirSync(root)
  mkdirSync(outside)
  // A sibling whose name begins like that of the workspace.
  mkdirSync(join(base, 'work-evil'))
  for (const folder of [outside, join(base, 'work-evil')]) writeFileSync(join(folder, 'secret.txt'), SECRET)
  const workspace = openWorkspace({ root, closed: closed.map((path) => join(base, path)), ...rest })
  const changes: FileChange[] = []
  const blobs = new Map<string, Uint8Array>()
  const ports: FileChangePorts = {
    blobSink: { keep: (content, { mediaType }) => keepBlob(blobs, content, mediaType) },
    onChanged(all) {
      changes.push(...all)
    },
  }
  const named = conversationId === undefined ? {} : { conversationId }
  const watching = watch === undefined ? {} : { watch, ...named }
  const own = createWorkspaceTools({ workspace, machine, blobSink: ports.blobSink, ...watching }, systemClock)
  const bench: Workbench = {
    workspace,
    root,
    outside,
    ports,
    changes,
    blobs,
    own,
    tool(name) {
      const tool = own.tools.find(({ definition }) => definition.name === name)
      if (!tool) throw new Error(`No tool ${name}`)
      return tool
    },
    async run(tool, input, signal) {
      const result = await callTool(tool, input, { signal })
      changes.push(...changesOf(result.effects))
      return result
    },
    call: (name, input, signal) => bench.run(bench.tool(name), input, signal),
    async say(name, input) {
      const result = await bench.call(name, input)
      return `${result.outcome}: ${textOf(result)}`
    },
    put(path, content) {
      const whole = join(root, path)
      mkdirSync(dirname(whole), { recursive: true })
      writeFileSync(whole, content)
      return whole
    },
    async close() {
      await own.close()
      rmSync(base, { recursive: true, force: true })
    },
  }
  return bench
}

interface CallOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: (message: string) => void
}

/** The changes of files among what a call reported. */
export function changesOf(effects: readonly CallEffect[]): readonly FileChange[] {
  return effects.flatMap((effect) => (effect.type === 'files-changed' ? effect.changes : []))
}

/** Runs one call of a tool, without a time limit below its own. */
export function callTool(tool: Tool, input: Json, { signal, onProgress }: CallOptions = {}): Promise<CallResult> {
  return runCall({
    tool,
    call: { callId: 'call_1', name: tool.definition.name, input },
    limits: { ...DEFAULT_LIMITS, graceMs: 5_000 },
    clock: systemClock,
    signal: signal ?? new AbortController().signal,
    onLate: () => {},
    onLateEffect: () => {},
    blobSink: { keep: (content, { mediaType }) => keepBlob(new Map(), content, mediaType) },
    ...(onProgress ? { onProgress } : {}),
  })
}

export function textOf({ content }: CallResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.blob.mediaType}]`)).join('\n')
}

/** Keeps bytes in a map by their hash. */
export async function keepBlob(
  blobs: Map<string, Uint8Array>,
  content: AsyncIterable<Uint8Array>,
  mediaType: string,
): Promise<BlobReference> {
  const pieces: Uint8Array[] = []
  for await (const piece of content) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  const hash = createHash('sha256').update(bytes).digest('hex')
  blobs.set(hash, bytes)
  return { hash, sizeBytes: bytes.byteLength, mediaType }
}
