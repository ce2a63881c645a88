import { readSeverity } from '../../plan/steps/findings';
import { readVerdict, verdictOf } from '../../plan/steps/verdict';
import type { Json } from '../../plan/text/json';

describe('a verdict', () => {
  it.each([
    ['pass', 'pass'],
    ['APPROVE', 'pass'],
    ['CONDITIONAL', 'pass'],
    ['revise', 'revise'],
    ['BLOCK', 'revise'],
    ['needs_retry', 'revise'],
    ['block', 'block'],
    ['fail', 'block'],
  ] as const)('%s is read as %s', (said, verdict) => {
    expect(readVerdict(said)).toBe(verdict);
  });

  it.each(['', 'maybe', 'constructor', '__proto__'])('%j is none', (said) => {
    expect(readVerdict(said)).toBeUndefined();
    expect(verdictOf({ verdict: said })).toBeUndefined();
  });

  it('reads major as high and minor as low', () => {
    expect([readSeverity('major'), readSeverity('minor'), readSeverity('toString')]).toEqual(['high', 'low', undefined]);
  });

  it('counts findings by severity, and keeps the reviewer’s own word', () => {
    const issues = [{ severity: 'critical' }, { severity: 'minor' }, { severity: 'minor' }, { note: 'no severity' }];
    expect(verdictOf({ verdict: 'fail', issues, score: 0.2, revise_target: 'bull', summary: 's' })).toEqual({
      verdict: 'block',
      said: 'fail',
      findings: { critical: 1, low: 2, medium: 1 },
      score: 0.2,
      reviseTarget: 'bull',
      summary: 's',
    });
  });

  it.each<[string, Json]>([
    ['a list', [{ severity: 'Critical', description: 'x' }]],
    ['a list for each severity', { critical: [{ description: 'x' }], high: [] }],
    ['a finding for each severity', { critical: { description: 'x' } }],
    ['a number for each severity', { critical: 1, low: 0 }],
    ['a list for each topic', { security: [{ severity: 'critical' }], style: [] }],
    ['severities for each topic', { security: { critical: [{ description: 'x' }] }, style: { low: [] } }],
    ['a finding for each topic', { security: { severity: 'critical', description: 'x' } }],
    ['one finding', { severity: 'critical', description: 'x' }],
    ['lists under names that every object has', JSON.parse('{"__proto__": [{"severity": "critical"}], "constructor": {}}')],
  ])('a critical finding is found in %s, and no conditional pass goes by it', (_, findings) => {
    for (const key of ['findings', 'issues'])
      expect(verdictOf({ verdict: 'CONDITIONAL', [key]: findings })).toEqual({
        verdict: 'revise',
        said: 'CONDITIONAL',
        findings: { critical: 1 },
      });
    expect(verdictOf({ verdict: 'CONDITIONAL', findings, issues: findings })).toMatchObject({ findings: { critical: 1 } });
  });

  it.each(['Approve with conditions', 'BLOCKED', 'LGTM', '通过', 'REJECTED', 'pass\u200b', 'pass, but'])(
    '%j is no word for one',
    (said) => {
      expect(readVerdict(said)).toBeUndefined();
    },
  );
});
