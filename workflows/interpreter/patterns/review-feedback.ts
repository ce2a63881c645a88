import { defined } from '../../../plan/defined';
import type { Feedback } from '../../../plan/patterns/feedback';
import type { Run } from '../run';
import type { PlaceOf } from '../scheduling/place';
import { judgeStateOf } from '../state/kind-state';

/** The feedback of a review in the journal (docs/patterns.md, CP-2). */
type Review = PlaceOf<'review'>;

/** Notes a reviewer's verdict on a round. */
export function noteVerdict(run: Run, place: Review): void {
  const { verdict: record } = judgeStateOf(run.record(place.path)) ?? {};
  if (!record) return;
  const { verdict, said, delta } = record;
  note(run, place, {
    type: 'review_result',
    from: place.step.agent,
    data: { verdict, ...defined({ said }), ...found(run, place), ...defined({ delta }) },
  });
}

/** Notes what has to be fixed, for the agent of the step that is sent back. */
export function noteFix(run: Run, place: Review, target: string): void {
  const step = place.frame.block.steps.find(({ id }) => id === target);
  const to = step && 'agent' in step ? step.agent : target;
  note(run, place, { type: 'fix_required', from: place.step.agent, to, data: found(run, place) });
}

function found(run: Run, { path }: Review) {
  const record = run.record(path);
  return { iteration: record.round, findings: judgeStateOf(record)?.findings ?? {} };
}

function note(run: Run, { path }: Review, feedback: Feedback): void {
  run.journal.add({ kind: 'pattern', step: run.name(path), ...feedback });
}
