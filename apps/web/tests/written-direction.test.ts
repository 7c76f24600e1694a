import { expect, test } from 'vitest'
import { writtenDirection } from '../src/composer/written-direction.ts'

test('[UI8] what is written goes in the direction of its first letter; without one, in that of the page', () => {
  expect(['', '1. ', 'a ب', '1. ب a', '“שלום” a', '日本語'].map(writtenDirection)).toEqual([
    undefined,
    undefined,
    'ltr',
    'rtl',
    'rtl',
    'ltr',
  ])
})
