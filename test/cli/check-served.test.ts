import { Options } from '../../cli/command';
import { unservedIn, warnUnserved, worksAlone } from '../../cli/serving/check-served';
import { type Configuration, loadConfiguration } from '../../cli/settings/configuration';
import type { Plan } from '../../plan/plan';
import type { RunView, StepView } from '../../plan/run/status';
import type { StepState } from '../../plan/run/step-state';
import { ArtifactFiles } from '../../records/directory/artifact-files';
import { ControlFiles } from '../../records/directory/control-files';
import { scratchFolder } from '../activities/workshop';
import { fakeTerminal } from './fake-terminal';

let configuration: Configuration;
let stored: NonNullable<RunView['plan']>;

beforeAll(async () => {
  const cwd = scratchFolder();
  configuration = loadConfiguration(new Options({}), { cwd, env: {}, home: cwd, platform: 'linux' });
  const store = new ArtifactFiles(configuration.stateDir.value);
  const definition = await store.put('{"id": "desk", "role": "Works.", "model": "m"}', { mediaType: 'application/json', name: 'desk' });
  const plan: Plan = {
    ...{ irVersion: 2, name: 'p', source: '0'.repeat(64), trigger: { kind: 'manual' } },
    agents: { desk: { definition: definition.sha256 } },
    block: {
      order: 'sequence',
      steps: [
        { id: 'draft', kind: 'agent', agent: 'desk' },
        { id: 'ok', kind: 'approval' },
        {
          id: 'each',
          kind: 'for_each',
          items: { kind: 'literal', value: [1] },
          block: { order: 'sequence', steps: [{ id: 'one', kind: 'agent', agent: 'desk' }] },
        },
      ],
    },
  };
  stored = await new ControlFiles(configuration.stateDir.value).put('plan', JSON.stringify(plan), 'plan.json');
});

const step = (id: string, state: StepState, address = `${id}#1~1`): StepView => ({ id, address, state, kind: 'agent', round: 1, try: 1 });
const view = (steps: StepView[], more: Partial<RunView> = {}): RunView => ({
  ...{ run: 'r', runId: 'x', firstRunId: 'x', pipeline: 'p', state: 'waiting', startedAt: '', args: {}, gates: [] },
  ...{ plan: stored, steps, offset: 0, totalSteps: steps.length },
  ...more,
});

describe('what keeps the rest of a run from being worked on', () => {
  test('is reported while a step that asks an agent is not over', async () => {
    const missing = [{ code: 'secret.missing', agents: ['desk'] }];
    expect(await unservedIn(view([step('draft', 'done'), step('ok', 'waiting')]), configuration, {})).toMatchObject(missing);
    expect(await unservedIn(view([step('draft', 'failed'), step('each', 'skipped')]), configuration, {})).toMatchObject(missing);
    expect(await unservedIn(view([]), configuration, { ANTHROPIC_API_KEY: 'k' })).toEqual([]);
  });

  test('is nothing once they are over, whatever became of what is within them', async () => {
    const steps = [step('draft', 'done'), step('ok', 'waiting'), step('each', 'done'), step('one', 'failed', 'each[0]/one#1~1')];
    expect(await unservedIn(view(steps), configuration, {})).toEqual([]);
  });

  test('a step within another does not end one of its name', async () => {
    expect(await unservedIn(view([step('draft', 'done', 'each[0]/draft#1~1'), step('each', 'done')]), configuration, {})).toHaveLength(1);
  });

  test('is nothing if a script answers, and not known if the plan is another host’s', async () => {
    expect(await unservedIn(view([], { script: 'night' }), configuration, {})).toEqual([]);
    expect(await unservedIn(view([], { plan: { ...stored, sha256: 'f'.repeat(64) } }), configuration, {})).toEqual([]);
  });
});

test('a process works alone on the embedded server while no other has it', async () => {
  expect(await worksAlone(configuration)).toBe(true);
  expect(await worksAlone({ ...configuration, address: { value: 'x:7233', source: '--address' } })).toBe(false);
});

test('what cannot be refused is reported, a line each', () => {
  const terminal = fakeTerminal();
  warnUnserved([{ code: 'secret.missing', agents: ['a', 'b'], says: 'why' }], terminal, 'here, ');
  expect(terminal.written.err).toBe('! here, a, b: why\n');
});
