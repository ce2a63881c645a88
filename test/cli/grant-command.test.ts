import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Invocation, Options } from '../../cli/command';
import { list, revoke } from '../../cli/commands/grant';
import { EXIT } from '../../cli/exit';
import type { CostCategory } from '../../plan/brief/category';
import { LastingGrantFiles } from '../../records/directory/lasting-grant-files';
import { scratchFolder } from '../support/scratch-folder';
import { fakeTerminal } from './fake-terminal';

let cwd = '';
beforeEach(() => {
  cwd = scratchFolder();
  writeFileSync(join(cwd, 'thermidor.yaml'), '');
});

async function call(command: (invocation: Invocation) => Promise<number>, args: string[] = [], options: Record<string, unknown> = {}) {
  const terminal = fakeTerminal({ cwd, env: { USER: 'eve' } });
  const invocation = { args, options: new Options({ stateDir: join(cwd, 'state'), ...options }), terminal };
  return { exit: await command({ ...invocation, catalogue: { commands: [], nouns: {} } }), ...terminal.written };
}

async function granted(project: string, ...categories: CostCategory[]) {
  const grants = new LastingGrantFiles(join(cwd, 'state'));
  await grants.add({ id: `r/1/a/${project}`, project, categories, at: '2026-11-29T10:00:00.000Z', run: 'acme-1', by: 'ann' });
  return grants;
}

describe('`thermidor grant list`', () => {
  it('shows each grant with who gave it, when and in which run', async () => {
    await granted('other', 'deploy');
    await granted('acme', 'git_push', 'mcp_tool:github:push');
    const { exit, out } = await call(list);
    expect(exit).toBe(EXIT.done);
    expect(out.split('\n').map((line) => line.split(/ {2,}/).slice(0, 3).join(' '))).toEqual([
      'project category granted by',
      'acme git_push ann',
      'acme mcp_tool:github:push ann',
      'other deploy ann',
      '',
    ]);
  });

  it('prints one JSON document, of one project', async () => {
    await granted('other', 'deploy');
    await granted('acme', 'git_push');
    const { out } = await call(list, [], { project: 'acme', json: true });
    expect(JSON.parse(out)).toEqual({
      grants: [{ id: 'r/1/a/acme', project: 'acme', category: 'git_push', at: '2026-11-29T10:00:00.000Z', run: 'acme-1', by: 'ann' }],
    });
    expect(JSON.parse((await call(list, [], { project: 'none', json: true })).out)).toEqual({ grants: [] });
  });

  it('says how there would be one', async () => {
    expect(await call(list)).toMatchObject({ exit: EXIT.done, out: '', err: expect.stringContaining('`always`') });
  });
});

describe('`thermidor grant revoke`', () => {
  it('revokes what the category covers, in that project alone', async () => {
    const grants = await granted('acme', 'git_push', 'mcp_tool:s:a', 'mcp_tool:s:b', 'mcp_tool:server2:a');
    await granted('other', 'git_push');
    const { exit, out } = await call(revoke, ['acme', 'mcp_tool:s:*']);
    expect({ exit, out }).toEqual({
      exit: EXIT.done,
      out: '✓ revoked: mcp_tool:s:a of acme\n✓ revoked: mcp_tool:s:b of acme\n',
    });
    await call(revoke, ['acme', 'git_push'], { by: 'bob', json: true });
    expect([await grants.inForce('acme'), await grants.inForce('other')]).toEqual([['mcp_tool:server2:a'], ['git_push']]);
  });

  it.each<[string, string[], object]>([
    ['there is no such category', ['acme', 'git_pusch'], { exit: EXIT.usage, more: { hint: expect.stringContaining('git_push') } }],
    ['it is not granted', ['acme', 'deploy'], { exit: EXIT.failed, code: 'grant.none', more: { hint: 'granted are: git_push' } }],
    ['the project has nothing', ['Acme', 'git_push'], { exit: EXIT.failed, code: 'grant.none' }],
  ])('fails if %s, and changes nothing', async (_, args, failure) => {
    const grants = await granted('acme', 'git_push');
    await expect(call(revoke, args)).rejects.toMatchObject(failure);
    expect(await grants.inForce('acme')).toEqual(['git_push']);
  });
});
