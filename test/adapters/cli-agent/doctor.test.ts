import { PRESETS } from '../../../activities/adapters/cli-agent/presets';
import { checkAgentPrograms } from '../../../cli/checks/agent-programs';
import type { AdapterSpec } from '../../../plan/agents/adapter';
import { scratchFolder } from '../../activities/workshop';

const NOBODY = new Set<string>();

describe('doctor, of the programs of agents', () => {
  test.each([
    ['claude', `tested: ${PRESETS.claude.tried.join(', ')}`],
    ['openclaw', 'no version was tested'],
  ] as const)('tells the version of one that is there, and which were tried: %s', async (preset, tried) => {
    const specs = new Map<string, AdapterSpec>([[preset, { kind: 'cli', preset, command: [process.execPath] }]]);
    const [check] = await checkAgentPrograms(specs, NOBODY, process.env);
    expect(check).toMatchObject({ name: `program ${preset}`, state: 'ok' });
    expect(check?.says).toContain(process.versions.node);
    expect(check?.says).toContain(tried);
  });

  const absent = new Map<string, AdapterSpec>([
    ['codex', { kind: 'cli', preset: 'codex', env: { PATH: scratchFolder() } }],
    ['anthropic', { kind: 'anthropic' }],
  ]);

  test('names those that are not installed and nobody asked for, in one line', async () => {
    expect(await checkAgentPrograms(absent, NOBODY, process.env)).toEqual([
      { name: 'agent programs', state: 'ok', says: 'not installed: codex' },
    ]);
  });

  test('fails if one is not there that is set up, with what to do', async () => {
    const [check] = await checkAgentPrograms(absent, new Set(['codex']), process.env);
    expect(check).toMatchObject({ name: 'program codex', state: 'failed', hint: 'npm install -g @openai/codex' });
  });

  test('does not run a program of one’s own', async () => {
    const specs = new Map<string, AdapterSpec>([['mine', { kind: 'cli', command: ['/bin/false'] }]]);
    expect(await checkAgentPrograms(specs, new Set(['mine']), process.env)).toEqual([
      { name: 'program mine', state: 'ok', says: '/bin/false' },
    ]);
  });
});
