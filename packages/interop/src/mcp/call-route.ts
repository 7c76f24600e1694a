import type { BodyOf, Route, StatusOf } from '@holdfast/protocol'
import type * as z from 'zod'

/**
 * Calls routes of the server as whoever speaks MCP, so that this protocol sees and does what their key may, and no more. [SYNC19]
 *
 * An implementer sends what they came in with, and throws an error in words where the server refuses.
 */
export interface RouteCalls {
  call<Known extends Route>(route: Known, asked: AskedRoute<Known>): Promise<BodyOf<Known, StatusOf<Known>>>
}

/** What a route is called with. */
export interface AskedRoute<Known extends Route> {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: z.input<Known['body']>
}
