import { NO_REASON } from '@holdfast/client'
import type { ErasedItem } from '@holdfast/conversation'
import { dayAndTime } from '../../shared/format.ts'
import { say } from '../../shared/language/say.ts'
import { erasedWords } from './erased-kinds.ts'

/** Who erased what stood here, when, and what went with it; nothing of the words. [LOG9] */
export function ErasedReceipt({ item }: { readonly item: ErasedItem }) {
  const { reason, erasedAt, erasedBy, together } = item.erasure
  const time = dayAndTime(erasedAt)
  const head = say(erasedBy?.type === 'person' ? 'erasure.erased-by-you' : 'erasure.erased-at', { time })
  return (
    <span className="erased-receipt" data-testid="erased-receipt">
      <span>{head}</span>
      {reason !== NO_REASON && <span dir="auto">{reason}</span>}
      {together && <span className="meta">{erasedWords(together).join(', ')}</span>}
    </span>
  )
}
