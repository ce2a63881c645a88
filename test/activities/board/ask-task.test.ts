import { LocalSecrets } from '../../../activities/adapters/secrets';
import { askTask, taskAnswer } from '../../../activities/board/ask-task';
import { compose } from '../../../activities/containers/compose';
import type { TaskOutcome } from '../../../plan/board/asked-task';
import { WHOLE_RESULT } from '../../../plan/board/task';
import type { TaskStep } from '../../../plan/steps/step';
import { readAsked, recordTaken, recordTaskOutcome } from '../../../records/asked-tasks';
import { asJson } from '../../../records/stored-json';
import { failureOf, KEY, outputTemplate, workshop } from '../workshop';

/** The side of the run that gives a task to a team. */

const SECRET = 'abc+def/ghi=JKL';
const NAME = 'look#1~1/task';
const ASKED = { ...KEY, name: NAME };
const STEP = {
  ...{ id: 'look', kind: 'task', team: 'maintainers', reads: [['result'], [WHOLE_RESULT]] },
  task: { subject: ['Look.'] },
} satisfies TaskStep;

async function scene(task: Partial<TaskStep['task']> = {}, text = 'x') {
  const at = workshop({ secrets: new LocalSecrets({ TOK: SECRET }), teamAsker: { ask: async () => true } });
  await at.open([{ ...STEP, task: { ...STEP.task, ...task } }], { args: { tok: { secret: true } } }, undefined, {
    tok: 'secret://env/TOK',
  });
  const draft = await at.artifacts.put(JSON.stringify({ text, id: 7 }), { mediaType: 'application/json' });
  return { ...at, ask: () => askTask(at.toolbox, at.call(`${NAME}/ask`), { run: KEY.run, name: NAME, inputs: { draft } }) };
}

test('its texts are rendered and masked, what it waits for among them', async () => {
  const at = await scene(
    {
      name: outputTemplate('draft', 'text'),
      blockedBy: [['triage'], ['review-', ...outputTemplate('draft', 'text')], outputTemplate('draft', 'id')],
    },
    SECRET,
  );
  await at.ask();
  expect((await readAsked(at.ledger, ASKED))?.task).toEqual({ subject: 'Look.', name: '***', blockedBy: ['triage', 'review-***', '7'] });
});

test.each(['', ' ', 'x'.repeat(5000), 'two\nlines'])('what is no name of a task is refused before anybody is asked', async (text) => {
  const at = await scene({ blockedBy: [outputTemplate('draft', 'text')] }, text);
  const failure = await failureOf(at.ask());
  expect(failure.code).toBe('task.refused');
  expect(failure.message.length).toBeLessThan(400);
  expect(await readAsked(at.ledger, ASKED)).toBeUndefined();
});

/** What the step puts out, and what expressions read of it, once the team has done its task with this result. */
async function done(result: string) {
  const at = await scene();
  expect(await at.ask()).toEqual({});
  const stored = await at.artifacts.put(result, { mediaType: 'text/plain', name: 'result.md' });
  const outcome: TaskOutcome = {
    kind: 'completed',
    id: 7,
    attempts: 2,
    owner: 'tess',
    result: { text: result.slice(0, 200), whole: stored },
  };
  await recordTaken(at.ledger, ASKED, 7);
  await recordTaskOutcome(at.ledger, ASKED, result.length > 200 ? outcome : { ...outcome, result: { text: result } });
  const { id, end } = await taskAnswer(at.toolbox, at.call(`${NAME}/answer`), { run: KEY.run, name: NAME });
  if (end?.kind !== 'completed') throw new Error(`${id} is not completed`);
  const from = { kind: 'value', value: asJson(end.output), whole: { result: WHOLE_RESULT } } as const;
  const { artifact, values } = await compose(at.toolbox, at.call('look#1~1/compose'), { run: KEY.run, from });
  const output = JSON.parse((await at.artifacts.get(artifact ?? { sha256: '' })).toString('utf8'));
  return { at, end, output, values };
}

test('a short result is in the output', async () => {
  const { output, values } = await done('it is fine');
  expect(output).toEqual({ id: 7, status: 'completed', owner: 'tess', result: 'it is fine', attempts: 2 });
  expect(values).toMatchObject({ result: 'it is fine' });
});

test('a long one is whole in the output and for expressions, and no more than its beginning goes through the run', async () => {
  const text = `${'long '.repeat(200)}${SECRET} end`;
  const { end, output, values } = await done(text);
  const whole = `${'long '.repeat(200)}*** end`;
  expect(JSON.stringify(end).length).toBeLessThan(600);
  expect(output).toEqual({ id: 7, status: 'completed', owner: 'tess', result: whole, attempts: 2 });
  expect(values).toMatchObject({ result: whole });
});

test('of one that is too long expressions read the beginning, and where the whole is', async () => {
  const text = 'é'.repeat(40_000);
  const { at, output, values = {} } = await done(text);
  expect(output).toMatchObject({ result: text });
  expect(String(values['result']).length).toBeLessThanOrEqual(201);
  const { sha256 } = values['result_whole'] as { sha256: string };
  expect((await at.artifacts.get({ sha256 })).toString('utf8')).toBe(text);
});
