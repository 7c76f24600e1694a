import type { DraftTranslation } from '../../language/translation.ts'
import type { terminal as english } from '../en/terminal.ts'

/** The Japanese words of terminals. */
export const terminal: DraftTranslation<typeof english> = {
  'terminal.screen': 'ターミナル。F6 で外に出ます。',
  'terminal.asking': '問い合わせ中…',
  'terminal.yours': 'あなた専用',
  'terminal.yours-line':
    'エージェントからは見えず、使われません。サンドボックスの外で、サーバーのすべての権限で動きます。',
  'terminal.open': 'ターミナルを開く',
  'terminal.number': 'ターミナル {number, number}',
  'terminal.quote': '選択範囲を引用',
  'terminal.end': '終了',
  'terminal.really-end': '中で動くものごと終了する',
  'terminal.end-name': '{line} を終了',
  'terminal.ended': 'このターミナルは終了しました。',
  'terminal.ended-with': 'このターミナルは終了コード {code, number} で終了しました。',
  'terminal.put-away': '片付ける',
  'terminal.not-allowed': 'ターミナルは管理者専用です。サンドボックスの外で動きます。',
  'terminal.no-folder': 'ターミナルは会話のフォルダーで始まります。先にフォルダーを選んでください。',
  'terminal.none-here': 'このサーバーにはターミナルがありません。',
  'terminal.processes': 'エージェントのバックグラウンドプロセス',
  'terminal.processes-line': 'エージェントが動かしたままにしたものです。会話とともに終わります。',
  'terminal.runs': '実行中、{seconds, number} 秒',
  'terminal.is-over': '終了済み',
  'terminal.nothing-printed': 'まだ出力はありません。',
}
