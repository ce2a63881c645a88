import type { Expr } from '../../plan/expressions/expression';
import type {
  AgentStep,
  ApprovalStep,
  Block,
  CommandStep,
  ForEachStep,
  InputStep,
  ParallelStep,
  PipelineStep,
  RepeatStep,
  ReviewStep,
  Step,
  SwitchStep,
  WaitStep,
} from '../../plan/steps/step';
import type { StepOutput } from '../../plan/steps/step-activity';
import type { VerdictRecord } from '../../plan/steps/verdict';
import { artifact } from './world';

/** Steps of frozen plans, with defaults for what a test does not care about. */
export const command = (id: string, more: Partial<CommandStep> = {}): Step => ({
  kind: 'command',
  id,
  command: { shell: ['true'] },
  ...more,
});
/** A step that runs others itself, as a pattern does. A test defines its own work (`interpreter/program.ts`). */
export function withParts(id: string, parts: Step[] = [], more: Partial<CommandStep> = {}): Step {
  const step = { ...command(id, more), parts };
  return step;
}
/** The handlers of a step that waits for an operator after it failed. */
export const held = { onError: [{ kind: 'hold' as const }] };
export const agent = (id: string, more: Partial<AgentStep> = {}): Step => ({ kind: 'agent', id, agent: 'worker', ...more });
export const approval = (id: string, more: Partial<ApprovalStep> = {}): Step => ({ kind: 'approval', id, ...more });
export const review = (id: string, of: string, more: Partial<ReviewStep> = {}): Step => ({
  kind: 'review',
  id,
  of,
  agent: 'worker',
  reads: [['verdict']],
  onRevise: [{ kind: 'retry', step: of, max: 3 }],
  ...more,
});

export const verdictIs = (step: string, word: string): Expr => ({
  kind: 'binary',
  operator: '==',
  left: { kind: 'output', step, path: ['verdict'] },
  right: { kind: 'literal', value: word },
});

/** The output of a reviewer's activity. */
export function reviewed(word: VerdictRecord['verdict'], more: Partial<VerdictRecord> = {}): StepOutput {
  return { artifact: artifact(`review-${word}`), values: { verdict: word }, verdict: { verdict: word, findings: {}, ...more } };
}

export const input = (id: string, more: Partial<InputStep> = {}): Step => ({ kind: 'input', id, ...more });
export const wait = (id: string, more: Partial<WaitStep>): Step => ({ kind: 'wait', id, ...more });
export const parallel = (id: string, branches: Step[], more: Partial<ParallelStep> = {}): Step => ({
  kind: 'parallel',
  id,
  branches,
  ...more,
});
/** A switch. As the compiler makes them, the conditions of its cases exclude each other. */
export const oneOf = (id: string, branches: Step[], more: Partial<SwitchStep> = {}): Step => ({ kind: 'switch', id, branches, ...more });
export const group = (id: string, steps: Step[], order: Block['order'] = 'sequence'): Step => ({
  kind: 'group',
  id,
  block: { order, steps },
});
export const forEach = (id: string, steps: Step[], more: Partial<ForEachStep> = {}): Step => ({
  kind: 'for_each',
  id,
  items: { kind: 'arg', name: 'list', path: [] },
  block: { order: 'sequence', steps },
  ...more,
});
/** A loop. If `until` is a number, it ends after so many rounds. */
export const repeat = (id: string, steps: Step[], until: number | Expr, more: Partial<RepeatStep> = {}): Step => ({
  kind: 'repeat',
  id,
  until: typeof until === 'number' ? roundIs(until) : until,
  max: 5,
  roundVar: 'round',
  lastVar: 'last',
  block: { order: 'sequence', steps },
  ...more,
});
const roundIs = (round: number): Expr => ({
  kind: 'binary',
  operator: '>=',
  left: { kind: 'variable', name: 'round', path: [] },
  right: { kind: 'literal', value: round },
});
export const pipeline = (id: string, name: string, more: Partial<PipelineStep> = {}): Step => ({
  kind: 'pipeline',
  id,
  pipeline: name,
  plan: '0'.repeat(64),
  ...more,
});
