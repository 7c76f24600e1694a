export { createEventStreamParser } from '../http/event-stream.ts'
export { type CollectedAnswer, collectParts } from './collect-parts.ts'
export { type LoopbackRequest, type LoopbackServer, startLoopbackServer } from './loopback-server.ts'
export { describeModelPort } from './model-port-suite.ts'
export {
  type ModelPortHarness,
  noAbort,
  type Outcome,
  PLAIN_REQUEST,
  readAll,
  sendEvents,
} from './suite/port-fixture.ts'
export type { WireBlock, WireScript, WireUsage } from './wire-script.ts'
