import { readSeverity } from '../../plan/steps/findings';
import { readVerdict, verdictOf } from '../../plan/steps/verdict';

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
});
