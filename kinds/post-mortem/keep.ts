import { defined } from '../../plan/defined';
import { type KeptFile, type MinedJournal, type MineJournalInput, MOST_PAGES } from '../../plan/memory/post-mortem-activities';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import type { Run } from '../../workflows/interpreter/run';
import { runEnd } from '../../workflows/interpreter/run-end';
import type { PlaceOf } from '../../workflows/interpreter/scheduling/place';
import type { StepRecord } from '../../workflows/interpreter/state/step-record';
import { HEARTBEAT_MS, QUICK_ACTIVITY_MS } from '../../workflows/interpreter/steps/activity-timeouts';
import { recordOutput } from '../../workflows/interpreter/steps/record-output';

type PostMortemPlace = PlaceOf<'post_mortem'>;

/** The journal of 100,000 steps takes minutes. */
const MINING_MS = 10 * QUICK_ACTIVITY_MS;
/** Three files, and each may be locked for half a minute. */
const KEEPING_MS = 3 * QUICK_ACTIVITY_MS;

/** The journal of the run so far. All of it is in the store before it is read. */
export async function mineJournal({ run }: Interpreter, place: PostMortemPlace, ctx: StepContext): Promise<MinedJournal> {
  await ctx.through('journal', () => run.journal.flush('rest'));
  const options = { address: `${run.address(place.path)}/mined`, startToCloseMs: MINING_MS, heartbeatMs: HEARTBEAT_MS };
  return await ctx.call('mined', 'mineJournal', () => journalOf(run), options);
}

function journalOf(run: Run): MineJournalInput {
  const { pages } = run.journal;
  const listed = pages.slice(-MOST_PAGES);
  const leftOut = (listed[0]?.fromSeq ?? 1) - 1;
  return {
    run: run.ctx.info.firstRunId,
    pages: listed.map(({ fromSeq, toSeq, ref: { sha256 } }) => ({ fromSeq, toSeq, sha256 })),
    ...(leftOut > 0 ? { leftOut } : {}),
    end: runEnd(run.state.closing) ?? { state: 'completed' },
  };
}

/** Lessons go where the file says, and the journal records the result. */
export async function keepLessons(
  it: Interpreter,
  place: PostMortemPlace,
  record: StepRecord,
  ctx: StepContext,
  report: ArtifactRef,
): Promise<void> {
  const { run } = it;
  const options = { address: `${run.address(place.path)}/kept`, startToCloseMs: KEEPING_MS, heartbeatMs: HEARTBEAT_MS };
  const input = () => ({ run: run.ctx.info.firstRunId, report });
  const { artifact, kept } = await ctx.call('kept', 'keepLessons', input, options);
  ctx.once('noted', () => {
    recordOutput(record, place.step, { artifact });
    for (const file of kept) note(it, place, file);
  });
}

function note({ run }: Interpreter, { path }: PostMortemPlace, { file, added, confirmed, problems = [], error }: KeptFile): void {
  const about = { kind: 'memory', step: run.name(path), file } as const;
  run.journal.add(error ? { ...about, event: 'failed', error } : { ...about, event: 'written', ...defined({ added, confirmed }) });
  for (const reason of problems) run.journal.add({ ...about, event: 'unreadable', reason });
}
