import type { MergedCandidates, MergedPart, MergeInput } from '../../plan/queue/queue-activities';
import { ThermidorFailure } from '../../plan/run/failure';
import { readSubmission } from '../../records/queues/queue-ledger';
import type { ActivityCall } from '../activity-call';
import { withHeartbeat } from '../heartbeat';
import type { Toolbox } from '../toolbox';
import { signedCommit } from '../worktrees/signed-commit';
import { landedBefore } from './landed-before';
import { requireMergeHost } from './require-merge-host';

/** Each candidate on top of those before it that merged. */
export async function mergeCandidates(toolbox: Toolbox, call: ActivityCall, input: MergeInput): Promise<MergedCandidates> {
  const parts: MergedPart[] = [];
  return await withHeartbeat(
    call,
    () => 0,
    async () => {
      try {
        return await mergeAll(toolbox, call, input, parts);
      } catch (error) {
        // Where the worker is lost another one makes the same commits, and needs them.
        if (!call.signal.aborted || call.isCancelled?.()) await notKept(toolbox, input, parts);
        throw error;
      }
    },
  );
}

async function mergeAll(
  toolbox: Toolbox,
  call: ActivityCall,
  { run, target, settings, onto: below, candidates, atMs }: MergeInput,
  parts: MergedPart[],
): Promise<MergedCandidates> {
  const host = requireMergeHost(toolbox);
  const onto = below ?? (await host.head(target, call.signal));
  let result = onto;
  for (const { ticket, asked } of candidates) {
    const submission = await readSubmission(toolbox.ledger, asked);
    if (!submission) throw new ThermidorFailure('internal', `the submission "${asked.name}" of ${asked.workflowId} is gone`);
    const { candidate, title, restricted = [] } = submission;
    const landed = await landedBefore(toolbox, call, target, asked);
    if (landed !== undefined) {
      parts.push({ ticket, kind: 'already', result: landed });
      continue;
    }
    const subject = settings.strategy === 'squash' ? title : `Merge ${title}`;
    // The author's run, and the moment that the queue has given: made again it is the same commit.
    const { message, signature } = signedCommit({ nowMs: () => atMs }, { key: asked }, subject);
    const rules = { strategy: settings.strategy, restricted: [...settings.restricted, ...restricted] };
    const merged = await host.merge({ target, run, onto: result, candidate, ...rules, message, signature }, call.signal);
    parts.push({ ticket, ...merged });
    if (merged.kind === 'merged') result = merged.commit;
  }
  return { onto, result, parts };
}

const FORGET_MS = 10_000;

/** Nobody learns of commits that were made before the call failed, or was called off. */
async function notKept(toolbox: Toolbox, { target, run }: MergeInput, parts: readonly MergedPart[]): Promise<void> {
  const commits = parts.flatMap((part) => (part.kind === 'merged' ? part.commit : []));
  if (commits.length === 0) return;
  await requireMergeHost(toolbox)
    .forget(target, run, commits, AbortSignal.timeout(FORGET_MS))
    .catch((error: unknown) => toolbox.log('warn', 'refs of a merge queue are not removed', { problem: String(error) }));
}
