/** The Japanese words of agents that are programs of their own. */
export const external = {
  'external.lead':
    'Agent Client Protocol を通じて、自分で会話に答えるプログラムです。このサーバーにインストールされていれば、ほかのエージェントと同じように選べます。頼まれるまでは、何もインストールも起動もしません。',
  'external.add-an-agent': 'エージェントを追加',
  'external.edit-an-agent': 'エージェントを編集',
  'external.not-read': '外部エージェントを読み込めませんでした。{problem}',
  'external.name': '名前',
  'external.command': 'コマンド',
  'external.command-note':
    'PATH にあるプログラム名か完全なパス、そして引数。シェルは使いません。引用符で語をまとめられます。',
  'external.a-quote-is-open': 'まだコマンドになっていません。引用符かバックスラッシュが閉じていません。',
  'external.variables': '環境変数',
  'external.more-variables': '追加または置き換える環境変数',
  'external.variables-note':
    '1 行に 1 つ、NAME=値 の形で。値はこのサーバーに暗号化して保存され、二度と表示されません。',
  'external.bad-line': '{line} 行目が NAME=値 の形ではありません。',
  'external.runs-with-all-rights':
    'Holdfast を動かしているアカウントのすべての権限で、サンドボックスの外で動きます。信頼できるものだけを追加してください。',
  'external.name-is-saved': '{name} を保存しました。',
  'external.name-is-removed': '{name} を削除しました。これまでの会話は残ります。',
  'external.test': 'テスト',
  'external.test-name': '{name} をテスト',
  'external.edit-name': '{name} を編集',
  'external.remove-asking': '削除…',
  'external.remove-name': '{name} を削除',
  'external.really-remove-name': '{name} を本当に削除',
  'external.to-install': 'インストールするには:',
  'external.copy-the-command': 'コマンドをコピー',
  'external.is-started': '{name} を起動し、また終了します。モデルには何も尋ねません。',
  'external.works': '動きます: バージョン {version}、プロトコル {protocol}、準備まで {time}。',
  'external.held-in': 'モード: {modes}。会話では、実行前に確認する {mode} に保たれます。',
  'external.no-mode-that-asks':
    '確認すると分かっているモードがありません。何を確認するかはこのエージェントが決めます。',
  'external.ways-to-sign-in': '{count, plural, other {サインインの方法 # つ}}',
  'external.sign-in-on-the-server':
    '{name} がサインインを求めるときは、このサーバーの端末で、Holdfast を動かしているアカウントとして行ってください。',
  'external.installed': 'インストール済み',
  'external.not-installed': '未インストール',
  'external.from-the-file': '設定ファイルから',
  'external.added-here': 'ここで追加',
  'external.protocol': 'プロトコル {version}',
  'external.could-not-be-started': '{name} を起動できませんでした',
  'external.test-it-in-the-settings':
    'サーバーにプログラムがないか、応答を始めませんでした。設定でテストしてから、もう一度お試しください。',
  'external.wants-a-sign-in': '{name} がサインインを求めています',
  'external.sign-in-to-it':
    'サーバーの端末で、Holdfast を動かしているアカウントとしてサインインしてください。その後、もう一度お試しください。',
  'external.did-not-go-on': '{name} が続けられませんでした',
  'external.what-it-said-is-kept':
    '話した内容は残っています。もう一度試すと新しく起動し、この会話を伝えます。すでに何を行ったかを先に確かめてください。',
  'external.open-settings': '設定を開く',
  'external.keeps-its-own-context':
    '{name} は自分の記憶を持ち、自分のモデルに尋ねます。そこへ送る内容はここでは見えません。下は、本人が伝えた使用量です。',
  'external.reading-what-offers': '{name} の選択肢を読み込んでいます…',
  'external.offers-not-read': '{name} の選択肢を読み込めませんでした: {problem}',
  'external.mode': 'エージェントのモード',
  'external.its-own-mode': '独自のモード',
  'external.does-not-ask': '{name}（確認せずに実行することがあります）',
  'external.model': 'エージェントのモデル',
  'external.its-own-model': '独自のモデル',
  'external.who-pays': 'エージェントの支払い元',
  'external.who-pays-note':
    'エージェントの要求を誰が支払うか。次のメッセージから有効です。エージェントは再起動され、この会話が伝えられます。',
  'external.paid-by': '{name} が支払い',
  'external.paid-by-itself': '独自のサインイン',
  'external.paid-here': 'ここのプロバイダーが支払い',
  'external.paid-by-itself-line': '提供元が自身のアカウントに請求します。使用量は見積もりとして表示されます',
  'external.paid-here-line': 'プロバイダーのキーで要求ごとに計上されます。予算と停止が有効です',
  'external.choice-line': '{name}: {says}',
  'external.takes-no-pictures': '{name} はここでは画像を受け取りません。画像があることは言葉で伝えられます。',
} as const
