import type { DraftTranslation } from '../../language/translation.ts'
import type { notify as english } from '../en/notify.ts'

/** The Japanese words of what is told to who does not look. */
export const notify: DraftTranslation<typeof english> = {
  'notify.notifications': '通知',
  'notify.also': '通知 知らせる 完了 待機 ブラウザ',
  'notify.needs-you': 'あなたを待っています',
  'notify.is-done': '終わりました',
  'notify.has-failed': '失敗しました',
  'notify.while-you-were-away':
    '離れている間に何かがありました。会話があなたを待つときや終わったときに、ブラウザがお知らせできます。',
  'notify.tell-me': '知らせる',
  'notify.not-now': '今はしない',
  'notify.tell-me-while': 'ほかを見ている間に起きたことを知らせる',
  'notify.the-browser-asks':
    '先にブラウザが確認します。会話のタイトルを音なしで表示し、このページを見ている間は何も出しません。',
  'notify.the-browser-allows-none':
    'ブラウザが許可していません。ブラウザの設定で、このアドレスの通知を表示できるようにしてください。',
  'notify.cannot': '信頼できる接続が必要です。このコンピューター自身か https です。',
  'notify.of-needs-you': '会話があなたを待っている',
  'notify.of-needs-you-why': '許可か回答を待っています。',
  'notify.of-finished': '応答が終わった',
  'notify.of-finished-why': '20 秒より長くかかったもの。',
  'notify.of-failed': '応答が失敗した',
  'notify.of-failed-why': 'または、その途中でサーバーが終了したもの。',
  'notify.always': 'タブのタイトルとアイコンは常に知らせます。',
}
