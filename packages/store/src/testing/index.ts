export { type Audit, type AuditedWrite, startAudit, writesOfTwo } from './audit.ts'
export { createDriverHistory, type DriverHistory, type HistoryReport } from './driver-history.ts'
export {
  FAILPOINTS,
  type Failpoint,
  type Failure,
  type Failures,
  type FaultCounts,
  failOnce,
  noFailures,
  type Passage,
  randomFailures,
} from './failures.ts'
export {
  createSimulatedStore,
  type DurableLook,
  type PlantedDefect,
  type SimulatedStore,
  type SimulatedStoreOptions,
} from './simulated-store.ts'
