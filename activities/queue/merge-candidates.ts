import { defined } from '../../plan/defined';
import type { MergedAs, MergedCandidates, MergedPart, MergeInput } from '../../plan/queue/queue-activities';
import type { QueueSettings } from '../../plan/queue/queue-settings';
import type { AskedBy } from '../../plan/queue/ticket';
import { recordBuilt, recordRemarks } from '../../records/queues/queue-ledger';
import type { ActivityCall } from '../activity-call';
import { withHeartbeat } from '../heartbeat';
import type { CandidateToMerge } from '../queue-port';
import type { Toolbox } from '../toolbox';
import { signedCommit } from '../worktrees/signed-commit';
import { landedBefore } from './landed-before';
import { requireBuilt, requireOwnTarget, requireSubmission } from './own-records';
import { requireMergeHost } from './require-merge-host';

/** Each candidate on top of those before it that merged. */
export async function mergeCandidates(toolbox: Toolbox, call: ActivityCall, input: MergeInput): Promise<MergedCandidates> {
  return await withHeartbeat(
    call,
    () => 0,
    async () => {
      requireOwnTarget(call, input.target);
      await requireBuilt(toolbox, call, [input.onto, input.within]);
      const { onto, result, parts } = await mergeAll(toolbox, call, input);
      if (result !== onto) await keep(toolbox, call, input, result);
      const made = parts.flatMap((part) => (part.kind === 'merged' ? [part.commit] : []));
      await recordBuilt(toolbox.ledger, call.key.workflowId, [onto, ...made]);
      for (const { ticket, asked } of input.candidates) {
        const part = parts.find((one) => one.ticket === ticket);
        if (part?.kind === 'merged' && part.remarks) await recordRemarks(toolbox.ledger, call.key.workflowId, asked, part.remarks);
      }
      return { onto, result, parts };
    },
  );
}

async function mergeAll(toolbox: Toolbox, call: ActivityCall, input: MergeInput): Promise<MergedCandidates> {
  const { target, onto, within, candidates } = input;
  const host = requireMergeHost(toolbox);
  const rules = host.rules(target);
  const landed = new Map<number, string>();
  const toMerge: (CandidateToMerge & { ticket: number })[] = [];
  for (const { ticket, asked } of candidates) {
    const before = await landedBefore(toolbox, call, target, asked);
    if (before === undefined) toMerge.push({ ticket, ...(await candidateOf(toolbox, input, rules, asked)) });
    else landed.set(ticket, before);
  }
  const request = { target, strategy: rules.strategy, candidates: toMerge, ...defined({ onto, within }) };
  const merged = await host.merge(request, call.signal);
  const parts = new Map(toMerge.map(({ ticket }, i) => [ticket, merged.parts[i]]));
  return { ...merged, parts: candidates.flatMap(({ ticket }) => partOf(ticket, landed.get(ticket), parts.get(ticket))) };
}

function partOf(ticket: number, landed: string | undefined, merged: MergedAs | undefined): MergedPart[] {
  if (landed !== undefined) return [{ ticket, kind: 'already', result: landed }];
  return merged ? [{ ticket, ...merged }] : [];
}

async function candidateOf(
  toolbox: Toolbox,
  { target, atMs }: MergeInput,
  rules: QueueSettings,
  asked: AskedBy,
): Promise<CandidateToMerge> {
  const {
    candidate,
    title,
    restricted = [],
    allowEmpty,
    own,
    test,
    baseline,
    staysGreen,
  } = await requireSubmission(toolbox, asked, target);
  const commands = [rules.test, baseline, test, staysGreen].filter((command) => command !== undefined);
  const subject = rules.strategy === 'squash' ? title : `Merge ${title}`;
  // The author's run, and the moment that the queue has given: made again it is the same commit.
  const { message, signature } = signedCommit({ nowMs: () => atMs }, { key: asked }, subject);
  // The queue's patterns come last: a candidate lifts none of them.
  return {
    candidate,
    restricted: [...restricted, ...rules.restricted],
    message,
    signature,
    judged: { commands, ...defined({ own }) },
    ...defined({ allowEmpty }),
  };
}

const FORGET_MS = 10_000;

/**
 * Nobody learns of a result whose call failed, or was cancelled. If the worker is lost another one makes the same commits, and needs it.
 */
async function keep(toolbox: Toolbox, call: ActivityCall, { target, run }: MergeInput, result: string): Promise<void> {
  const host = requireMergeHost(toolbox);
  try {
    await host.keep(target, run, result, call.signal);
  } catch (error) {
    if (call.signal.aborted && !call.isCancelled?.()) throw error;
    await host
      .forget(target, run, [result], AbortSignal.timeout(FORGET_MS))
      .catch((problem: unknown) => toolbox.log('warn', 'refs of a merge queue could not be removed', { problem: String(problem) }));
    throw error;
  }
}
