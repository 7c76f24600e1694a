import { randomUUID } from 'node:crypto'
import { type ResponseRequest, routes } from '@holdfast/protocol'
import { type ApiDeps, bindRoute, RefusedError } from '@holdfast/server'
import { createThreads } from '../openai/threads.ts'
import { createAskResponse } from './ask-response.ts'
import { toAskedResponse } from './asked-response.ts'
import type { ClientTools } from './client-tools.ts'
import { responseIdOf } from './response-ids.ts'
import type { ResponseHead } from './response-object.ts'
import { type Answering, createResponsePlaces } from './response-places.ts'
import { createResponseTeller } from './tell-response.ts'

/** Serves clients of OpenAI's Responses: answers, streamed or whole, with tools of the client; asked for again, and stopped. */
export function bindResponses(clientTools: ClientTools): (api: ApiDeps) => void {
  return (api) => {
    const { commands, clock, models, records } = api
    const threads = createThreads(records, clock.now)
    const places = createResponsePlaces(api, threads)
    const ask = createAskResponse({ api, places, threads, clientTools })
    const teller = createResponseTeller(api)
    const nowSeconds = (): number => Math.floor(clock.now() / 1_000)

    function checkModel(modelId: string): void {
      if (models().providers.some((provider) => provider.models.some(({ id }) => id === modelId))) return
      throw new RefusedError(404, 'unknown-model', `There is no model ${modelId}; GET …/openai/v1/models lists them`)
    }

    bindRoute(api, routes.respondOfOpenAi, async ({ body, principal, request, reply, answer }) => {
      const asked = toAskedResponse(body)
      checkModel(body.model)
      const key = headerOf(request.headers['idempotency-key']) ?? asked.messageId ?? randomUUID()
      if (body.stream === true) api.lines.enter(principal, reply.raw)
      const named = headerOf(request.headers['x-holdfast-conversation'])
      const answering = await ask(principal, { asked, body, key, named })
      reply.header('x-holdfast-conversation', answering.conversationId)
      if (asked.ignored.length > 0) reply.header('x-holdfast-ignored', asked.ignored.join(', ').replace(/[^ -~]/g, '?'))
      const telling = { principal, answering, head: headOf(answering, body), startingAfter: null, isAsking: true }
      if (body.stream === true) return teller.stream(reply, telling)
      return answer(200, await teller.whole(reply, telling, body.background !== true))
    })

    bindRoute(api, routes.readResponseOfOpenAi, async ({ params, query, principal, reply, answer }) => {
      const answering = await places.find(principal.userId, params.responseId)
      const startingAfter = query.starting_after ?? null
      const telling = { principal, answering, head: headOf(answering, null), startingAfter, isAsking: false }
      if (query.stream !== 'true') return answer(200, await teller.whole(reply, telling, false))
      api.lines.enter(principal, reply.raw)
      return teller.stream(reply, telling)
    })

    bindRoute(api, routes.cancelResponseOfOpenAi, async ({ params, principal, reply, answer }) => {
      const answering = await places.find(principal.userId, params.responseId)
      const { conversationId } = answering
      const telling = { principal, answering, head: headOf(answering, null), startingAfter: null, isAsking: false }
      // What was told so far may have ended with calls that the client has.
      const runId = (await teller.runningRunOf(telling)) ?? (await places.parkedRunOf(answering))
      if (runId !== null) {
        const commandId = `responses:stop:${runId}`
        await commands.carryOut(principal, { type: 'command', name: 'stop-run', commandId, conversationId, runId })
      }
      return answer(200, await teller.whole(reply, telling, runId !== null))
    })

    function headOf(answering: Answering, body: ResponseRequest | null): ResponseHead {
      const { conversationId } = answering
      // An answer that is not to be kept cannot be asked for: its id names no place.
      const id = body?.store === false ? `resp_${randomUUID()}` : responseIdOf(answering)
      return { id, conversationId, createdAt: nowSeconds(), modelId: body?.model ?? '', body, now: nowSeconds }
    }
  }
}

function headerOf(value: string | string[] | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, 200) : null
}
