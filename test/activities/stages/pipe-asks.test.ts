import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stages } from '../../../activities/stages/stages-activity';
import { KEY } from '../workshop';
import { ADDRESS, done, print, run, shop, stage, step, stored } from './pipe-step';

describe('a pipe that asks', () => {
  const PIPE = [
    stage('exec', [], { shell: 'echo x >> "$RUNS"; echo [1,2]', json: true }),
    stage('approve', [], { prompt: 'Go on?', 'preview-from-stdin': true, limit: '1' }),
    stage('map', [], { wrap: 'n' }),
    stage('ask', [], { prompt: 'How many?', schema: '{"type": "number"}', 'subject-from-stdin': true }),
    stage('map', [], { wrap: 'answer' }),
  ];

  test('halts with its form, goes on after it with the answer, and repeats nothing before it', async () => {
    const at = shop();
    const runs = join(at.root, 'runs');
    const what = step(PIPE, { env: { RUNS: [runs] } });
    const first = await run(at, what);
    expect(first).toMatchObject({ kind: 'asks', stage: 1, gate: 'approval', question: { question: 'Go on?' } });
    if (first.kind !== 'asks') throw new Error('it did not ask');
    const form = JSON.parse((await at.artifacts.get(first.question.form)).toString());
    expect(form).toEqual({ prompt: 'Go on?', items: [1, 2], preview: '[\n  1\n]' });

    const second = await stages(at.toolbox, at.call(ADDRESS), { run: KEY.run, from: { stage: 1, items: first.items, approved: true } });
    expect(second).toMatchObject({ kind: 'asks', stage: 3, gate: 'input', question: { question: 'How many?' } });
    if (second.kind !== 'asks') throw new Error('it did not ask');
    const asked = JSON.parse((await at.artifacts.get(second.question.form)).toString());
    expect(asked).toEqual({ prompt: 'How many?', responseSchema: { type: 'number' }, subject: { text: '{"n":1}\n{"n":2}' } });

    const last = await stages(at.toolbox, at.call(ADDRESS), { run: KEY.run, from: { stage: 3, items: second.items, response: 7 } });
    expect(last.kind === 'done' && (await stored(at, last.output.artifact)).content).toBe('{"answer":7}');
    expect(readFileSync(runs, 'utf8')).toBe('x\n');
  });

  test('asks after the whole pipe if the step has an approval', async () => {
    const output = await done(shop(), step([print('{"a": 1}', { json: true })], { approval: { prompt: ['Keep it?'] } }));
    expect(output.approval).toMatchObject({ question: 'Keep it?' });
  });
});

describe('a secret of the run’s', () => {
  test('reaches a command, and is in no form', async () => {
    const at = shop(undefined, { secrets: { resolve: async () => 'hush-hush' } });
    await at.ledger.putIfAbsent(KEY, 'run', {
      plan: await at.toolbox.control.put(
        'plan',
        JSON.stringify({
          irVersion: 2,
          name: 'demo',
          args: { token: { secret: true } },
          block: {
            order: 'sequence',
            steps: [
              step([stage('exec', [], { shell: 'echo $TOKEN' }), stage('approve', [], { prompt: 'Send?' })], {
                env: { TOKEN: [{ kind: 'arg', name: 'token', path: [] }] },
              }),
            ],
          },
        }),
        'demo.plan.json',
      ),
      args: { token: 'secret://env/TOKEN' },
      startedAt: '2026-11-21T07:30:00.000Z',
    } as never);
    const asked = await stages(at.toolbox, at.call(ADDRESS), { run: KEY.run });
    if (asked.kind !== 'asks') throw new Error('it did not ask');
    expect((await at.artifacts.get(asked.items)).toString()).toBe('["hush-hush"]');
    expect((await at.artifacts.get(asked.question.form)).toString()).toBe('{"prompt":"Send?","items":["***"]}');
  });
});
