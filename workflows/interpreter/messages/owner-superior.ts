import { defined, unlessEmpty } from '../../../plan/defined';
import type { Starter } from '../../../plan/people/starter';
import { isSettled } from '../../../plan/run/step-state';
import type { Json } from '../../../plan/text/json';
import type { Run } from '../run';
import type { Place } from '../scheduling/place';
import { ownerOf, sendEnvelope } from './envelopes';

/**
 * The owner's superior: tells the owner to begin, is informed of the end, and speaks to people for the pipeline (docs/protocol.md, 4.8).
 */

const HUMAN = 'human';

/** The limit of the args, as JSON, in an envelope. Larger ones are only named. */
const ARGS_CHARACTERS = 16_384;

/** Who gives the owner its task: an agent, or `human`. Undefined if the owner reports to nobody. */
function superiorOf({ plan }: Run): string | undefined {
  return plan.owner === undefined ? undefined : plan.agents?.[plan.owner]?.reportsTo;
}

/** The author of the run's own messages to people. */
export function messageAuthor(run: Run): string {
  const superior = superiorOf(run);
  return superior === undefined || superior === HUMAN ? ownerOf(run) : superior;
}

/** The author, if people should see who speaks: an agent above the owner. */
export function visibleAuthor(run: Run): { from?: string } {
  const superior = superiorOf(run);
  return superior === undefined || superior === HUMAN ? {} : { from: superior };
}

/** However the run was started: its owner gets it. */
export function announceStart(run: Run): void {
  const { owner } = run.plan;
  const superior = superiorOf(run);
  if (owner === undefined || superior === undefined) return;
  const { parent, startedBy, startedFrom } = run.opened;
  const { scheduledAt } = run.ctx.info;
  const payload = {
    pipeline: run.plan.name,
    ...argsShown(run.opened.args),
    started_at: new Date(run.startedAtMs).toISOString(),
    ...defined({
      scheduled_at: scheduledAt,
      started_by: startedBy && starterShown(startedBy),
      started_from: startedFrom && { agent: startedFrom.agent, run: startedFrom.workflowId },
      parent: parent?.workflowId,
    }),
  };
  sendEnvelope(run, undefined, { from: superior, to: owner, intent: 'assign_task', payload, expect_response: true });
}

function argsShown(args: Readonly<Record<string, Json>>): { args: Record<string, Json>; args_left_out?: string[] } {
  let left = ARGS_CHARACTERS;
  const fits = Object.entries(args).filter(([name, value]) => {
    const size = name.length + JSON.stringify(value).length;
    if (size > left) return false;
    left -= size;
    return true;
  });
  const shown = Object.fromEntries(fits);
  const out = Object.keys(args).filter((name) => !Object.hasOwn(shown, name));
  return { args: shown, ...defined({ args_left_out: unlessEmpty(out) }) };
}

function starterShown(starter: Starter): Record<string, string> {
  return starter.kind === 'person' ? { person: starter.name, identity: starter.identity } : { schedule: starter.schedule };
}

/** Before a person is asked at a place after which no work is left, the superior is informed that the work is done. */
export function announceWorkDone(run: Run, { frame, path, step }: Place): void {
  if (superiorOf(run) === undefined || frame.kind !== 'run') return;
  // Searched from the end, where work is usually left.
  const left = run.plan.block.steps.findLast(({ id }) => id !== step.id && !isSettled(run.state.records[id]?.state ?? 'pending'));
  if (left) return;
  run.state.announcedDone = true;
  messageSuperior(run, { message: 'pipeline complete', asks: run.name(path) });
}

/** The owner's report to its superior that the run has ended. */
export function announceEnd(run: Run, message: string): void {
  messageSuperior(run, { message });
}

function messageSuperior(run: Run, said: { message: string; asks?: string }): void {
  const { owner, name } = run.plan;
  if (owner === undefined) return;
  const payload = { pipeline: name, ...said };
  sendEnvelope(run, undefined, { from: owner, to: superiorOf(run) ?? HUMAN, intent: 'deliver_report', payload, expect_response: false });
}
