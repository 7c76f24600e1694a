import { expect, test } from 'vitest'
import { insertScript } from '../src/documents/insert-script.ts'

const TAG = '<script src="/s.js"></script>'

/** A document that comes in these pieces, as a browser gets it. */
async function inserted(pieces: readonly (string | Buffer)[]): Promise<string> {
  const stream = insertScript(TAG)
  const out: Buffer[] = []
  stream.on('data', (piece: Buffer) => out.push(piece))
  for (const piece of pieces) stream.write(Buffer.from(piece))
  stream.end()
  await new Promise((resolve) => stream.once('end', resolve))
  return Buffer.concat(out).toString('latin1')
}

const DOCUMENTS: Readonly<Record<string, readonly [string, string]>> = {
  'behind the head': ['<!doctype html><html><head><title>', '<script>'],
  'behind a head with attributes': [
    '<!DOCTYPE html>\n<html lang="a>b" data-x=\'<head>\'>\n<HEAD data-y=">">',
    '<script>',
  ],
  'before the first element where there is no head': ['<!doctype html>', '<body><script>'],
  'before a script where there is nothing else': ['', '<script>'],
  'before text': ['  \n', 'hello <script>'],
  'behind comments that name a head': ['<!-- <head> --><!--><!doctype html><html>', '<div>'],
  'before a header, which is no head': ['<!doctype html><html>', '<header><script>'],
  'behind a mark of the order of bytes': ['\u00ef\u00bb\u00bf<!doctype html><html><head>', '<meta charset=utf-8>'],
  'behind an old doctype': [
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN" "http://x/y.dtd"><?xml version="1.0"?><html><head>',
    '<p>',
  ],
}

for (const [name, [before, after]] of Object.entries(DOCUMENTS)) {
  test(`[PREV3] the script stands ${name}, however the document is cut into pieces`, async () => {
    const head = name.startsWith('behind the head') ? before.replace('<title>', '') : before
    const tail = name.startsWith('behind the head') ? `<title>${after}` : after
    const whole = Buffer.from(head + tail, 'latin1')
    const wanted = head + TAG + tail
    expect(await inserted([whole])).toBe(wanted)
    expect(await inserted([...whole].map((byte) => Buffer.from([byte])))).toBe(wanted)
    for (let at = 1; at < whole.byteLength; at++)
      expect(await inserted([whole.subarray(0, at), whole.subarray(at)]), `cut at ${at}`).toBe(wanted)
  })
}

test('[PREV3] what stands before the place goes on at once, and an endless beginning goes on without the script', async () => {
  const stream = insertScript(TAG)
  const out: Buffer[] = []
  stream.on('data', (piece: Buffer) => out.push(piece))
  stream.write(Buffer.from('<!doctype html><html><he'))
  await expect.poll(() => Buffer.concat(out).toString()).toBe('<!doctype html><html>')
  stream.destroy()
  expect(await inserted([`<!--${'x'.repeat(70_000)}`, '--><head>'])).not.toContain(TAG)
  expect(await inserted([])).toBe('')
})
