import { useId } from 'react'
import { Icon } from './icons.tsx'

interface SearchFieldProps {
  /** What it is called by who cannot see it. */
  readonly label: string
  readonly placeholder: string
  readonly words: string
  readonly onWords: (words: string) => void
}

/** Where one writes what a list is searched for. */
export function SearchField({ label, placeholder, words, onWords }: SearchFieldProps) {
  const id = useId()
  return (
    <div className="search-field">
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <Icon name="search" />
      <input
        id={id}
        type="search"
        placeholder={placeholder}
        dir="auto"
        value={words}
        onChange={({ target }) => onWords(target.value)}
      />
    </div>
  )
}
