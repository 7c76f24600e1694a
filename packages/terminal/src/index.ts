export { TERMINAL_LIMITS } from './limits.ts'
export {
  createTerminals,
  TerminalError,
  type TerminalFacts,
  type Terminals,
  type TerminalsDeps,
  type TerminalViewer,
  type TerminalWish,
} from './terminals.ts'
