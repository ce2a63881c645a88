/** What a new chat begins with: a service whose buttons are signed with a secret, over the moment and the body. */
export const CHANNEL = {
  guide: 'How to add a chat',
  words: [
    {
      rooms: ['plan', 'kinds', 'channels', 'compiler', 'workflows', 'records', 'activities', 'worker', 'client', 'cli'],
      pattern: "['/.]__name__\\b|\\b__name__:",
      is: 'is a word of other code',
    },
  ],
  files: {
    ...Object.fromEntries(['message', 'send', 'callback'].map((role) => [`channels/__name__/${role}.ts`, role])),
    'test/activities/channels/__dashed__.test.ts': 'message-test',
    'test/client/callbacks/__dashed__.test.ts': 'callback-test',
  },
  tables: [
    {
      file: 'plan/people/chats.ts',
      rows: [
        {
          before: '} satisfies Record<string, ChatManifest>;',
          add: "  __name__: { title: '__Name__', proof: { key: '__name___signing_secret' } },\n",
        },
      ],
    },
    {
      file: 'channels/senders.ts',
      imports: "import { __Name__Channel } from './__name__/send';",
      rows: [{ before: '    new MailChannel(', add: '    new __Name__Channel(secrets),\n' }],
    },
    {
      file: 'channels/callbacks.ts',
      imports: "import { __NAME___CALLBACK } from './__name__/callback';",
      rows: [{ lines: 'const CHAT_CALLBACKS: Readonly<Record<Chat, ChatCallback>> = {', add: '__name__: __NAME___CALLBACK,' }],
    },
    {
      file: 'docs/settings.md',
      rows: [
        {
          before: '- **`people.NAME.slack`**',
          add: '- **`people.NAME.__name__`**: the user id that __Name__ proves. Value: text. Default: none.\n',
        },
        {
          before: '- **`channels.NAME.slack`**',
          add: "- **`channels.NAME.__name__`**: __Name__'s webhook. Value: an address or a secret. Default: none.\n",
        },
        {
          before: '- **`callbacks.slack_signing_secret`**',
          add: '- **`callbacks.__name___signing_secret`**: of your __Name__ app. Value: a secret. Default: none.\n',
        },
      ],
    },
    {
      file: 'docs/channels.md',
      rows: [
        {
          before: '### Starting a run from a chat\n',
          add: '### __Name__\n\nPut the address of its webhook under the channel as `__name__`, the secret that it signs with into\n`callbacks.__name___signing_secret`, and the user ids of people into `people.NAME.__name__`.\n\n',
        },
        { before: '| `POST /slack` |', add: "| `POST /__name__` | __Name__'s |\n" },
      ],
    },
    { file: 'docs/identity.md', rows: [{ before: "`slack` | the service's signature", add: '`__name__`, ' }] },
  ],
  generates: 'test/language/page.test.ts',
};
