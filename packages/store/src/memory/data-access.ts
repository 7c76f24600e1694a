import type { MemoryData } from './memory-data.ts'

/** How a store gets at its data: at once, or through a disk that fails. Both throw once it is closed. */
export interface DataAccess {
  /** Looks at what is durable. */
  read<Value>(look: (data: MemoryData) => Value): Promise<Value>
  /** Changes the data, all or nothing; durable when it resolves. `change` may run again on a copy. */
  write<Value>(change: (data: MemoryData) => Value): Promise<Value>
  /** Finishes what was accepted, then closes. */
  close(): Promise<void>
}
