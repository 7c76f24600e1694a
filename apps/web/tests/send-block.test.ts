import { MAX_TEXT_LENGTH } from '@holdfast/protocol'
import { expect, test } from 'vitest'
import { sendBlock } from '../src/composer/attach/send-block.tsx'

const written = (length: number) => sendBlock({ text: 'x'.repeat(length), files: [], seesPictures: true })

test('[SYNC8] a message that no server takes is not sent by the composer', () => {
  expect(written(MAX_TEXT_LENGTH)).toBeNull()
  expect(written(MAX_TEXT_LENGTH + 1)).toBe('too-long')
})
