import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { parseSettings } from '../../cli/settings/settings-file';
import { type Bench, bench } from '../client/callbacks/listener';
import { blocksOf, readPage } from './page';

/** The task for a team that docs/channels.md signs and posts, run as a reader would copy it, but for the address. */
const page = readPage('docs/channels.md');
const [command = ''] = blocksOf(page, 'sh').filter((text) => text.startsWith('team='));
const [printed = ''] = blocksOf(page, 'text').filter((text) => text.startsWith('{"team"'));
const [settings = ''] = blocksOf(page, 'yaml').filter((text) => text.includes('  teams:'));

let at: Bench | undefined;
afterEach(() => at?.close());

async function posted(key: string): Promise<string> {
  const script = command.replace('https://thermidor.example.org', at?.listener.url ?? '');
  expect(script).not.toBe(command);
  const { stdout } = await promisify(execFile)('sh', ['-c', script], { env: { ...process.env, MAINTAINERS_KEY: key } });
  return stdout;
}

test('the page’s task is taken, with the answer that the page prints', async () => {
  const sent: unknown[] = [];
  const decide = async (run: string, name: string, payload: unknown) => {
    sent.push({ run, name, payload });
    return { outcome: 'applied' as const, step: 'maintainers', task: 3 };
  };
  at = await bench({ settings: { teams: { maintainers: 'shared' } }, ports: { decide, now: () => Date.now() } });
  expect(`${await posted('shared')}\n`).toBe(printed);
  expect(sent).toMatchObject([{ run: 'team-maintainers', name: 'task', payload: { key: 'issue-17', by: 'a web hook' } }]);
  expect(JSON.parse(await posted('another'))).toMatchObject({ error: { status: 401 } });
});

test('its settings list the team', () => {
  expect(parseSettings('thermidor.yaml', settings).callbacks).toEqual({ teams: { maintainers: 'secret://env/MAINTAINERS_KEY' } });
});
