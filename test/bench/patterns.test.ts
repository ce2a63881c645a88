import { PATTERN_CASES } from '../../bench/patterns/cases';
import { patternFigures } from '../../bench/patterns/figures';
import { compilePipeline } from '../../compiler/index';

const NO_FILES = { read: () => undefined, list: () => [] };

it.each(PATTERN_CASES.map((one) => [one.name, one] as const))('%s compares two pipelines that compile', (_, { pattern, byHand }) => {
  for (const side of [pattern, byHand]) {
    const { diagnostics, plan } = compilePipeline('pipelines/one.yaml', JSON.stringify(side), NO_FILES);
    expect([diagnostics, plan?.block.steps.length]).toEqual([[], (side as { steps: object[] }).steps.length]);
  }
});

it('compares medians of wall and events', () => {
  const [one] = PATTERN_CASES;
  const sample = (wallMs: number, events: number) => ({ wallMs, events });
  const figures = patternFigures([
    { case: one!, pattern: [sample(300, 30), sample(110, 11), sample(90, 9)], byHand: [sample(100, 10), sample(50, 10), sample(200, 10)] },
  ]);
  expect(figures).toMatchObject([
    { metric: 'wall', ours: 110, reference: 100, ratio: 1.1, aim: 1.1 },
    { metric: 'events', ours: 11, reference: 10, ratio: 1.1, aim: 1.1 },
  ]);
});
