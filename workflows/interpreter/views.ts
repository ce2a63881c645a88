import { shortAddress } from '../../plan/address';
import type { RunMemo } from '../../plan/contract';
import type { ControlPlan, ControlStep } from '../../plan/control';
import {
  type RoundView,
  type RunState as RunStateName,
  type RunView,
  STATUS_PAGE,
  type StatusQuery,
  type StepView,
} from '../../plan/status';
import { addUsage, type Usage } from '../../plan/usage';
import { gateView, openGates } from './gates';
import type { Run } from './run';
import type { StepRecord, SupersededRound } from './state';

/** What queries answer: the state of a run as people and programs read it. */

export function runState(run: Run): RunStateName {
  const { ending } = run;
  if (ending && ending.kind !== 'continue') return ending.kind;
  const records = Object.values(run.state.records);
  if (run.state.paused) return 'paused';
  if (records.some((record) => record.state === 'held')) return 'held';
  const waits = records.some((record) => record.gate && !record.gate.decision);
  const works = records.some((record) => record.state === 'running');
  return waits && !works ? 'waiting' : 'running';
}

export function runView(run: Run, query: StatusQuery): RunView {
  const { info } = run.ctx;
  const offset = Math.max(0, query.offset ?? 0);
  const limit = Math.min(STATUS_PAGE, Math.max(0, query.limit ?? STATUS_PAGE));
  const { ending } = run;
  const usage = Object.values(run.state.records).reduce<Usage | undefined>(
    (sum, record) => [...(record.superseded ?? []), record].reduce((inner, round) => addUsage(inner, round.usage), sum),
    undefined,
  );
  return {
    run: info.workflowId,
    runId: info.runId,
    firstRunId: info.firstRunId,
    pipeline: run.plan.name,
    state: runState(run),
    startedAt: iso(info.startedAtMs),
    plan: run.opened.planRef,
    args: run.opened.args,
    steps: run.plan.block.steps.slice(offset, offset + limit).map((step) => stepView(run, step)),
    offset,
    totalSteps: run.plan.block.steps.length,
    gates: openGates(run).map(({ step, gate }) => gateView(run, step, gate)),
    ...(run.plan.owner === undefined ? {} : { owner: run.plan.owner }),
    ...(run.plan.description === undefined ? {} : { description: run.plan.description }),
    ...(run.state.endedAtMs === undefined ? {} : { endedAt: iso(run.state.endedAtMs) }),
    ...(run.opened.script ? { script: run.opened.script.name } : {}),
    ...(ending?.kind === 'failed' ? { error: errorOf(ending) } : {}),
    ...(ending?.kind === 'rejected' ? { reason: ending.reason } : {}),
    ...(usage ? { usage } : {}),
  };
}

function errorOf(ending: { code: string; message: string; step?: string }): NonNullable<RunView['error']> {
  const { code, message, step } = ending;
  return { code, message, ...(step === undefined ? {} : { step }) };
}

function stepView(run: Run, step: ControlStep): StepView {
  const record: StepRecord = run.state.records[step.id] ?? { state: 'pending', round: 1, try: 1 };
  const agent = 'agent' in step ? { agent: step.agent } : {};
  const waitingFor = waitsFor(run, step, record);
  return {
    id: step.id,
    kind: step.kind,
    ...agent,
    ...roundView(step.id, record, record.state),
    ...(waitingFor === undefined ? {} : { waitingFor }),
    ...(record.decision ? { decision: pick(record.decision) } : {}),
    ...(record.superseded ? { superseded: record.superseded.map((round) => roundView(step.id, round, 'superseded')) } : {}),
  };
}

function pick({ choice, by, comment }: { choice: string; by?: string; comment?: string }): NonNullable<StepView['decision']> {
  return { choice, ...(by === undefined ? {} : { by }), ...(comment === undefined ? {} : { comment }) };
}

function roundView(id: string, round: SupersededRound, state: RoundView['state']): RoundView {
  return {
    address: shortAddress({ path: [{ id }], round: round.round, try: round.try }),
    state,
    round: round.round,
    try: round.try,
    ...(round.startedAtMs === undefined ? {} : { startedAt: iso(round.startedAtMs) }),
    ...(round.endedAtMs === undefined ? {} : { endedAt: iso(round.endedAtMs) }),
    ...(round.artifact ? { artifact: round.artifact } : {}),
    ...(round.verdict ? { verdict: round.verdict } : {}),
    ...(round.usage ? { usage: round.usage } : {}),
    ...(round.error ? { error: { code: round.error.code, message: round.error.message } } : {}),
    ...(round.adapter === undefined ? {} : { adapter: round.adapter }),
  };
}

function waitsFor(run: Run, step: ControlStep, record: StepRecord): string | undefined {
  if (record.gate && !record.gate.decision) {
    return record.gate.approvers ? `a decision by ${record.gate.approvers.join(' or ')}` : 'a decision by a person';
  }
  if (record.state === 'held') return `an operator: ${record.heldFor ?? ''}`;
  if (record.resumeAtMs !== undefined && (record.state === 'running' || record.state === 'waiting')) {
    return step.kind === 'wait' ? `until ${iso(record.resumeAtMs)}` : `try ${record.try} at ${iso(record.resumeAtMs)}`;
  }
  return run.state.paused && record.state === 'running' ? 'the pause to end, after what is under way' : undefined;
}

export function runMemo(run: Run): RunMemo {
  return {
    state: runState(run),
    ...(run.plan.owner === undefined ? {} : { owner: run.plan.owner }),
    gates: openGates(run).map(({ step, gate }) => {
      const { shown: _shown, shownSha256: _digest, deadline: _deadline, question, ...view } = gateView(run, step, gate);
      return { ...view, question: question.slice(0, MEMO_QUESTION_CHARACTERS) };
    }),
  };
}
const MEMO_QUESTION_CHARACTERS = 500;

const MERMAID_CLASSES =
  'classDef done fill:#d3f9d8,stroke:#2b8a3e\nclassDef running fill:#d0ebff,stroke:#1864ab\nclassDef waiting fill:#fff3bf,stroke:#e67700\nclassDef held fill:#ffe8cc,stroke:#d9480f\nclassDef failed fill:#ffe3e3,stroke:#c92a2a\nclassDef skipped fill:#f1f3f5,stroke:#868e96';

/** The pipeline as a Mermaid flow chart, coloured by what happened. */
export function runGraph(run: Run, plan: ControlPlan): { mermaid: string } {
  const lines = ['flowchart TD'];
  plan.block.steps.forEach((step, i) => {
    const state = run.state.records[step.id]?.state ?? 'pending';
    lines.push(`  ${step.id}["${run.name(step.id)}"]${state === 'pending' ? '' : `:::${state}`}`);
    const before = plan.block.order === 'graph' ? (step.after ?? []) : [plan.block.steps[i - 1]?.id];
    for (const id of before) if (id !== undefined) lines.push(`  ${id} --> ${step.id}`);
  });
  return { mermaid: `${lines.join('\n')}\n${MERMAID_CLASSES}` };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
