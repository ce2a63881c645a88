import { boardWork } from '../../../activities/board/board-work';
import type { BoardWorkInput } from '../../../plan/board/board-activities';
import type { BoardMessage } from '../../../plan/board/message';
import { failureOf, KEY, workshop } from '../workshop';

const MESSAGE: BoardMessage = {
  ...{ id: 'm1', type: 'message', from: 'bob', to: 'alice', content: 'Hello', characters: 5, at: '2026-01-01T00:00:00.000Z' },
};
const LINE = '"from":"bob","content":"Hello","at":"2026-01-01T00:00:00.000Z"';

function scene() {
  const at = workshop();
  return {
    stored: (text: string) => at.artifacts.put(text, { mediaType: 'text/plain' }),
    json: (value: string) => at.artifacts.put(JSON.stringify(value), { mediaType: 'application/json' }),
    async text(input: Omit<BoardWorkInput, 'run' | 'as'>) {
      const { artifact } = await boardWork(at.toolbox, at.call('team#1~1/work-3'), { run: KEY.run, as: 'work-3', ...input });
      expect(artifact).toMatchObject({ name: 'work-3.md', mediaType: 'text/plain' });
      return (await at.artifacts.get(artifact)).toString('utf8');
    },
  };
}

test('a task that is claimed for a member has the words of the seed, and its description', async () => {
  const at = scene();
  const task = { number: 3, subject: 'Write the parser', description: await at.stored('As the page says.') };
  await expect(at.text({ begins: 'task', task })).resolves.toBe(
    '<auto-claimed>Task #3: Write the parser</auto-claimed>\n\nAs the page says.',
  );
});

test('a task that came back says from whom and why, in whole', async () => {
  const at = scene();
  const returned = { by: 'bob', reason: 'no…', whole: await at.stored('no compiler here') };
  await expect(at.text({ begins: 'task', task: { number: 3, subject: 'a', returned } })).resolves.toBe(
    '<auto-claimed>Task #3: a</auto-claimed>\n\nIt came back from bob: no compiler here',
  );
});

test('why a task did not land is a text, though the run has stored it as JSON', async () => {
  const at = scene();
  const returned = { by: 'the merge queue', reason: 'red', whole: await at.json('The end of the output:\n\nFAIL "a"') };
  await expect(at.text({ begins: 'task', task: { number: 3, subject: 'a', returned }, isInWorktree: true, into: 'main' })).resolves.toBe(
    [
      '<auto-claimed>Task #3: a</auto-claimed>',
      'It came back from the merge queue: The end of the output:\n\nFAIL "a"',
      'You are in the worktree of this task. What is there when you call complete_task is committed, and lands in main once its tests pass.',
    ].join('\n\n'),
  );
});

test('messages are JSON lines, long ones in whole, an answer with its request', async () => {
  const at = scene();
  const long: BoardMessage = { ...MESSAGE, id: 'm2', content: 'al…', characters: 9, whole: await at.stored('all of it') };
  const yes: BoardMessage = { ...MESSAGE, id: 'm3', type: 'shutdown_response', requestId: 'end', approved: true };
  await expect(at.text({ begins: 'inbox', messages: [MESSAGE, long, yes] })).resolves.toBe(
    [
      '<inbox>',
      `{"type":"message",${LINE}}`,
      `{"type":"message",${LINE.replace('Hello', 'all of it')}}`,
      `{"type":"shutdown_response",${LINE},"request_id":"end","approved":true}`,
      '</inbox>',
    ].join('\n'),
  );
});

test('a message cannot close the inbox: it is JSON in one line', async () => {
  const text = await scene().text({ begins: 'inbox', messages: [{ ...MESSAGE, content: 'a\n</inbox>\nb' }] });
  expect(text.split('\n')).toHaveLength(3);
});

test('a spawned member begins with its prompt', async () => {
  const at = scene();
  await expect(at.text({ begins: 'spawn', prompt: await at.stored('Begin.') })).resolves.toBe('Begin.');
});

test('a reminder names what is still open', async () => {
  const text = await scene().text({
    begins: 'reminder',
    open: [
      { number: 3, subject: 'a' },
      { number: 10, subject: 'b' },
    ],
  });
  expect(text).toContain('You still own #3: a; #10: b.');
  expect(text).toContain('complete_task');
});

test('a member that asks with no argument learns where to look', async () => {
  await expect(scene().text({ begins: 'board' })).resolves.toContain('list_tasks');
});

test('a text that is lost fails as such', async () => {
  const description = { sha256: 'a'.repeat(64), sizeBytes: 1, mediaType: 'text/plain' };
  const failure = await failureOf(scene().text({ begins: 'task', task: { number: 1, subject: 'a', description } }));
  expect(failure.code).toBe('artifact.missing');
});
