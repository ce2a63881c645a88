import type { DiagnosticCode } from './codes';

/** Codes that do not keep a pipeline from running. */
const WARNINGS: ReadonlySet<DiagnosticCode> = new Set([
  'agent.starts-nothing',
  'template.not-looked-up',
  'agent.passed-over',
  'trigger.day-and-weekday',
  'trigger.never',
  'trigger.utc',
  'skill.left-out',
  'gate.no-approver',
  'gate.needs-proven-starter',
  'gate.same-approver',
  'budget.above-run',
  'budget.unknown-cost',
  'budget.unlimited',
  'parallel.quorum-one',
  'step.no-cwd',
  'brief.no-constraints',
  'brief.same-section',
  'brief.written-key',
  'brief.deadline-passed',
  'brief.no-workdir',
  'brief.authorises-all',
  'brief.unknown-server',
  'brief.passed-over',
  'caid.many-engineers',
  'caid.few-rounds',
  'caid.untested',
  'caid.fallback',
  'consensus.one-voter',
  'command.too-long',
  'secret.not-resolved',
  'lobster.unknown-flag',
  'lobster.unknown-key',
  'lobster.ignored',
  'lobster.unknown-name',
  'lobster.cost-limit',
]);

export function severityOf(code: DiagnosticCode): 'error' | 'warning' {
  return WARNINGS.has(code) ? 'warning' : 'error';
}
