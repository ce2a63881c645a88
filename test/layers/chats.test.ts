import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSenders } from '../../channels/senders';
import { CHAT_NAMES, CHATS } from '../../plan/people/chats';
import { NOBODY } from '../../plan/people/people';
import { messageTo } from '../activities/channels/messages';
import { PROGRAM, ROOT, sourcesIn } from './sources';

/** A chat is a folder and a line in three tables. All other code uses the tables. */
const TABLES = ['channels/callbacks.ts', 'channels/senders.ts', 'plan/people/chats.ts'];
/** The settings of a new folder mention a chat as an example. */
const EXAMPLE = 'cli/init/settings-text.ts';
/** These files have words of other tools, or of agents, which do not depend on our chats. */
const FOREIGN = ['compiler/language/foreign-keys.ts', 'compiler/language/foreign-words.ts', 'plan/brief/detector-words.ts'];

test('a chat is known to its three tables, and to nobody else', () => {
  const knowing = sourcesIn(PROGRAM).filter(([file, text]) => !file.startsWith('channels/slack/') && /\bslack|Slack/.test(text));
  expect(knowing.map(([file]) => file).sort()).toEqual([...TABLES, ...FOREIGN].sort());
});

test('docs/internals/guides.md names the tables', () => {
  const page = readFileSync(join(ROOT, 'docs/internals/guides.md'), 'utf8');
  expect(TABLES.filter((file) => !page.includes(`\`${file}\``))).toEqual([]);
});

describe.each(CHAT_NAMES)('%s', (chat) => {
  it('is a word of no other code', () => {
    const word = new RegExp(`['/.]${chat}\\b|\\b${chat}:`);
    const others = sourcesIn(PROGRAM).filter(([file]) => file.split('/')[1] !== chat && ![...TABLES, ...FOREIGN, EXAMPLE].includes(file));
    expect(others.filter(([, text]) => word.test(text)).map(([file]) => file)).toEqual([]);
  });

  it('has its roles', () => {
    const missing = ['message', 'send', 'callback'].filter((role) => !existsSync(join(ROOT, 'channels', chat, `${role}.ts`)));
    expect(missing).toEqual([]);
  });

  it('has a sender of its own', () => {
    const senders = createSenders({
      secrets: { resolve: async (text) => text, known: () => [] },
      directory: NOBODY,
      mail: undefined,
      line: () => undefined,
    });
    const serving = senders.filter((sender) => sender.serves(messageTo({ [chat]: 'https://example.org/hook' })));
    expect(serving.map(({ name }) => name).sort()).toEqual(['console', chat].sort());
  });

  it('says how it is set up', () => {
    const page = readFileSync(join(ROOT, 'docs/channels.md'), 'utf8');
    expect(page).toContain(`\n### ${CHATS[chat].title}\n`);
    expect(page).toContain(`| \`POST /${chat}\` |`);
  });
});
