import { journal } from '../../activities/run/journal';
import type { GrantChoice } from '../../plan/brief/authority';
import type { JournalEntry } from '../../plan/run/journal';
import { MemoryGrants } from '../../records/memory/memory-grants';
import { KEY, workshop } from './workshop';

const AT = '2026-11-29T08:00:00.000Z';
const answered = (event: GrantChoice | 'used'): JournalEntry => ({
  ...{ seq: 1, at: AT, kind: 'grant', step: 'brief[1]/x', event, project: 'acme', categories: ['git_push'], tool: 'run' },
  ...{ contentSha256: 'a'.repeat(64), id: 'brief[1]/x#1~1/grant-1', by: 'ann' },
});

test('a grant for ever that the journal tells of holds, though the run ends before its agent goes on', async () => {
  const shop = workshop({ grants: new MemoryGrants() });
  const { grants } = shop.toolbox;
  const write = (event: GrantChoice | 'used') =>
    journal(shop.toolbox, { key: KEY }, { run: KEY.run, entries: [answered(event)], last: true });
  for (const event of ['once', 'run', 'deny', 'used'] as const) await write(event);
  expect(await grants.list()).toEqual([]);
  await write('always');
  await write('always');
  expect(await grants.list()).toMatchObject([{ project: 'acme', category: 'git_push', at: AT, by: 'ann', run: KEY.workflowId }]);
  // A page that is written once more gives nothing back that somebody has revoked.
  await grants.revoke({ project: 'acme', category: 'git_push', at: AT, by: 'bob' });
  await write('always');
  expect(await grants.inForce('acme')).toEqual([]);
});
