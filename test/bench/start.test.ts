import { PIPELINE, START_CASES } from '../../bench/start/cases';
import { startFigures } from '../../bench/start/figures';
import { compilePipeline } from '../../compiler/index';

const caseOf = (name: string) => START_CASES.filter((each) => each.name === name);

test('the pipeline is one command and nothing else', () => {
  const { plan } = compilePipeline('one.yaml', PIPELINE, { read: () => undefined, list: () => [] });
  expect(plan?.block.steps.map(({ kind }) => kind)).toEqual(['command']);
});

test('a command is compared with Node’s own start, and with itself without compiled code', () => {
  const figures = caseOf('run-warm').flatMap((each) =>
    startFigures([{ case: each, ours: [600, 500, 700], uncached: [1200] }], [60, 60, 50]),
  );
  expect(figures).toMatchObject([
    { bench: 'start', case: 'run-warm', metric: 'by-node', ours: 600, reference: 60, ratio: 10, aim: 10 },
    { bench: 'start', case: 'run-warm', metric: 'by-uncached', ours: 600, reference: 1200, ratio: 0.5, aim: null },
  ]);
});

test('if Node keeps no compiled code, a command is compared with Node’s own start alone', () => {
  const figures = caseOf('run-warm').flatMap((each) => startFigures([{ case: each, ours: [600], uncached: [] }], [60]));
  expect(figures.map(({ metric }) => metric)).toEqual(['by-node']);
});

test('what a run takes has aims, with a server next to it and without', () => {
  expect(START_CASES.filter(({ aim }) => aim !== null).map(({ name }) => name)).toEqual(['run-warm', 'run-cold']);
});
