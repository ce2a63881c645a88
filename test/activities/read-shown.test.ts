import { gate } from '../../activities/gates/render-gate';
import { readShown } from '../../records/read-shown';
import { KEY, outputTemplate, workshop } from './workshop';

test('what a gate shows is found by the digest that a decision binds to, without the question', async () => {
  const at = workshop();
  await at.open([{ id: 'a', kind: 'approval', prompt: ['Fine?'], preview: ['look\u202e here'], show: ['draft'] }]);
  const draft = await at.artifacts.put('+ a line\n', { mediaType: 'text/plain', name: 'draft.txt' });
  const { question, shownSha256 } = await gate(at.toolbox, at.call('a#1~1/gate'), { run: KEY.run, inputs: { draft } });
  const shown = await readShown(at.artifacts, { shownSha256, question });
  expect(shown).toBe(`look\ufffd here\n\n## draft: draft.txt\n\nsha256 ${draft.sha256}\n\n+ a line`);
});

test('of a question alone nothing is left, and of a form its preview and its items', async () => {
  const at = workshop();
  await at.open([{ id: 'a', kind: 'approval', prompt: ['Go ', ...outputTemplate('b')] }]);
  const { question, shownSha256 } = await gate(at.toolbox, at.call('a#1~1/gate'), { run: KEY.run });
  expect(await readShown(at.artifacts, { shownSha256, question })).toBe('');
  const form = await at.blob({ prompt: 'Send?', items: [1], preview: 'to all' });
  expect(await readShown(at.artifacts, { shownSha256: form, question: 'Send?' })).toBe('to all\n\n[\n  1\n]');
});

test('of another host’s gate nothing is known here', async () => {
  expect(await readShown(workshop().artifacts, { shownSha256: 'f'.repeat(64), question: '' })).toBeUndefined();
});
