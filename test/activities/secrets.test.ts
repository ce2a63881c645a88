import { GroupProcessRunner } from '../../activities/adapters/processes/process-runner';
import { LocalSecrets } from '../../activities/adapters/secrets';
import { agent } from '../../activities/agent/agent';
import { command } from '../../activities/commands/command';
import { commands } from '../../activities/commands/commands';
import { notify } from '../../activities/gates/notify';
import { gate } from '../../activities/gates/render-gate';
import { masked } from '../../activities/masking/mask-output';
import { loadRun } from '../../activities/run/load-run';
import { inputScope } from '../../activities/run/template-scope';
import { stageEnvironment } from '../../activities/stages/stage-environment';
import type { Expr } from '../../plan/expressions/expression';
import type { Plan } from '../../plan/plan';
import type { StagesStep, Step } from '../../plan/steps/step';
import { transcriptLog } from '../../records/transcripts/transcript-log';
import { failureOf, fakeAgent, KEY, type Workshop, withAgent, workshop } from './workshop';

const SECRET = 'hush-hush "quoted"';
const key: Expr = { kind: 'arg', name: 'key', path: [] };

async function shopWith(step: Step): Promise<Workshop> {
  const at = workshop({ processes: new GroupProcessRunner(), secrets: new LocalSecrets({ KEY: SECRET }) });
  await at.open([step], { args: { key: { secret: true } } }, undefined, { key: 'secret://env/KEY' });
  return at;
}

const call = (at: Workshop, id: string) => at.call(`${id}#1~1`);

describe('a secret arg', () => {
  test('reaches a command in its shell, variables, input and argv', async () => {
    const at = await shopWith({
      id: 'a',
      kind: 'command',
      command: { shell: ['test ', key, ' = "$WANTED" && test "$T" = "$WANTED" && test "$(cat)" = "$WANTED" && printf yes'] },
      env: { T: [key], WANTED: [SECRET] },
      stdin: [key],
    });
    const { artifact } = await command(at.toolbox, call(at, 'a'), { run: KEY.run });
    expect((await at.artifacts.get(artifact!)).toString()).toBe('yes');
    const other = await shopWith({ id: 'a', kind: 'command', command: { argv: [['printf'], ['%s'], [key]] }, readsStdout: true });
    const output = await command(other.toolbox, call(other, 'a'), { run: KEY.run });
    expect((await other.artifacts.get(output.artifact!)).toString()).toBe(SECRET);
    expect(output.values).toEqual({ $stdout: '***' });
  });

  test('is masked in what a command fails with', async () => {
    const at = await shopWith({ id: 'a', kind: 'command', command: { shell: ['echo ', key, ' >&2; exit 1'] } });
    const failure = await failureOf(masked(at.toolbox, KEY, () => command(at.toolbox, call(at, 'a'), { run: KEY.run })));
    expect(failure).toMatchObject({ code: 'command.failed', details: { stderr: '***\n', exitCode: 1 } });
    expect(failure.message).not.toContain('hush');
  });

  test('is masked in what a command fails with, though its reference leads nowhere by then, or elsewhere', async () => {
    for (const replaced of [{}, { KEY: 'another' }]) {
      const environment: Record<string, string> = { KEY: SECRET };
      const at = workshop({ processes: new GroupProcessRunner(), secrets: new LocalSecrets(environment) });
      const fails: Step = { id: 'a', kind: 'command', command: { shell: ['echo ', key, ' >&2; exit 1'] } };
      await at.open([fails], { args: { key: { secret: true } } }, undefined, { key: 'secret://env/KEY' });
      const work = async () => {
        try {
          return await command(at.toolbox, call(at, 'a'), { run: KEY.run });
        } finally {
          delete environment['KEY'];
          Object.assign(environment, replaced);
        }
      };
      expect(await failureOf(masked(at.toolbox, KEY, work))).toMatchObject({ details: { stderr: '***\n' } });
    }
  });

  test('of the worker’s own is masked if the run cannot be loaded', async () => {
    const secrets = { resolve: () => Promise.reject(new Error('no')), known: () => ['sk-Worker-0123'] };
    const { toolbox } = workshop({ secrets });
    const failure = masked(toolbox, KEY, () => Promise.reject(new Error('refused for sk-Worker-0123')));
    await expect(failure).rejects.toMatchObject({ message: 'refused for ***' });
  });

  test('is masked in a bug’s message and stack', async () => {
    const at = await shopWith({ id: 'a', kind: 'wait', forMs: 1 });
    const bug = masked(at.toolbox, KEY, () => Promise.reject(new TypeError(`x ${SECRET} y`)));
    await expect(bug).rejects.toMatchObject({ name: 'TypeError', message: 'x *** y', stack: expect.not.stringContaining('hush') });
  });

  test('is sent to an agent, and masked in its transcript and its output', async () => {
    const adapter = fakeAgent(({ prompt }) => `{"said": ${JSON.stringify(prompt.includes(SECRET) ? SECRET : 'nothing')}}`);
    const at = workshop({ secrets: new LocalSecrets({ KEY: SECRET }), ...withAgent(adapter) });
    const prompt = await at.blob(['Use ', key]);
    const step: Step = { id: 'a', kind: 'agent', agent: 'bull', prompt, reads: [['said']] };
    await at.open([step], { args: { key: { secret: true } } }, undefined, { key: 'secret://env/KEY' });
    const output = await agent(at.toolbox, call(at, 'a'), { run: KEY.run });
    expect(output.values).toEqual({ said: '***' });
    expect(JSON.stringify(await at.ledger.lines(KEY, transcriptLog('a#1~1')))).not.toContain('hush');
  });

  test('is shown as its reference in what people read', async () => {
    const at = await shopWith({ id: 'a', kind: 'approval', prompt: ['Use ', key, '?'] });
    expect((await gate(at.toolbox, at.call('a#1~1/gate'), { run: KEY.run })).question).toBe('Use secret://env/KEY?');
    const told = await shopWith({ id: 'a', kind: 'notify', channel: '#x', message: ['Used ', key] });
    const { message } = await notify(told.toolbox, call(told, 'a'), { run: KEY.run, channel: '#x' });
    expect(message).toBe('Used secret://env/KEY');
  });
});

describe('a variable of a step that is a reference to a secret', () => {
  const read: Step = { id: 'a', kind: 'command', command: { shell: ['printf %s "$T"'] }, env: { T: ['secret://env/KEY'] } };
  async function opened(step: Step, environment: NodeJS.ProcessEnv, more: Partial<Plan> = {}): Promise<Workshop> {
    const at = workshop({ processes: new GroupProcessRunner(), secrets: new LocalSecrets(environment) });
    await at.open([step], more);
    return at;
  }
  const printed = async (at: Workshop, step = 'a') => {
    const { artifact, values } = await command(at.toolbox, call(at, step), { run: KEY.run });
    return { text: (await at.artifacts.get(artifact!)).toString(), values };
  };

  test('has its value, which is masked in what travels and in logs', async () => {
    const at = await opened({ ...read, readsStdout: true }, { KEY: SECRET });
    expect(await printed(at)).toEqual({ text: SECRET, values: { $stdout: '***' } });
  });

  test('has it within loops and branches, and in a chain', async () => {
    const within: Step = {
      id: 'each',
      kind: 'for_each',
      items: { kind: 'literal', value: [1] },
      block: { order: 'sequence', steps: [read] },
    };
    const at = await opened(within, { KEY: SECRET });
    const { artifact } = await command(at.toolbox, call(at, 'each[0]/a'), { run: KEY.run });
    expect((await at.artifacts.get(artifact!)).toString()).toBe(SECRET);
    const chained = await opened({ ...read, readsStdout: true }, { KEY: SECRET });
    const { done } = await commands(chained.toolbox, chained.call('chain-1'), { run: KEY.run, steps: [{ address: 'a#1~1', input: {} }] });
    expect(done[0]?.output.values).toEqual({ $stdout: '***' });
  });

  test('fails before the command starts if it leads nowhere, and the message names both', async () => {
    const run = jest.fn();
    const at = workshop({ processes: { run }, secrets: new LocalSecrets({}) });
    await at.open([read]);
    const failure = await failureOf(command(at.toolbox, call(at, 'a'), { run: KEY.run }));
    expect(failure).toMatchObject({ code: 'secret.missing', details: { step: 'a', variable: 'T' } });
    expect(failure.message).toContain('secret://env/KEY');
    expect(run).not.toHaveBeenCalled();
  });

  test.each<[string, string, Partial<Step>, Partial<Plan>]>([
    ['within other text', 'Bearer secret://env/KEY', { env: { T: ['Bearer secret://env/KEY'] } } as Partial<Step>, {}],
    ['from data', 'secret://env/KEY', { env: { T: [{ kind: 'literal', value: 'secret://env/KEY' }] } } as Partial<Step>, {}],
    ['in a Lobster file', 'secret://env/KEY', {}, { dialect: 'lobster' }],
  ])('is text %s', async (_, text, more, plan) => {
    expect((await printed(await opened({ ...read, ...more } as Step, { KEY: SECRET }, plan))).text).toBe(text);
  });

  test('has its value in a pipe, too', async () => {
    const at = await opened(read, { KEY: SECRET });
    const run = await loadRun(at.toolbox, KEY);
    const scope = await inputScope(at.toolbox, run, {});
    const pipe = { id: 'a', kind: 'stages', stages: [], env: { T: ['secret://env/KEY'] } } as unknown as StagesStep;
    expect((await stageEnvironment(at.toolbox, run, pipe, scope)).environment).toEqual({ T: SECRET });
  });
});
