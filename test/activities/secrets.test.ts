import { GroupProcessRunner } from '../../activities/adapters/processes/process-runner';
import { LocalSecrets } from '../../activities/adapters/secrets';
import { agent } from '../../activities/agent/agent';
import { command } from '../../activities/commands/command';
import { notify } from '../../activities/gates/notify';
import { gate } from '../../activities/gates/render-gate';
import { masked } from '../../activities/masking/mask-output';
import type { Expr } from '../../plan/expressions/expression';
import type { Step } from '../../plan/steps/step';
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

  test('of the worker’s own is masked where the run cannot be loaded', async () => {
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

  test('stands as its reference in what people read', async () => {
    const at = await shopWith({ id: 'a', kind: 'approval', prompt: ['Use ', key, '?'] });
    expect((await gate(at.toolbox, at.call('a#1~1/gate'), { run: KEY.run })).question).toBe('Use secret://env/KEY?');
    const told = await shopWith({ id: 'a', kind: 'notify', channel: '#x', message: ['Used ', key] });
    const { message } = await notify(told.toolbox, call(told, 'a'), { run: KEY.run, channel: '#x' });
    expect(message).toBe('Used secret://env/KEY');
  });
});
