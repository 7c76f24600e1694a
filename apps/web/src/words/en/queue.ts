/** The English words of the queue. */
export const queue = {
  'queue.queue-paused-your-next-message': 'Queue paused. Your next message goes first, then these.',
  'queue.send-all': 'Send all',
  'queue.queue': 'Queue',
  'queue.sending': 'sending',
  'queue.send-now': 'Send now',
  'queue.queued': 'Queued {count, number}',
} as const
