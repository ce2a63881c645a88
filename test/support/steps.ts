import type { StepOutput } from '../../plan/contract';
import type { Expr } from '../../plan/expression';
import type { AgentStep, ApprovalStep, CommandStep, ReviewStep, Step } from '../../plan/step';
import type { VerdictRecord } from '../../plan/verdict';
import { artifact } from './world';

/** Steps of frozen plans, with what a test does not care about filled in. */
export const command = (id: string, more: Partial<CommandStep> = {}): Step => ({
  kind: 'command',
  id,
  command: { shell: ['true'] },
  ...more,
});
export const agent = (id: string, more: Partial<AgentStep> = {}): Step => ({ kind: 'agent', id, agent: 'worker', ...more });
export const approval = (id: string, more: Partial<ApprovalStep> = {}): Step => ({ kind: 'approval', id, ...more });
export const review = (id: string, of: string, more: Partial<ReviewStep> = {}): Step => ({
  kind: 'review',
  id,
  of,
  agent: 'worker',
  reads: [['verdict']],
  onRevise: { step: of, max: 3 },
  ...more,
});

export const verdictIs = (step: string, word: string): Expr => ({
  kind: 'binary',
  operator: '==',
  left: { kind: 'output', step, path: ['verdict'] },
  right: { kind: 'literal', value: word },
});

/** What a reviewer's activity puts out. */
export function reviewed(word: VerdictRecord['verdict'], more: Partial<VerdictRecord> = {}): StepOutput {
  return { artifact: artifact(`review-${word}`), values: { verdict: word }, verdict: { verdict: word, findings: {}, ...more } };
}
