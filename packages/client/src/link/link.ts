import type { Clock, Random } from '@holdfast/conversation'
import {
  CLOSE,
  type ClientFrame,
  PROTOCOL_VERSION,
  ProtocolError,
  parseServerFrame,
  type ServerFrame,
} from '@holdfast/protocol'
import { retryDelayMs } from './retry-delay.ts'
import type { Line, LineEnd, Transport } from './transport.ts'

/** Whether the server is reached. */
export type LinkState =
  | { readonly type: 'connecting'; readonly attempt: number }
  | { readonly type: 'live'; readonly serverId: string; readonly userId: string }
  /** The next attempt starts at `retryAt`, in milliseconds since the Unix epoch. */
  | { readonly type: 'waiting'; readonly attempt: number; readonly retryAt: number }
  /** Trying again does not help: load the page again, or sign in. */
  | { readonly type: 'ended'; readonly reason: 'other-protocol' | 'unauthorized' | 'protocol-error' | 'closed' }

/** The one connection of a client, made anew for as long as that can help. */
export interface Link {
  getState(): LinkState
  /** Sends a frame when the server is reached; what is lost is asked for again after the next welcome. */
  send(frame: ClientFrame): void
  /** Tries at once instead of waiting. A line that seems to be there is asked whether it is, with less patience. */
  retryNow(): void
  close(): void
}

/** A frame of a later version that was passed over. */
export interface PassedOver {
  readonly type: string
  /** How many were passed over so far, this one included. */
  readonly count: number
}

/** What a link needs. */
export interface LinkDeps {
  readonly transport: Transport
  readonly clock: Clock
  readonly random: Random
  /** Names the tab. */
  readonly clientId: string
  onState(state: LinkState): void
  onFrame(frame: ServerFrame): void
  /** Called when the server ended the line for what was sent on it: that is not to be sent again. [SYNC8] */
  onLineRefused(): void
  /** Called for each frame of a kind that this version does not know, with the number of all so far. [SYNC9] */
  onPassedOver(passed: PassedOver): void
  /** Called at every heartbeat of a live link. */
  onBeat(): void
}

/** How often the server is asked whether it is there, and how long it may take to answer. In milliseconds. */
const BEAT_MS = 15_000
const PONG_MS = 10_000

/** How long the answer may take where there is a reason to ask, such as a machine that woke up. In milliseconds. */
const PROBE_MS = 2_500

/** The server may end so many lines one after the other for what was sent on them; after the last there is no other. */
const MOST_REFUSED_LINES = 3

/** How long one attempt may take, in milliseconds. */
const OPEN_MS = 10_000

/** Keeps a connection. */
export function createLink(deps: LinkDeps): Link {
  const { transport, clock, random } = deps
  let state: LinkState = { type: 'connecting', attempt: 1 }
  let line: Line | null = null
  let passedOver = 0
  let cancelTimer = () => {}
  let refusedLines = 0
  open(1)

  function setState(next: LinkState): void {
    state = next
    deps.onState(next)
  }

  /** Events of a line that was given up change nothing. */
  function open(attempt: number): void {
    setState({ type: 'connecting', attempt })
    let given = false
    const own: Line = transport.open({
      onOpen() {
        if (!given) own.send(JSON.stringify({ type: 'hello', protocol: PROTOCOL_VERSION, clientId: deps.clientId }))
      },
      onText(text) {
        if (!given) onText(text)
      },
      onClose(lineEnd) {
        if (!given) onEnd(lineEnd)
      },
    })
    line = {
      send: (text) => own.send(text),
      close() {
        given = true
        own.close()
      },
    }
    cancelTimer = clock.after(OPEN_MS, () => retryLater(attempt))
  }

  function onText(text: string): void {
    try {
      const frame = parseServerFrame(text)
      if ('unknownType' in frame) passOver(frame.unknownType)
      else onFrame(frame)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      end('protocol-error')
    }
  }

  function passOver(type: string): void {
    passedOver += 1
    deps.onPassedOver({ type, count: passedOver })
  }

  function onFrame(frame: ServerFrame): void {
    switch (frame.type) {
      case 'welcome':
        cancelTimer()
        setState({ type: 'live', serverId: frame.serverId, userId: frame.userId })
        beat()
        return
      case 'goodbye':
        if (frame.code === CLOSE.otherProtocol.code) end('other-protocol')
        else if (frame.code === CLOSE.notAllowed.code) end('unauthorized')
        else if (!frame.retry) onRefused()
        else retryLater(0)
        return
      case 'pong':
        refusedLines = 0
        beat()
        return
      case 'accepted':
      case 'refused':
      case 'overview':
      case 'progress':
      case 'erased':
      case 'write-failed':
      case 'entries':
      case 'draft':
      case 'delta':
      case 'caught-up':
      case 'conversations':
      case 'composer':
      case 'terminal-open':
      case 'terminal-output':
      case 'terminal-resize':
      case 'terminal-close':
        if (state.type === 'live') deps.onFrame(frame)
        return
    }
  }

  function onRefused(): void {
    deps.onLineRefused()
    refusedLines += 1
    if (refusedLines < MOST_REFUSED_LINES) retryLater(refusedLines)
    else end('protocol-error')
  }

  /**
   * Asks in a while, and gives the line up when no answer comes. A tab in the background runs its timers
   * late; that delays the question, and never counts as a missing answer.
   */
  function beat(): void {
    cancelTimer()
    cancelTimer = clock.after(BEAT_MS, () => probe(PONG_MS))
  }

  function probe(patienceMs: number): void {
    cancelTimer()
    send({ type: 'ping' })
    deps.onBeat()
    cancelTimer = clock.after(patienceMs, () => retryLater(0))
  }

  function onEnd({ code, unauthorized }: LineEnd): void {
    if (unauthorized || code === CLOSE.notAllowed.status) end('unauthorized')
    else if (code === CLOSE.otherProtocol.status) end('other-protocol')
    else retryLater(state.type === 'connecting' ? state.attempt : 0)
  }

  function retryLater(attempts: number): void {
    hangUp()
    const delayMs = retryDelayMs(attempts, random)
    setState({ type: 'waiting', attempt: attempts + 1, retryAt: clock.now() + delayMs })
    cancelTimer = clock.after(delayMs, () => open(attempts + 1))
  }

  function end(reason: Extract<LinkState, { type: 'ended' }>['reason']): void {
    hangUp()
    setState({ type: 'ended', reason })
  }

  function hangUp(): void {
    cancelTimer()
    line?.close()
    line = null
  }

  function send(frame: ClientFrame): void {
    if (state.type === 'live') line?.send(JSON.stringify(frame))
  }

  return {
    getState: () => state,
    send,
    retryNow() {
      if (state.type === 'live') probe(PROBE_MS)
      if (state.type === 'ended' && state.reason === 'protocol-error') open(1)
      if (state.type !== 'waiting') return
      cancelTimer()
      open(state.attempt)
    },
    close: () => end('closed'),
  }
}
