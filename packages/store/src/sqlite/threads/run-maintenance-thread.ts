import type { MaintenanceSignatures } from '../messages/operations.ts'
import type { ThreadOptions } from '../messages/thread-messages.ts'
import { startThread } from './thread.ts'

/** What a thread of its own is to do. */
export interface MaintenanceTask<Name extends keyof MaintenanceSignatures> {
  readonly args: MaintenanceSignatures[Name]['args']
  readonly signal: AbortSignal
}

/**
 * Does one long thing in a thread that ends with it.
 *
 * @throws the signal's reason when it is aborted, after the step that the thread was in: nothing is left behind.
 */
export async function runMaintenanceThread<Name extends keyof MaintenanceSignatures>(
  options: ThreadOptions & { readonly role: Name },
  { args, signal }: MaintenanceTask<Name>,
): Promise<MaintenanceSignatures[Name]['result']> {
  signal.throwIfAborted()
  const thread = await startThread<MaintenanceSignatures>(options, () => undefined).open()
  const abort = () => thread.abort()
  signal.addEventListener('abort', abort)
  try {
    return await thread.call(options.role, args)
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
    await thread.close()
  }
}
