import { useRef } from 'react'
import { Icon } from '../../shared/icons.tsx'
import { bytesText } from '../../shared/language/bytes-text.ts'
import { say } from '../../shared/language/say.ts'
import { MAX_FILE_BYTES, MAX_FILES } from './attached-files.ts'

/** Chooses files that go along with the message. */
export function AttachButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button
        type="button"
        className="icon-button attach-button"
        data-testid="attach"
        aria-label={say('attach.attach-files')}
        title={say('attach.attach-at-most', { count: MAX_FILES, limit: bytesText(MAX_FILE_BYTES) })}
        onClick={() => input.current?.click()}
      >
        <Icon name="clip" />
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        data-testid="attach-input"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          target.value = ''
        }}
      />
    </>
  )
}
