import { defined, ifDefined, unlessEmpty } from '../../../plan/defined';
import type { GateInput, RenderedGate } from '../../../plan/people/gate-activities';
import { describeTarget } from '../../../plan/steps/action';
import { ADVICE_LIMIT } from '../../../plan/steps/escalation';
import { shortened } from '../../../plan/text/shortened';
import { Cancelled } from '../../run-context';
import type { Interpreter } from '../interpreter';
import { announceWorkDone } from '../messages/owner-superior';
import type { Run } from '../run';
import { isSuperseded, type Place } from '../scheduling/place';
import type { StepRecord } from '../state/step-record';
import { activitySummary } from '../steps/activity-options';
import { SHORT_ACTIVITY_MS } from '../steps/activity-timeouts';
import { artifactsOf, readable } from '../steps/step-input';
import { effectiveQuorum, fourEyesNote } from './four-eyes';
import { announceGate } from './gate-notices';
import type { GateRecord } from './gate-record';
import { choicesOf, type GateSpec } from './gate-spec';

/**
 * Renders what a gate shows, and opens it: it is journalled and announced. The caller keeps its record. Undefined if an earlier approval is
 * valid for it.
 */
export async function openGate(it: Interpreter, place: Place, spec: GateSpec): Promise<GateRecord | undefined> {
  const { run } = it;
  const { path } = place;
  const shown: Shown = spec.asked
    ? { question: spec.asked.question, shownSha256: spec.asked.form.sha256, form: spec.asked.form }
    : await render(it, place, spec);
  // Rendered too late: a cancelled step asks no question.
  if (isSuperseded(place) || (run.ending && run.ending.kind !== 'continue')) throw new Cancelled();
  if (shown.holds) return undefined;
  const record = run.record(path);
  if (shown.subject !== undefined || shown.approval)
    record.asked = { ...record.asked, ...defined({ subject: shown.subject, question: shown.approval }) };
  const now = run.ctx.now();
  const gate: GateRecord = {
    kind: spec.kind,
    question: shown.question,
    choices: choicesOf(spec),
    openedAtMs: now,
    shown: artifactsOf(run, place.frame, spec.show),
    shownSha256: shown.shownSha256,
    ...policyOf(run, { ...spec, ...defined({ asked: shown.approval }) }),
    ...defined({
      form: shown.form,
      account: spec.account,
      holdsHere: spec.holdsHere || undefined,
      ofCall: spec.need && (true as const),
      contentSha256: shown.contentSha256,
      raise: spec.raise,
      said: saidBefore(spec),
      deadlineMs: ifDefined(spec.timeoutMs, (ms) => now + ms),
      remindAtMs: ifDefined(spec.remindMs, (ms) => now + ms),
    }),
  };
  const name = run.name(path);
  if (spec.kind === 'approval' && spec.category === undefined) announceWorkDone(run, place);
  run.journal.add({ kind: 'step', step: name, state: 'waiting' });
  const reason = gate.note === undefined ? {} : { reason: gate.note };
  run.journal.add({ kind: 'gate', step: name, event: 'opened', question: gate.question, ...reason });
  if (spec.channel !== undefined) announceGate(run, path, gate, spec.channel);
  return gate;
}

type Shown = Pick<RenderedGate, 'question' | 'shownSha256' | 'form' | 'subject' | 'approval' | 'contentSha256' | 'holds'>;

function saidBefore({ escalation }: GateSpec): GateRecord['said'] {
  const { before = [] } = escalation ?? {};
  return unlessEmpty(before.map((one) => ({ ...one, said: shortened(one.said, ADVICE_LIMIT) })));
}

/** Who may decide, and how many must. */
function policyOf(run: Run, spec: GateSpec): Partial<GateRecord> {
  const { channel, approvers, notBy, asked, comment, identity, category, ballot } = spec;
  const required = asked?.requiredApprover === undefined ? approvers : [asked.requiredApprover];
  const asker = asked?.requireDifferentApprover && asked.initiatedBy !== undefined ? [asked.initiatedBy] : [];
  const barred = [...(notBy ?? []), ...asker];
  const quorum = effectiveQuorum(run, spec);
  const who = defined({ approvers: required, notBy: unlessEmpty(barred), quorum: quorum > 1 ? quorum : undefined });
  const note = fourEyesNote(run, spec, who);
  return {
    ...who,
    ...defined({ channel, note, comment, identity, category, ballot }),
  };
}

function render(it: Interpreter, place: Place, { show, escalation, statement, category, need, given }: GateSpec): Promise<RenderedGate> {
  const { run } = it;
  const { id, inputs = [], approval } = place.step;
  // A question after the step's work may read its output.
  const own = approval ? [id] : [];
  return run.activity(
    place,
    'gate',
    {
      ...readable(run, place, [...new Set([...inputs, ...show, ...own])]),
      ...defined({
        escalation: escalation && { ...escalation, chain: escalation.chain.map(describeTarget) },
        statement,
        category,
        need,
        given:
          given?.approvalId !== undefined && given.contentSha256 !== undefined
            ? { id: given.approvalId, contentSha256: given.contentSha256 }
            : undefined,
      }),
      ...(category === undefined || need ? {} : particularOf(run.record(place.path))),
    },
    {
      address: `${run.address(place.path)}/gate`,
      startToCloseMs: SHORT_ACTIVITY_MS,
      summary: activitySummary(run, place) ?? `gate ${run.name(place.path)}`,
    },
  );
}

/** What makes a step's action differ from that of the earlier round, or from its plan. */
function particularOf({ brief = {} }: StepRecord): Pick<GateInput, 'with' | 'findings' | 'previous'> {
  const { replaced, findings, previous } = brief;
  return defined({ with: replaced?.inputs, findings, previous });
}
