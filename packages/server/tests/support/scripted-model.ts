import type { ModelPart, ModelPort, ModelRequest } from '@holdfast/provider'

/** A model that says what the test tells it to, when the test tells it to. */
export interface ScriptedModel {
  readonly port: ModelPort
  /** What it was asked, oldest first. */
  readonly requests: readonly ModelRequest[]
  /** Resolves when the model has been asked once more. */
  asked(): Promise<void>
  /** Says this in the open text block, opening it first when it is not. */
  say(text: string): void
  /** Ends the answer with a call. */
  call(name: string, input: Readonly<Record<string, unknown>>): void
  /** Ends the answer. */
  end(): void
}

/** Makes a scripted model. What is said before it is asked waits. */
export function createScriptedModel(): ScriptedModel {
  const requests: ModelRequest[] = []
  let parts: ModelPart[] = []
  let isOpen = false
  let wake = () => {}
  let unseen = 0
  let calls = 0
  let onAsked = () => {}

  function push(part: ModelPart): void {
    parts.push(part)
    wake()
  }

  return {
    requests,
    port: {
      providerId: 'scripted',
      async stream(request, { signal, onPart }) {
        requests.push(request)
        unseen += 1
        onAsked()
        for (;;) {
          const part = signal.aborted ? undefined : parts.shift()
          if (part) {
            await onPart(part)
            if (part.type === 'finish') return
            continue
          }
          if (signal.aborted) return
          await new Promise<void>((resolve) => {
            wake = resolve
            signal.addEventListener('abort', () => resolve(), { once: true })
          })
          if (signal.aborted) {
            parts = []
            isOpen = false
            return
          }
        }
      },
    },
    async asked() {
      if (unseen === 0) await new Promise<void>((resolve) => (onAsked = resolve))
      onAsked = () => {}
      unseen -= 1
    },
    say(text) {
      if (!isOpen) push({ type: 'block-started', block: 0, start: { type: 'text' } })
      isOpen = true
      push({ type: 'block-delta', block: 0, text })
    },
    call(name, input) {
      const callId = `call_${++calls}`
      push({ type: 'block-started', block: 0, start: { type: 'tool-call', callId, name } })
      push({ type: 'block-delta', block: 0, text: JSON.stringify(input) })
      push({ type: 'block-ended', block: 0 })
      push({ type: 'finish', finish: 'tool-calls' })
    },
    end() {
      if (isOpen) push({ type: 'block-ended', block: 0 })
      isOpen = false
      push({ type: 'finish', finish: 'end' })
    },
  }
}
