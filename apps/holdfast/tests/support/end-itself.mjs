// Loaded before the program by the test of its ends: ends the process in its own way after a time.
import { isMainThread, threadId } from 'node:worker_threads'

const [way = '', afterMs = '0'] = (process.env.PLANTED_END ?? '').split(':')
const isOurs = way === 'exit-in-worker' ? !isMainThread && threadId === 1 : isMainThread

if (isOurs && way !== '' && Number(afterMs) >= 0)
  setTimeout(() => {
    switch (way) {
      case 'exit':
      case 'exit-in-worker':
        process.exit(1)
        break
      case 'throw':
      case 'reject':
        if (way === 'throw') throw new Error('planted')
        void Promise.reject(new Error('planted'))
        break
      case 'out-of-memory': {
        const kept = []
        for (;;) kept.push(new Array(1_000_000).fill(kept.length))
      }
    }
  }, Number(afterMs))
