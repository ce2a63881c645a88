import type { Authority } from '../../plan/brief/authority';
import type { Asked } from '../../plan/brief/read-hand-off';
import { defined } from '../../plan/defined';
import type { ArtifactRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import { restClock } from '../../workflows/interpreter/budget/accounts';
import { composeOutput } from '../../workflows/interpreter/containers/compose';
import { whileAskedWithin } from '../../workflows/interpreter/containers/time-limit';
import type { PartEnd, StepContext } from '../../workflows/interpreter/context/step-context';
import { grantedTo } from '../../workflows/interpreter/gates/step-grant';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { decide } from '../../workflows/interpreter/patterns/decide';
import { partOf, partPath } from '../../workflows/interpreter/patterns/parts';
import { withinTime } from '../../workflows/interpreter/patterns/within-time';
import type { PlaceOf } from '../../workflows/interpreter/scheduling/place';
import { askPerson } from './ask-person';
import { type BriefTeam, enter, open, stateOf } from './coordinator';
import { SINGLE_ROLE } from './model';
import type { CoordinatorState } from './rules/coordinator-state';
import { dueIn } from './rules/due';
import type { CoordinatorEvent, Due } from './rules/events';
import { type CoordinatorEnd, JUDGES, REPLY_DOCUMENT } from './rules/words';

/**
 * A brief that a team of roles works (docs/steps/brief.md).
 *
 * Invariants: 1. the machine alone changes the coordinator (`kinds/brief/rules/machine.ts`), one state a turn; 2. each state is in the
 * journal before anybody is asked in it; 3. each reply is a turn of a part, so that none is asked for twice; 4. what agents say is read by
 * rules, and control has only their values.
 */
export async function performBrief(it: Interpreter, place: PlaceOf<'brief'>, ctx: StepContext): Promise<undefined> {
  return await withinTime(it, place, ctx, place.step.timeoutMs, (inTime) => work({ it, place }, inTime));
}

async function work(team: BriefTeam, ctx: StepContext): Promise<undefined> {
  const { it, place } = team;
  ctx.once('open', () => open(team));
  // What people take their time for is not the brief's.
  const rests = (isAsked: boolean): boolean => isAsked || it.run.state.paused !== undefined;
  const goesOn = whileAskedWithin(it.run, place.path, (isAsked) => restClock(it.run, place.path, rests(isAsked)));
  const outcome = await ctx.loop<null, CoordinatorEnd>('states', null, (turn) => takeTurn(team, turn)).finally(goesOn);
  if (outcome === 'unplanned') throw noPlan(team);
  const { plan } = stateOf(team);
  if (outcome === 'planned' && plan) {
    await ctx.through('output', () => composeOutput(it, place, { kind: 'artifact', artifact: plan }));
    return undefined;
  }
  const { artifact } = await decide<'report'>(it, place, ctx, 'report', () => reportOf(team, outcome));
  await ctx.through('output', () => composeOutput(it, place, { kind: 'artifact', artifact }));
  if (outcome === 'stopped') throw new ThermidorFailure('brief.stopped', `a person has stopped ${it.run.name(place.path)}`);
  return undefined;
}

function noPlan({ it, place }: BriefTeam): ThermidorFailure {
  const { by, reason } = stateOf({ it, place }).halt ?? {};
  return new ThermidorFailure('brief.no-plan', `${it.run.name(place.path)} has no plan: ${by}: ${reason}`);
}

async function takeTurn(team: BriefTeam, ctx: StepContext): Promise<{ next: null } | { done: CoordinatorEnd }> {
  const due = ctx.once('due', () => dueIn(stateOf(team)));
  if (due.kind === 'over') return { done: ctx.once('over', () => stateOf(team).over ?? 'success') };
  const event = await eventFor(team, ctx, due);
  ctx.once('entered', () => enter(team, event));
  return { next: null };
}

async function eventFor(team: BriefTeam, ctx: StepContext, due: Exclude<Due, { kind: 'over' }>): Promise<CoordinatorEvent> {
  if (due.kind === 'call') return await callRole(team, ctx, due);
  if (due.kind === 'operator' || (due.kind === 'confirm' && due.isAsked)) return await askPerson(team, ctx, due);
  return { kind: 'go' };
}

type Call = Extract<Due, { kind: 'call' }>;

async function callRole(team: BriefTeam, ctx: StepContext, call: Call): Promise<CoordinatorEvent> {
  const { it, place } = team;
  const { role, number, expects, subtask, toolCalls } = call;
  const assigned = await decide<'assignment'>(it, place, ctx, `assignment-${number}`, () => ({
    call: { rule: 'assignment', given: { role, expects, ...defined({ subtask }) } },
    documents: documentsFor(stateOf(team), call),
    readsMatter: true,
  }));
  const handOff = askedFor(team, call);
  const part = partOf(it, place, role);
  const given = { assignment: assigned.artifact };
  // What a review of the whole brief has found: who begins the work anew reads it.
  const findings = expects === 'plan' || role === SINGLE_ROLE ? it.run.record(place.path).brief?.findings : undefined;
  const terms = { turn: number, given, requests: 0, ...defined({ handOff, toolCalls, findings, authority: authorityOf(team, role) }) };
  const asked = await ctx.attempt(() => ctx.step(part, terms));
  const event = await eventOfReply(team, ctx, call, asked, handOff);
  const made = ctx.once('made', () => {
    const { toolCalls, requests } = it.run.state.records[partPath(place, role, number)]?.brief ?? {};
    return defined({ toolCalls, requests });
  });
  return { ...event, ...made };
}

async function eventOfReply(
  team: BriefTeam,
  ctx: StepContext,
  call: Call,
  asked: Awaited<ReturnType<typeof ctx.attempt<PartEnd>>>,
  handOff: Asked | undefined,
): Promise<CoordinatorEvent> {
  if ('failure' in asked) {
    const { code, message } = asked.failure;
    // Nobody may let that pass.
    if (code === 'brief.out-of-scope') throw asked.failure;
    return code === 'reply.invalid' ? { kind: 'malformed', reason: message } : { kind: 'failed', reason: `${code}: ${message}` };
  }
  const { artifact: reply, state } = asked.value;
  if (!reply) return { kind: 'failed', reason: `gave no reply: it was ${state}` };
  return await readReply(team, ctx, call, { reply, ...defined({ handOff }) });
}

/** What its calls of tools may do. */
function authorityOf({ place }: BriefTeam, role: string): Authority | undefined {
  const { project, roles, authorized, noOperator, noShell, askTimeoutMs } = place.step;
  const scope = roles.find(({ id }) => id === role);
  return scope && { project, role: scope, authorised: authorized, ...defined({ noOperator, noShell, askTimeoutMs }) };
}

/** What a role is given to read, apart from the brief. */
function documentsFor({ plan, subtasks }: CoordinatorState, { subtask, given }: Call): Record<string, ArtifactRef> {
  const { execution, revisions = [], comment } = given;
  const current = subtasks.find(({ id }) => id === subtask);
  const before = subtasks.flatMap(({ id, execution: done }) => (current?.dependsOn.includes(id) && done ? [[`before-${id}`, done]] : []));
  return {
    ...defined({ plan: given.plan ?? plan, execution, comment }),
    ...Object.fromEntries(revisions.map((report, at) => [`revision-${at + 1}`, report])),
    ...Object.fromEntries(before),
  };
}

/** Undefined: one agent answers as it likes. */
function askedFor({ place }: BriefTeam, { role, expects, subtask = '' }: Call): Asked | undefined {
  if (role === SINGLE_ROLE) return undefined;
  if (expects !== 'plan') return { kind: expects, subtask };
  const judges: readonly string[] = ['planner', ...JUDGES];
  return { kind: 'plan', roles: place.step.roles.map(({ id }) => id).filter((id) => !judges.includes(id)) };
}

async function readReply(
  { it, place }: BriefTeam,
  ctx: StepContext,
  { role, number, subtask }: Call,
  { reply, handOff }: { reply: ArtifactRef; handOff?: Asked },
): Promise<CoordinatorEvent> {
  const { authorized, project, noShell } = place.step;
  const read = await ctx.attempt(() =>
    decide<'hand-off'>(it, place, ctx, `hand-off-${number}`, () => ({
      call: {
        rule: 'hand-off',
        given: { authorized: [...authorized, ...grantedTo(it.run, project)], ...defined({ asked: handOff, noShell }) },
      },
      documents: { [REPLY_DOCUMENT]: reply },
      grantsOf: project,
    })),
  );
  // A plan whose ids and dependencies are more than control takes.
  if ('failure' in read) return { kind: 'malformed', reason: read.failure.message };
  const { artifact, values } = read.value;
  const { flag, noticed = [] } = values;
  if (noticed.length > 0)
    ctx.once('noticed', () => {
      const step = it.run.name(place.path);
      for (const reason of noticed) it.run.journal.add({ kind: 'brief', step, event: 'noticed', role, reason, ...defined({ subtask }) });
      return null;
    });
  switch (values.kind) {
    case 'plan':
      return { kind: 'planned', plan: artifact, subtasks: values.subtasks, ...defined({ flag }) };
    case 'execution':
      return { kind: 'executed', execution: artifact, ...defined({ flag }) };
    case 'review':
      return { kind: 'reviewed', verdict: values.verdict, report: artifact, ...defined({ flag }) };
    case 'escalation':
      return { kind: 'escalated', severity: values.severity, reason: values.reason, said: artifact };
    case 'malformed':
      return { kind: 'malformed', reason: values.reason };
  }
}

function reportOf(team: BriefTeam, outcome: CoordinatorEnd) {
  const { project, briefId } = team.place.step;
  const { subtasks, requests: calls, asks, plan } = stateOf(team);
  const handed = subtasks.flatMap(({ execution, reports = {} }, at) => [
    [`execution-${at + 1}`, execution],
    ...JUDGES.map((judge) => [`${judge}-${at + 1}`, reports[judge]?.report]),
  ]);
  const rows = subtasks.map(({ id, title, role, stage, attempts, isLetPass }) => ({
    ...{ id, title, stage, attempts },
    ...defined({ role, isLetPass }),
  }));
  return {
    call: { rule: 'report', given: { project, outcome, subtasks: rows, calls, questions: asks, ...defined({ briefId }) } } as const,
    documents: defined({ plan, ...Object.fromEntries(handed) }) as Record<string, ArtifactRef>,
  };
}
