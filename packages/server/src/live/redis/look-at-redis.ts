import { createClient } from '@redis/client'
import { redisReason } from './redis-reason.ts'

/** Says why the Redis of an address cannot be used, or null when it can. It waits at most `limitMs` milliseconds. */
export async function lookAtRedis(url: string, limitMs: number): Promise<string | null> {
  const connection = createClient({
    url,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    socket: { connectTimeout: limitMs, socketTimeout: limitMs, reconnectStrategy: false },
  })
  // What it says here the call that waits for it is told too.
  connection.on('error', () => {})
  try {
    await connection.connect()
    await connection.ping()
    return null
  } catch (error) {
    return redisReason(error)
  } finally {
    connection.destroy()
  }
}
