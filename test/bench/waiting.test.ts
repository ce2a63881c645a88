import { APPROVE_ALL, BUDGET_S, pipelineText, RUNS } from '../../bench/waiting/cases';
import { waitingFigures } from '../../bench/waiting/figures';
import { compilePipeline } from '../../compiler/index';

test('the pipeline is one gate and nothing else', () => {
  const { plan } = compilePipeline('waiting.yaml', pipelineText(), { read: () => undefined, list: () => [] });
  expect(plan?.block.steps.map(({ kind }) => kind)).toEqual(['approval']);
});

test('what a command takes beyond the client’s own start-up is compared with the budget', () => {
  const figures = waitingFigures([{ name: 'inbox-500', ours: [600, 700, 800] }], [300, 300], undefined);
  expect(figures).toMatchObject([{ case: 'inbox-500', metric: 'work-by-budget', ours: 0.4, reference: BUDGET_S, ratio: 0.8, aim: 1 }]);
});

test('a bulk that leaves one misses its aim, and one that leaves none keeps it', () => {
  const left = (applied: number) => waitingFigures([], [300], { wallMs: 10_300, waiting: RUNS, applied })[0];
  expect(left(RUNS)).toMatchObject({ case: APPROVE_ALL, metric: 'left-by-waiting', ours: 0, ratio: 0, aim: 0 });
  expect(left(RUNS - 10)).toMatchObject({ ours: 10, ratio: 0.02, aim: 0 });
});

test('a gate of the bulk is compared with a command of its own', () => {
  const figures = waitingFigures([{ name: 'approve-500', ours: [800] }], [300], { wallMs: 10_300, waiting: 500, applied: 500 });
  expect(figures.at(-1)).toMatchObject({ metric: 'gate-by-command', ours: 0.02, reference: 0.8, aim: null });
});
