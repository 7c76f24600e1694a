/** A message that was sent: what a client waits for the answer of. */
export interface Sent {
  readonly conversationId: string
  readonly seq: number
  readonly inputId: string
}

/** A handle says all that it stands for, so that it is good after a restart and at every replica. */
export function handleOf({ conversationId, seq, inputId }: Sent): string {
  return Buffer.from([conversationId, seq, inputId].join('\n')).toString('base64url')
}

/** What a handle stands for. @throws where it is none. */
export function sentOf(handle: string): Sent {
  const [conversationId, seq, inputId] = Buffer.from(handle, 'base64url').toString().split('\n')
  if (conversationId && inputId && seq && /^\d{1,15}$/.test(seq)) return { conversationId, seq: Number(seq), inputId }
  throw new Error('This is no handle: send_message gives one')
}
