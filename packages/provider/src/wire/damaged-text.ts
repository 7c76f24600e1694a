/**
 * Whether bytes of the text were lost on their way: what is no UTF-8 is read as U+FFFD. A signature over such thinking
 * holds no longer, and a provider would refuse the whole history for it; unsigned, it is not sent again. [REQ4]
 */
export function isDamaged(text: string): boolean {
  return text.includes('\uFFFD')
}
