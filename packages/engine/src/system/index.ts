export { sha256, systemClock, systemIds, systemRandom } from './system-ports.ts'
