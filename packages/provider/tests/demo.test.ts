import type { AnswerBlock } from '@holdfast/conversation'
import { type ModelPort, type ModelRequest, noBlobs, type RequestMessage } from '@holdfast/provider'
import { createDemoModel, DEMO_SCENARIOS, DEMO_WINDOW_TOKENS } from '@holdfast/provider/demo'
import { type CollectedAnswer, collectParts, noAbort, PLAIN_REQUEST, readAll } from '@holdfast/provider/testing'
import { describe, expect, it } from 'vitest'
import { countingIds } from './support/adapters.ts'

/** A clock on which every wait is over at once. */
const CLOCK = {
  now: () => 0,
  monotonicMs: () => 0,
  after(_delayMs: number, run: () => void) {
    queueMicrotask(run)
    return () => {}
  },
}

function demo(): ModelPort {
  return createDemoModel({ clock: CLOCK, ids: countingIds() })
}

function offering(names: readonly string[], ...messages: readonly RequestMessage[]): ModelRequest {
  const tools = names.map((name) => ({ name, description: name, parameters: { type: 'object' } }))
  return { ...PLAIN_REQUEST, tools, messages }
}

function says(...texts: readonly string[]): RequestMessage {
  return { role: 'user', parts: texts.map((text) => ({ type: 'text', text })) }
}

async function answer(model: ModelPort, request: ModelRequest) {
  const { parts, error } = await readAll((onPart) =>
    model.stream(request, { signal: noAbort(), blobs: noBlobs, onPart }),
  )
  const usage = parts.findLast((part) => part.type === 'usage')
  return { ...collectParts(parts), error, inputTokens: usage?.type === 'usage' ? usage.usage.inputTokens : null }
}

function wordsOf({ blocks }: CollectedAnswer): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')
}

function callsOf(blocks: readonly AnswerBlock[]) {
  return blocks.filter((block) => block.type === 'tool-call')
}

/** The next request: the answer, and what each of its calls came to. */
function after(request: ModelRequest, { blocks }: CollectedAnswer, text: string, isError = false): ModelRequest {
  const results = callsOf(blocks).map(
    ({ callId }): RequestMessage => ({ role: 'tool', callId, isError, content: [{ type: 'text', text }] }),
  )
  return { ...request, messages: [...request.messages, { role: 'assistant', blocks }, ...results] }
}

describe('the demo model', () => {
  it.each(DEMO_SCENARIOS.filter(({ needs }) => needs.length > 0).map(({ name, needs }) => ({ name, needs })))(
    '[RUN10] $name calls what the request offers, with whole input, and ends by telling what came back',
    async ({ name, needs }) => {
      const model = demo()
      let request = offering(needs, says(`/demo ${name}`))
      const called = new Set<string>()
      for (let step = 0; step < 8; step++) {
        const answered = await answer(model, request)
        const calls = callsOf(answered.blocks)
        for (const { name: tool, inputText, complete } of calls) {
          called.add(tool)
          expect([typeof JSON.parse(inputText), complete]).toEqual(['object', true])
        }
        if (calls.length === 0) {
          expect(answered.finish).toBe('end')
          // What a canvas shows needs no telling: its scenarios end with words of their own.
          const own = name.startsWith('canvas-') ? 'canvas' : name.startsWith('preview') ? 'page' : null
          const told = own ?? 'answered:\n\n    state is one of process-1'
          expect(wordsOf(answered)).toContain(told)
          expect([...called].filter((tool) => !needs.includes(tool))).toEqual([])
          expect(called.size).toBeGreaterThan(0)
          return
        }
        expect(answered.finish).toBe('tool-calls')
        // What Holdfast itself notes between two steps is not what the person said.
        const next = after(request, answered, 'state is one of process-1')
        request = { ...next, messages: [...next.messages, says('<note kind="workspace">\nchanged\n</note>')] }
      }
      throw new Error(`${name} does not end`)
    },
  )

  it('[RUN13] says which flag gives the tools that a scenario calls and the request does not offer', async () => {
    const answered = await answer(demo(), offering(['todo', 'read'], says('/demo edit')))
    expect([callsOf(answered.blocks), answered.finish]).toEqual([[], 'end'])
    expect(wordsOf(answered)).toContain('calls `glob`, `write`, `edit`, which this conversation does not offer')
    expect(wordsOf(answered)).toContain('holdfast start --workspace FOLDER')
    const off = { ...offering(['todo', 'list'], says('/demo tools-ok')), toolChoice: 'none' as const }
    expect(wordsOf(await answer(demo(), off))).toContain('switch them on')
  })

  it('[UI15] answers words that are no scenario in a few of its own, and lists what it can show where it is asked', async () => {
    const answered = wordsOf(await answer(demo(), offering([], says('How do I boil an egg?'))))
    expect(answered).toContain('> How do I boil an egg?')
    expect(answered.length).toBeLessThan(400)
    expect(wordsOf(await answer(demo(), offering([], says('x'.repeat(10_000))))).length).toBeLessThan(600)
    const list = wordsOf(await answer(demo(), offering([], says('/demo'))))
    for (const { name } of DEMO_SCENARIOS) expect(list).toContain(`/demo ${name}`)
  })

  it('[UI15] begins what asks for permission with a look that does not fail', async () => {
    for (const name of ['permission', 'permission-x3', 'edit']) {
      const request = offering(['glob', 'read', 'write', 'edit'], says(`/demo ${name}`))
      const answered = await answer(demo(), request)
      expect(callsOf(answered.blocks).map((call) => call.name)).toEqual(['glob'])
      const next = await answer(demo(), after(request, answered, 'No file matches.'))
      expect(new Set(callsOf(next.blocks).map((call) => call.name))).toEqual(new Set(['write']))
    }
  })

  it('[STOP10] has a part that does not confirm a stop', async () => {
    const waits: number[] = []
    const stopping = new AbortController()
    const clock = {
      ...CLOCK,
      after(delayMs: number, run: () => void) {
        waits.push(delayMs)
        if (waits.length === 3) stopping.abort()
        return CLOCK.after(delayMs, run)
      },
    }
    const model = createDemoModel({ clock, ids: countingIds() })
    await readAll((onPart) =>
      model.stream(offering([], says('/demo stop-unconfirmed')), { signal: stopping.signal, blobs: noBlobs, onPart }),
    )
    expect(waits.at(-1)).toBe(8_000)
  })

  it('[PERM4] repeats what a person said with a denial', async () => {
    const model = demo()
    const first = offering(['glob', 'read', 'write'], says('/demo permission'))
    const second = after(first, await answer(model, first), 'No file matches.')
    const third = after(second, await answer(model, second), 'Denied: not on a Saturday', true)
    expect(wordsOf(await answer(model, third))).toContain('`write` did not do it:\n\n    Denied: not on a Saturday')
  })

  it('[RUN7] is at its limit twice, and answers the third time', async () => {
    const model = demo()
    const request = offering([], says('/demo rate-limit'))
    for (let time = 0; time < 2; time++)
      expect((await answer(model, request)).error).toMatchObject({ code: 'rate-limit', retryAfterMs: 2_000 })
    expect((await answer(model, request)).error).toBeNull()
    expect((await answer(model, request)).error).toMatchObject({ code: 'rate-limit' })
  })

  it('[COST6] says that the window is as full as it was told', async () => {
    const asked = await answer(demo(), offering([], says('/demo fill-context 42')))
    expect(asked.inputTokens).toBe(DEMO_WINDOW_TOKENS * 0.42)
  })

  it('[CHK3] answers a request for a title or a summary from what people said, and calls nothing', async () => {
    const history = [
      says('How do I tie a bowline that holds, and how do I loosen it again after a storm?'),
      says('And a hitch?'),
    ]
    const title = offering(['list'], ...history, says('Go on', '<title-request>\nA title.\n</title-request>'))
    expect(wordsOf(await answer(demo(), title))).toBe('How do I tie a bowline that holds, and how do I loosen it…')
    const excerpt = says('<said>\nIs 1 &lt; 2?\n</said>\n<answered>\nYes.\n</answered>', '<title-request>')
    expect(wordsOf(await answer(demo(), offering([], excerpt)))).toBe('Is 1 < 2?')
    expect(wordsOf(await answer(demo(), offering([], says('/demo tools-ok', '<title-request>'))))).toBe(
      'Demo: tools-ok',
    )
    const summary = await answer(
      demo(),
      offering(['list'], ...history, says('<summary-request>\nSummarise\n</summary-request>')),
    )
    expect(summary.finish).toBe('end')
    expect(wordsOf(summary)).toContain('## Goals\n- How do I tie a bowline')
    expect(wordsOf(summary)).toContain('People said 2 things')
  })
})
