import { Icon } from '../icons.tsx'
import { say } from '../language/say.ts'
import { dismiss, hold, release, type Toast, useToasts } from './toasts.ts'

/** What has just been done, with its undo. It takes no focus, and stays while somebody is at it. */
export function ToastList() {
  const toasts = useToasts()
  return (
    <section className="toast-place" aria-label={say('list.notices')} role="status">
      {toasts.map((toast) => (
        <ToastView key={toast.id} toast={toast} />
      ))}
    </section>
  )
}

function ToastView({ toast: { id, words, tone, undo } }: { readonly toast: Toast }) {
  return (
    <p
      className="toast"
      data-testid="toast"
      data-tone={tone}
      onPointerEnter={() => hold(id)}
      onPointerLeave={() => release(id)}
      onFocus={() => hold(id)}
      onBlur={() => release(id)}
    >
      <span className="title" dir="auto">
        {words}
      </span>
      {undo && (
        <button
          type="button"
          className="link-button"
          onClick={() => {
            dismiss(id)
            undo()
          }}
        >
          {say('common.undo')}
        </button>
      )}
      <button type="button" className="icon-button" aria-label={say('common.dismiss')} onClick={() => dismiss(id)}>
        <Icon name="close" />
      </button>
    </p>
  )
}
