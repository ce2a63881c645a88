import { endOutput } from '../../client/outcome';
import { readJournal } from '../../client/read-journal';
import { traitsOf } from '../../kinds/traits';
import { defined, unlessEmpty } from '../../plan/defined';
import { ThermidorFailure } from '../../plan/run/failure';
import type { JournalEntry } from '../../plan/run/journal';
import type { RunView, StepView } from '../../plan/run/status';
import { field, isJsonObject, type Json } from '../../plan/text/json';
import { copyField, plain } from '../../plan/text/spelled-json';
import type { OutputDigest } from '../../records/artifact-store';
import { locateOutput } from '../../records/read-content';
import type { Records } from '../../records/records';
import { answerLines } from '../rendering/answer';
import { nextLines, renderNext } from '../rendering/next-actions';
import { isShort, type RenderedResult, renderResult } from '../rendering/result';
import { lastIdOf, pathOfStep } from '../rendering/step-tree';
import { renderSummary, type SummarizedArtifact } from '../rendering/summary';
import { oneLine } from '../rendering/text/printable';
import { renderTree } from '../rendering/tree';
import { failedStep } from '../rerun/failed-step';
import { readViewIfAny } from '../rerun/read-view';
import { recordedView } from '../rerun/recorded-view';
import { readForm } from '../response';
import { serverLocation } from '../session/server-location';
import type { Session } from '../session/session';
import { type ShownContent, shownContent } from '../session/shown-content';
import { givenFlags } from '../settings/given-flags';
import { recordsOf } from '../settings/records';
import type { Terminal } from '../terminal';
import type { Followed } from './follow';
import { followedResult } from './result';

/** Prints the end of a followed run, or its rest. */
const READ_LIMIT_BYTES = 1024 * 1024;
const HEADLINES = ['thesis', 'summary'] as const;
const FACTS = ['direction', 'verdict', 'recommendation', 'risk_reward', 'confidence', 'score'] as const;

export async function printOutcome(session: Session, terminal: Terminal, followed: Followed): Promise<void> {
  const { view } = followed;
  if (view === undefined) {
    const error = followed.outcome?.error;
    if (error !== undefined) terminal.err(`${terminal.colors.red('✗')} ${error.message} ${terminal.colors.dim(error.code)}\n`);
    return;
  }
  // A tree that was drawn in place is on the screen already.
  if (!terminal.live) {
    const lines = renderTree(view, { colors: terminal.colors, columns: 200, now: Date.now() });
    terminal.out(`\n${lines.join('\n')}\n`);
  }
  const records = recordsOf(session.configuration);
  const content = await shownContent(records, view);
  const flags = givenFlags(session.configuration);
  const result = await followedResult(view, endOutput(followed.outcome), content, flags);
  if (result !== undefined) terminal.out(`\n${renderResult(result, terminal.colors)}`);
  const artifacts = (await summarize(view, records, content)).map((artifact) => withoutResult(artifact, result));
  const summary = renderSummary(view, artifacts, await announcements(session, view), terminal.colors);
  if (summary !== '') terminal.out(`\n${summary}`);
  if (followed.scripted.length > 0) {
    const who = followed.scripted.map(({ step, choice, by }) => `${choice} at ${step}${by === undefined ? '' : ` as ${by}`}`).join(', ');
    terminal.out(terminal.colors.yellow(`The script's people decided, not a person: ${who}.\n`));
  }
  const next = renderNext(await nextOf(session, view), followed.outcome !== undefined);
  if (next !== '') terminal.out(`\n${next}`);
}

/** Work that the ledger has need not run again (`recorded-view.ts`). */
async function nextOf({ client, configuration }: Session, view: RunView): Promise<string[]> {
  const known = await recordedView(view, () => recordsOf(configuration));
  const from = await failedStep(known, (child) => readViewIfAny(client, child));
  return nextLines(view, givenFlags(configuration), from);
}

/** A summary of the result is left out: the result itself is shown. */
function withoutResult(artifact: SummarizedArtifact, result: (RenderedResult & { step?: string }) | undefined): SummarizedArtifact {
  if (result === undefined || artifact.step !== result.step || !isShort(result)) return artifact;
  const { headline: _headline, ...rest } = artifact;
  return rest;
}

/**
 * The same as one document: the run's view, its outputs with their paths, how it ended, and how to answer open gates.
 *
 * @param receipt the receipt of the order after which the run was followed
 */
export async function outcomeDocument(
  session: Session,
  run: string,
  followed: Followed,
  receipt: object = {},
): Promise<Record<string, unknown>> {
  const { view, outcome } = followed;
  const records = recordsOf(session.configuration);
  const next = view === undefined ? [] : await nextOf(session, view);
  const gates = await Promise.all((view?.gates ?? []).map(async (gate) => ({ gate, form: await readForm(records.artifacts, gate) })));
  const document = {
    run,
    ...receipt,
    ...(view ?? {}),
    ...(outcome === undefined ? {} : { state: outcome.state, output: outcome.output, error: view?.error ?? outcome.error }),
    artifacts: view === undefined ? [] : await summarize(view, records, await shownContent(records, view)),
    ...defined({
      decidedByScript: unlessEmpty(followed.scripted),
      next: unlessEmpty(next),
      answers:
        outcome !== undefined || gates.length === 0
          ? undefined
          : gates.map(({ gate, form }) => ({
              step: gate.step,
              ...defined({ form }),
              lines: answerLines(run, gate, gates.length === 1, serverLocation(session), form),
            })),
    }),
  };
  // A copy by spreading would forget how a number was written.
  if (outcome !== undefined) copyField(outcome, 'output', document);
  return document;
}

/** The final artifact of each step, with what its content says of itself. */
async function summarize(view: RunView, records: Records, content: ShownContent): Promise<SummarizedArtifact[]> {
  const withArtifact = view.steps.filter(
    (step): step is StepView & { artifact: NonNullable<StepView['artifact']> } => step.artifact !== undefined,
  );
  return Promise.all(
    withArtifact.map(async ({ id, address, artifact }) => {
      const found: SummarizedArtifact = { step: pathOfStep({ id, address }), name: artifact.name ?? artifact.sha256, facts: [] };
      const path = await locateOutput(records, view.run, address, artifact);
      if (path !== undefined) found.path = path;
      return artifact.sizeBytes > READ_LIMIT_BYTES ? found : withHeadline(found, await contentOrNothing(content, artifact));
    }),
  );
}

/** Content that is not here (another host's store) only makes the summary shorter. */
async function contentOrNothing(content: ShownContent, artifact: OutputDigest): Promise<Json> {
  try {
    return plain(await content.read(artifact));
  } catch (error) {
    if (error instanceof ThermidorFailure && error.code === 'artifact.missing') return null;
    throw error;
  }
}

function withHeadline(found: SummarizedArtifact, content: Json): SummarizedArtifact {
  if (!isJsonObject(content)) return found;
  const field = HEADLINES.find((key) => typeof content[key] === 'string');
  const headline = field === undefined ? undefined : content[field];
  const facts = FACTS.flatMap((key) => {
    const value = content[key];
    return typeof value === 'string' || typeof value === 'number' ? [`${key.replaceAll('_', ' ')} ${oneLine(String(value))}`] : [];
  });
  return typeof headline === 'string' ? { ...found, headline: oneLine(headline), facts, thesis: field === 'thesis' } : { ...found, facts };
}

/**
 * Messages to people and to the owner's superior, from the end of the journal; none if it cannot be read, because the outcome is shown
 * without.
 */
async function announcements(session: Session, view: RunView): Promise<string[]> {
  const store = recordsOf(session.configuration).artifacts;
  const entries = await readJournal(session.client, view.run, store).catch(() => []);
  // The gate and its decision already report what was said there.
  const gates = new Set(
    view.steps.flatMap((step) =>
      traitsOf(step.kind).gate !== undefined || traitsOf(step.kind).judges || step.decision !== undefined ? [step.id] : [],
    ),
  );
  return entries
    .filter((entry) => entry.kind !== 'notification' || !(gates.has(lastIdOf(entry.step ?? '')) || tellsFailure(entry, view)))
    .flatMap((entry) => announcementOf(entry, view.owner));
}

/** The run's own failure, which is shown with the run. A message that did not arrive is news. */
function tellsFailure({ delivered, message }: Extract<JournalEntry, { kind: 'notification' }>, { error }: RunView): boolean {
  return delivered && error !== undefined && message.includes(error.message);
}

function announcementOf(entry: JournalEntry, owner: string | undefined): string[] {
  if (entry.kind === 'notification') return [`${entry.channel}: ${oneLine(entry.message)}${entry.delivered ? '' : ' (not delivered)'}`];
  if (entry.kind !== 'envelope' || entry.step !== undefined || entry.envelope.from !== owner) return [];
  const { to } = entry.envelope;
  const message = field(entry.envelope.payload, 'message');
  return typeof message !== 'string' ? [] : [`${owner} → ${to}: ${oneLine(message)}`];
}
