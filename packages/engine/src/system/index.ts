export { sha256, sha256Both, systemClock, systemIds, systemRandom } from './system-ports.ts'
