import { CATALOGUE } from '../../cli/catalogue';
import { buildProgram } from '../../cli/program';
import { clearLines, nextLines, renderNext } from '../../cli/rendering/next-actions';
import { fakeTerminal } from './fake-terminal';
import { runView, stepView } from './views';

const RUN = 'daily-20261121-7f3k2a';

test.each([
  ['paused', runView([], { state: 'paused' }), undefined, [`thermidor unpause ${RUN}`]],
  ['failed', runView([], { state: 'failed' }), 'each[0]/build', [`thermidor rerun ${RUN} --from 'each[0]/build'`]],
  ['completed', runView([], { state: 'completed' }), undefined, []],
  [
    'held',
    runView([stepView('bull', { state: 'held' })], { state: 'held' }),
    undefined,
    [`thermidor retry ${RUN} bull`, `thermidor skip ${RUN} bull`, `thermidor abort ${RUN}`],
  ],
  [
    'paused with two steps held',
    runView([], {
      state: 'paused',
      paused: {},
      held: [
        { step: 'a', reason: 'x' },
        { step: 'each[0]/b', reason: 'y' },
      ],
    }),
    undefined,
    [
      `thermidor unpause ${RUN}`,
      `thermidor retry ${RUN} a`,
      `thermidor skip ${RUN} a`,
      `thermidor retry ${RUN} 'each[0]/b'`,
      `thermidor skip ${RUN} 'each[0]/b'`,
      `thermidor abort ${RUN}`,
    ],
  ],
])('what goes on with a run that is %s, and every line is one that the program takes', async (_, view, from, lines) => {
  expect(nextLines(view, '', from)).toEqual(lines);
  for (const line of nextLines(view, ' --address there:7233', from)) {
    expect(line).toMatch(/ --address there:7233$/);
    const reached: string[] = [];
    const program = buildProgram(fakeTerminal(), '0', async ({ name }) => void reached.push(name));
    await program.parseAsync(line.replaceAll("'", '').split(' ').slice(1), { from: 'user' });
    expect(CATALOGUE.map(({ name }) => name)).toContain(reached[0]);
  }
});

test('nothing is said if there is nothing to do', () => {
  expect(renderNext([], true)).toBe('');
  expect(renderNext(['thermidor x'], true)).toMatch(/:\n {2}thermidor x\n$/);
});

test('a queue that no worker serves is cleared by a worker that serves it, any other lack by any worker', () => {
  const place = { address: 'there:7233', namespace: 'default', flags: ' --address there:7233' };
  const lines = (queue?: string) =>
    clearLines(RUN, { kind: 'no-worker', text: 'no worker', ...(queue === undefined ? {} : { queue }) }, { only: false, place });
  expect(lines('gpu')).toEqual(['thermidor worker --queues default,gpu --address there:7233']);
  expect(lines()).toEqual(['thermidor worker --address there:7233']);
});
