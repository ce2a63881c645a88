import { dryRun } from '../../cli/dry-run/dry-run';
import { renderDryRun } from '../../cli/rendering/dry-run';
import type { Plan } from '../../plan/plan';
import { byId, planOf, request, set } from './dry-run-request';
import { fakeTerminal } from './fake-terminal';

const { colors } = fakeTerminal();

describe('how an agent would be run', () => {
  const definition = (model: string) => ({ content: JSON.stringify({ id: 'x', role: 'Writes.', model }) });
  const plan: Plan = {
    ...planOf('sequence', [
      { id: 'draft', kind: 'agent', agent: 'writer' },
      { id: 'judge', kind: 'review', agent: 'editor', of: 'draft', critic: 'writer' },
    ]),
    agents: { writer: { definition: 'w' }, editor: { definition: 'e' } },
  };
  const blobs = new Map([
    ['w', definition('fast')],
    ['e', definition('deep')],
  ]);
  const settings = {
    models: set({ fast: { model: 'small' }, deep: { model: 'large', adapter: 'local' } }),
    adapters: set({ local: { kind: 'openai', baseUrl: 'http://127.0.0.1:1/v1' } as const }),
    defaultAdapter: set('anthropic'),
  };

  test('is reported with the model that its name means, also for a second opinion', () => {
    const steps = byId(dryRun(request({ plan, blobs, args: {}, settings })));
    const writer = { adapter: 'anthropic', model: 'small', modelAlias: 'fast' };
    expect(steps.get('draft')?.does).toMatchObject(writer);
    expect(steps.get('judge')?.does).toMatchObject({ adapter: 'local', model: 'large', modelAlias: 'deep', criticRunBy: writer });
    const text = renderDryRun(dryRun(request({ plan, blobs, args: {}, settings })), colors);
    expect(text).toContain('agent writer (adapter anthropic, model small as "fast")');
    expect(text).toContain('second opinion by writer (adapter anthropic, model small as "fast")');
  });

  test('names the adapter’s default model if it names none', () => {
    const own = { ...settings, adapters: set({ anthropic: { kind: 'anthropic', model: 'usual' } as const }) };
    const nameless = new Map([...blobs, ['w', { content: '{"id": "x", "role": "Writes."}' }]]);
    const does = byId(dryRun(request({ plan, blobs: nameless, args: {}, settings: own }))).get('draft')?.does;
    expect(does).toMatchObject({ adapter: 'anthropic', model: 'usual' });
    expect(does).not.toHaveProperty('modelAlias');
  });

  test('is by the script if there is one, whatever it names', () => {
    const does = byId(dryRun(request({ plan, blobs, args: {}, settings, script: 'night' }))).get('draft')?.does;
    expect(does).toMatchObject({ adapter: 'scripted' });
    expect(does).not.toHaveProperty('model');
  });
});
