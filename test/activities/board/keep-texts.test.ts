import { LocalSecrets } from '../../../activities/adapters/secrets';
import { keepTexts } from '../../../activities/board/keep-texts';
import { KEY, workshop } from '../workshop';

test('texts that are sent to a board are stored one by one under their names, and masked', async () => {
  const at = workshop({ secrets: new LocalSecrets({ TOK: 'abc+def/ghi=JKL' }) });
  await at.open([], { args: { tok: { secret: true } } }, undefined, { tok: 'secret://env/TOK' });
  const texts = [
    { as: 'description', text: 'Use abc+def/ghi=JKL.' },
    { as: 'carol.prompt', text: 'Look around.' },
  ];
  const kept = await keepTexts(at.toolbox, at.call('run/texts-1'), { run: KEY.run, texts });
  expect(kept).toMatchObject([{ text: { name: 'description.md', mediaType: 'text/plain' } }, { text: { name: 'carol.prompt.md' } }]);
  const read = await Promise.all(kept.map(async ({ text }) => text && (await at.artifacts.get(text)).toString('utf8')));
  expect(read).toEqual([expect.not.stringContaining('abc+def'), 'Look around.']);
});
