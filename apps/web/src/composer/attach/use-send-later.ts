import type { SendLane } from '@holdfast/protocol'
import { useEffect, useState } from 'react'
import type { SendBlock } from './send-block.ts'

interface SendLaterOptions {
  readonly text: string
  readonly block: SendBlock | null
  readonly send: (lane: SendLane) => Promise<void>
}

/** A message that was sent while its files were on their way: it goes when they are there. */
export interface SendLater {
  readonly isWaiting: boolean
  readonly wait: (lane: SendLane) => void
  readonly takeBack: () => void
}

/** Keeps the wish to send until the files are there. Who writes on, or whose file fails, has not sent. [UI49] */
export function useSendLater({ text, block, send }: SendLaterOptions): SendLater {
  const [wish, setWish] = useState<{ readonly lane: SendLane; readonly text: string } | null>(null)
  const isSame = wish !== null && wish.text === text

  useEffect(() => {
    if (wish === null || (isSame && block === 'uploading')) return
    setWish(null)
    if (isSame && block === null) void send(wish.lane)
  }, [wish, isSame, block, send])

  return {
    isWaiting: isSame && block === 'uploading',
    wait: (lane) => setWish({ lane, text }),
    takeBack: () => setWish(null),
  }
}
