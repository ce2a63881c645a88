import type { Json } from '../../plan/text/json';
import { readSchema, schemaNames } from './program-files';
import { leavesOf, missingFields, problemsOf, strictModeComplaints } from './schema-check';

/** The reports of docs/protocol.md, 4.5, field by field. */
const BRIEF = [
  ...['date', 'market', 'thesis', 'arguments[].point', 'arguments[].evidence', 'arguments[].confidence'],
  ...['key_levels[].type', 'key_levels[].price', 'key_levels[].timeframe', 'key_levels[].evidence'],
  ...['catalysts[]', 'invalidation', 'confidence', 'data_sources[]'],
];
const FIELDS: Record<string, string[]> = {
  Finance_Research_Brief: [
    ...['date', 'market', 'macro_summary', 'key_events[].event', 'key_events[].impact', 'key_events[].source'],
    ...['sentiment.overall', 'sentiment.score', 'data_sources[]'],
  ],
  Market_Structure_Report: [
    ...['date', 'market', 'timeframes_analyzed[]', 'structure.trend', 'structure.mss_detected', 'structure.key_levels[].type'],
    ...['structure.key_levels[].price', 'structure.key_levels[].timeframe', 'structure.key_levels[].tested'],
    ...['liquidity_zones[].type', 'liquidity_zones[].range[2]', 'liquidity_zones[].significance'],
  ],
  Bullish_Brief: BRIEF,
  Bearish_Brief: BRIEF,
  Strategy_Thesis: [
    ...['date', 'market', 'direction', 'thesis', 'entry_zone[2]', 'stop_loss', 'take_profit[]', 'risk_reward', 'position_size_pct'],
    ...['risk_assessment.max_drawdown_pct', 'risk_assessment.bias_check', 'risk_assessment.bull_confidence'],
    ...['risk_assessment.bear_confidence', 'invalidation', 'requires_backtest'],
  ],
  Review_Report: [
    ...['date', 'reviewed_artifact', 'verdict', 'score', 'issues[].severity', 'issues[].field', 'issues[].description'],
    ...['issues[].suggestion', 'revise_target', 'summary'],
    // The fields that a review and fix cycle has in place of issues or next to them.
    ...['critical', 'high', 'medium', 'low'].map((severity) => `findings.${severity}`),
    'unfixable',
  ],
  Data_Analysis_Report: [
    ...['date', 'analyzed_artifact', 'metrics.total_trades', 'metrics.win_rate', 'metrics.profit_factor', 'metrics.max_drawdown_pct'],
    ...['metrics.sharpe_ratio', 'metrics.avg_rr', 'insights[]', 'recommendation', 'summary'],
  ],
};

const WORDS: Record<string, string[]> = {
  'Finance_Research_Brief key_events[].impact': ['bullish', 'bearish', 'neutral'],
  'Finance_Research_Brief sentiment.overall': ['bullish', 'bearish', 'neutral'],
  'Market_Structure_Report structure.trend': ['bullish', 'bearish', 'ranging'],
  'Market_Structure_Report structure.key_levels[].type': ['OB', 'FVG', 'POI', 'support', 'resistance'],
  'Market_Structure_Report liquidity_zones[].type': ['buy_side', 'sell_side'],
  'Market_Structure_Report liquidity_zones[].significance': ['high', 'medium', 'low'],
  'Bullish_Brief key_levels[].type': ['support', 'resistance'],
  'Bearish_Brief key_levels[].type': ['support', 'resistance'],
  'Strategy_Thesis direction': ['long', 'short', 'neutral'],
  'Strategy_Thesis risk_assessment.bias_check': ['confirmed', 'conflicting'],
  'Review_Report verdict': ['pass', 'revise', 'block', 'APPROVE', 'CONDITIONAL', 'BLOCK'],
  'Review_Report issues[].severity': ['critical', 'major', 'minor'],
  'Data_Analysis_Report recommendation': ['proceed', 'adjust', 'reject'],
};

const leaf = (place: string) => leavesOf(readSchema(place.split(' ')[0]!)).get(place.split(' ')[1]!);
const allLeaves = Object.keys(FIELDS).flatMap((name) =>
  [...leavesOf(readSchema(name))].map(([path, schema]) => [`${name} ${path}`, schema] as const),
);
const issue = { severity: 'major', field: 'stop_loss', description: 'too near', suggestion: 'move it' };
const review = { date: '2026-04-10', reviewed_artifact: 'X.json', verdict: 'pass', score: 1, issues: [], summary: 'fine' };

/** Schemas of the review gates beyond the main job. */
const OF_GATES = ['Backtest_Delivery', 'Copy_Facts', 'Engineering_Delivery', 'Outward_Copy', 'Test_Report'];

/** Schemas of the pipelines that show collaboration patterns. */
const OF_PATTERNS = ['Plan', 'Suspects'];

it('there are the seven schemas of the protocol, those of the review gates, and those of the patterns', () => {
  expect(schemaNames).toEqual([...Object.keys(FIELDS), ...OF_GATES, ...OF_PATTERNS].sort());
});

it('compiles in strict mode without a complaint', () => {
  expect(strictModeComplaints()).toEqual([]);
});

it.each(Object.entries(FIELDS))('%s has every field of the protocol, and beside them only missing_fields', (name, fields) => {
  expect([...leavesOf(readSchema(name)).keys()].sort()).toEqual([...fields, 'missing_fields[]'].sort());
});

it.each(schemaNames)('%s requires every field but missing_fields and those that replace another or are not needed', (name) => {
  const required = Object.keys((readSchema(name) as { properties: object }).properties);
  const optional = ['missing_fields', 'revise_target', 'findings', 'unfixable'];
  expect(missingFields(name, {})).toEqual(required.filter((field) => !optional.includes(field)).sort());
});

it.each(Object.entries(WORDS))('%s takes the words of the protocol', (place, words) => {
  expect(leaf(place)).toMatchObject({ type: 'string', enum: words });
});

it('no other field has a closed list of words', () => {
  expect(allLeaves.filter(([, schema]) => 'enum' in schema).map(([place]) => place)).toEqual(expect.arrayContaining(Object.keys(WORDS)));
  expect(allLeaves.filter(([, schema]) => 'enum' in schema)).toHaveLength(Object.keys(WORDS).length);
});

it('confidences, scores and the win rate go from 0 to 1', () => {
  // `sentiment` is left out because it may be negative.
  const found = allLeaves.filter(([place]) => /(confidence|score|win_rate)$/.test(place) && !place.endsWith('sentiment.score'));
  expect(found).toHaveLength(8);
  for (const [, schema] of found) expect(schema).toMatchObject({ type: 'number', minimum: 0, maximum: 1 });
});

it('what is named _pct goes from 0 to 100', () => {
  const found = allLeaves.filter(([place]) => place.endsWith('_pct'));
  expect(found).toHaveLength(3);
  for (const [, schema] of found) expect(schema).toMatchObject({ type: 'number', minimum: 0, maximum: 100 });
});

it('every date is a calendar date', () => {
  for (const name of schemaNames) expect(leaf(`${name} date`)).toMatchObject({ type: 'string', format: 'date' });
  expect(problemsOf('Review_Report', { ...review, date: '2026-02-30' }).map((p) => p.keyword)).toEqual(['format']);
});

it('a verdict of revise needs a target and an issue, other verdicts do not', () => {
  expect(problemsOf('Review_Report', review)).toEqual([]);
  expect(problemsOf('Review_Report', { ...review, verdict: 'block' })).toEqual([]);
  expect(missingFields('Review_Report', { ...review, verdict: 'revise', issues: [issue] })).toEqual(['revise_target']);
  expect(problemsOf('Review_Report', { ...review, verdict: 'revise', revise_target: 'bull' }).map((p) => p.keyword)).toContain('minItems');
  expect(problemsOf('Review_Report', { ...review, verdict: 'revise', revise_target: 'bull', issues: [issue] })).toEqual([]);
});

describe('a review with findings by severity', () => {
  const { issues: _, ...rest } = review;
  const found = (verdict: string, findings: Json) => problemsOf('Review_Report', { ...rest, verdict, findings });
  const one = [{ file: 'a.ts', line: 3, description: 'it leaks' }];

  it('needs no issues, and has one of the two', () => {
    expect(found('APPROVE', { critical: [], high: [], medium: one })).toEqual([]);
    expect(missingFields('Review_Report', { ...rest, verdict: 'APPROVE' })).toEqual(['issues']);
  });

  it.each(['critical', 'high', 'medium', 'low'])('blocks for what is %s, and names no target', (severity) => {
    expect(found('BLOCK', { [severity]: one })).toEqual([]);
  });

  it('blocks for nothing in neither shape', () => {
    expect(found('BLOCK', { critical: [], high: [] })).not.toEqual([]);
    expect(problemsOf('Review_Report', { ...review, verdict: 'BLOCK' }).map((p) => p.keyword)).toContain('minItems');
    expect(problemsOf('Review_Report', { ...review, verdict: 'BLOCK', findings: { low: one } })).toEqual([]);
  });

  it.each(['pass', 'APPROVE'])('does not say %s with something critical or high, as CONDITIONAL may', (word) => {
    for (const severity of ['critical', 'high']) {
      expect(found(word, { [severity]: one }).map((p) => p.instancePath)).toContain(`/findings/${severity}`);
      expect(found('CONDITIONAL', { [severity]: one })).toEqual([]);
    }
    expect(found(word, { low: one })).toEqual([]);
  });
});

describe('a thesis', () => {
  const rest = {
    date: '2026-04-10',
    market: 'BTC/USDT',
    thesis: 'Neither case carries.',
    invalidation: 'H4 close',
    requires_backtest: false,
  };
  const risk_assessment = { max_drawdown_pct: 0, bias_check: 'conflicting', bull_confidence: 0.5, bear_confidence: 0.5 };
  const neutral = { ...rest, risk_assessment, direction: 'neutral', position_size_pct: 0 };
  const trade = { entry_zone: [82500, 83200], stop_loss: 80900, take_profit: [86800], risk_reward: 2 };

  it('that is neutral needs no entry, stop, target or ratio, and may name if one would look again', () => {
    expect(problemsOf('Strategy_Thesis', neutral)).toEqual([]);
    expect(problemsOf('Strategy_Thesis', { ...neutral, ...trade })).toEqual([]);
  });

  it('that is neutral has no size', () => {
    expect(problemsOf('Strategy_Thesis', { ...neutral, position_size_pct: 5 }).map((p) => p.instancePath)).toContain('/position_size_pct');
  });

  it.each(['long', 'short'])('that is %s needs them all', (direction) => {
    const report = { ...neutral, direction, position_size_pct: 8 };
    expect(problemsOf('Strategy_Thesis', { ...report, ...trade })).toEqual([]);
    expect(missingFields('Strategy_Thesis', report)).toEqual(Object.keys(trade).sort());
  });
});

it('a blank is not an answer', () => {
  expect(problemsOf('Review_Report', { ...review, summary: '' }).map((p) => p.keyword)).toEqual(['minLength', 'pattern']);
});

it('an extra field is no reason to ask again', () => {
  expect(problemsOf('Review_Report', { ...review, reviewer_notes: 'none' })).toEqual([]);
});
