import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LastingGrantFiles } from '../../records/directory/lasting-grant-files';
import type { LastingGrant } from '../../records/lasting-grants';
import { scratchFolder } from '../activities/workshop';

const ONE: LastingGrant = { id: 'r/1/a/grant-1', project: 'acme', categories: ['git_push'], at: '2026-01-01T00:00:00Z', run: 'r' };

async function written() {
  const root = scratchFolder();
  await new LastingGrantFiles(root).add(ONE);
  return { grants: new LastingGrantFiles(root), path: join(root, 'grants', 'acme.jsonl') };
}

test.each<[string, object]>([
  ['a wildcard', { categories: ['*'] }],
  ['a wildcard of a server', { categories: ['mcp_tool:s:*'] }],
  ['a whole server', { categories: ['mcp_tool:s'] }],
  ['a category that there is not', { categories: ['git_push', 'everything'] }],
  ['another project', { project: 'other' }],
  ['no list', { categories: 'deploy' }],
  ['another kind', { kind: 'promised' }],
])('a line that names %s grants nothing, and harms no other', async (_, more) => {
  const { grants, path } = await written();
  appendFileSync(path, `${JSON.stringify({ kind: 'granted', ...ONE, id: 'x', categories: ['deploy'], ...more })}\n`);
  expect(await grants.inForce('acme')).toEqual(['git_push']);
});

test('a line that a crash tore is no entry, and the next one is', async () => {
  const { grants, path } = await written();
  writeFileSync(path, readFileSync(path, 'utf8').slice(0, -5));
  expect(await grants.inForce('acme')).toEqual([]);
  await grants.add(ONE);
  expect(await grants.inForce('acme')).toEqual(['git_push']);
});
