import { judges } from '../../../kinds/questions';
import { type Envelope, type EnvelopePayload, payloadRef } from '../../../plan/agents/envelope';
import { clarifyingQuestion, type Fault, WHOLE_REPLY } from '../../../plan/agents/reply-fault';
import { defined, ifDefined, unlessEmpty } from '../../../plan/defined';
import type { ArtifactRef } from '../../../plan/run/artifact';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { TryNote } from '../../../plan/steps/try-note';
import { field } from '../../../plan/text/json';
import { noteVerdict } from '../patterns/review-feedback';
import type { Run } from '../run';
import type { Place, PlaceOf } from '../scheduling/place';
import type { StepRecord } from '../state/step-record';
import { artifactsOf } from '../steps/step-input';

/** Writes every request and reply of a run into its journal as the protocol's envelopes (docs/protocol.md, 4.3). */

/** The speaker of the pipeline itself. */
export function ownerOf(run: Run): string {
  return run.plan.owner ?? run.plan.name;
}

export function sendEnvelope(
  run: Run,
  path: string | undefined,
  envelope: Omit<Envelope, 'ref_task'>,
  mark: { unrouted?: true } = {},
): void {
  const task = path === undefined ? run.ctx.info.workflowId : `${run.ctx.info.workflowId}/${run.address(path)}`;
  const { from, to, intent, payload, expect_response } = envelope;
  const whole: Envelope = { from, to, intent, ref_task: task, payload, expect_response };
  run.journal.add({ kind: 'envelope', ...defined({ step: ifDefined(path, run.name) }), ...mark, envelope: whole });
}

/** The request that opens a try: a task, a review, or a question about missing fields. */
export function sendTask(run: Run, place: PlaceOf<'agent' | 'review'>, record: StepRecord): void {
  const { step, path } = place;
  const note = record.tries?.note;
  const findings = record.brief?.findings;
  const payload = {
    step: run.name(path),
    ...(judges(step) ? reviewed(run, place, step.of) : {}),
    ...defined({
      output: step.output?.name,
      findings: findings && { review: findings.review, ...(findings.report ? payloadRef(findings.report) : {}) },
      note: note?.reason,
    }),
  };
  if (note?.reason === 'missing_fields') {
    sendClarification(run, place, note);
    return;
  }
  const intent = judges(step) ? 'review_request' : 'assign_task';
  sendEnvelope(run, path, { from: ownerOf(run), to: step.agent, intent, payload, expect_response: true });
}

/** What a reviewer judges: the step, and its output. */
export function reviewed(run: Run, { frame }: Pick<Place, 'frame'>, of: string): { of: string; artifact?: EnvelopePayload } {
  const [judged] = artifactsOf(run, frame, [of]);
  return { of, ...defined({ artifact: judged && payloadRef(judged.artifact) }) };
}

/** Never empty, since something was wrong. */
function faultsOf({ faults = [], missingFields = [], message = 'it is not complete' }: Unusable): Fault[] {
  if (faults.length > 0) return faults;
  if (missingFields.length > 0) return missingFields.map((path) => ({ path, reason: 'is missing' }));
  return [{ path: WHOLE_REPLY, reason: `was refused: ${message}` }];
}

type Unusable = Pick<TryNote, 'faults' | 'missingFields' | 'previous'> & { message?: string };

function sendClarification(run: Run, { step, path }: PlaceOf<'agent' | 'review'>, about: Unusable): void {
  sendEnvelope(run, path, {
    from: ownerOf(run),
    to: step.agent,
    intent: 'request_clarification',
    payload: clarification(about),
    expect_response: true,
  });
}

/** The question about an unusable report (docs/protocol.md, 4.3). */
export function clarification(about: Unusable): EnvelopePayload {
  const { previous } = about;
  const faults = faultsOf(about);
  return {
    ...defined({ previous_report: previous && payloadRef(previous) }),
    missing_fields: [...new Set(faults.map(({ path }) => path))],
    faults: faults.map((fault) => ({ ...fault })),
    question: clarifyingQuestion(faults),
  };
}

export function sendReport(run: Run, place: PlaceOf<'agent' | 'review'>, artifact: ArtifactRef): void {
  const { step, path } = place;
  const intent = judges(step) ? 'review_verdict' : 'deliver_report';
  sendEnvelope(run, path, { from: step.agent, to: ownerOf(run), intent, payload: payloadRef(artifact), expect_response: false });
  if (judges(step)) noteVerdict(run, { ...place, step });
}

/** The answer to a request without a result: the asked agent gives it, or the run gives it for the agent. */
export function sendFailure(run: Run, path: string, { from, to = ownerOf(run) }: { from: string; to?: string }, error: unknown): void {
  if (!(error instanceof ThermidorFailure)) return;
  const { code, message, details } = error;
  const missing = field(details, 'missingFields');
  const payload = { error: code, message, ...defined({ missing_fields: Array.isArray(missing) ? unlessEmpty(missing) : undefined }) };
  sendEnvelope(run, path, { from, to, intent: 'deliver_report', payload, expect_response: false });
}

/** Notes that a step's own message has been sent. */
export function noteSent(run: Run, { path }: Pick<Place, 'path'>, channel: string, message: string): void {
  sendNotification(run, { step: run.name(path), address: run.address(path) }, { from: ownerOf(run), channel, message });
  run.journal.add({ kind: 'notification', step: run.name(path), channel, delivered: true, message });
}

/** A message that has gone out to a channel. `about`: the step, as people read it, and the address of its try. */
export function sendNotification(
  run: Run,
  about: { step?: string; address?: string },
  { from, channel, message }: { from: string; channel: string; message: string },
): void {
  const { step, address } = about;
  const { workflowId } = run.ctx.info;
  const envelope: Envelope = {
    from,
    to: channel,
    intent: 'notify',
    ref_task: address === undefined ? workflowId : `${workflowId}/${address}`,
    payload: { message },
    expect_response: false,
  };
  run.journal.add(step === undefined ? { kind: 'envelope', envelope } : { kind: 'envelope', step, envelope });
}
