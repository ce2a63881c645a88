import type { GateInput, RenderedGate } from '../plan/contract';
import { render } from '../plan/evaluate';
import { field } from '../plan/json';
import type { Step } from '../plan/step';
import { type ActivityCall, requireAddress } from './call';
import { loadRun, stepAt } from './run-record';
import { type InputValue, inputScope } from './scope';
import type { Toolbox } from './toolbox';

/** Questions stand in the memo of the run, which lists read; a longer one is cut there and whole in the document. */
const QUESTION_LIMIT = 1000;
/** Of one report's thesis or summary in a question that the author did not write. */
const GIST_LIMIT = 300;
/** Of one shown output in the document. Its digest stands there too, so what is cut is bound as well. */
const SHOWN_LIMIT = 256 * 1024;

/**
 * Renders what a gate shows: its question, and a document with the question and every shown output. `shownSha256` is the
 * document's own digest: what a decision binds to, for anyone to check with `sha256sum`.
 *
 * It has no effect to repeat, so it needs no record in the ledger: the same inputs give the same document.
 */
export async function gate(toolbox: Toolbox, call: ActivityCall, input: GateInput): Promise<RenderedGate> {
  const run = await loadRun(toolbox, call.key);
  const step = stepAt(run, requireAddress(call));
  const scope = await inputScope(toolbox, run, input);
  const shown = [...scope.inputs].filter(([id]) => !('show' in step) || !step.show || input.escalation || step.show.includes(id));
  const asked = step.kind === 'approval' && step.prompt ? render(step.prompt, scope) : unprompted(run.plan.name, step, shown);
  const question = (input.escalation ? escalated(step, input.escalation) : asked).trim();
  const text = [`# ${run.plan.name}: ${step.id}`, question, ...shown.map(showInput)].join('\n\n');
  const document = await toolbox.artifacts.put(`${text}\n`, { mediaType: 'text/markdown', name: `${step.id}.gate.md` });
  return { question: cut(question, QUESTION_LIMIT), shownSha256: document.sha256, document };
}

/** The question where the author wrote none: what is asked for, and the gist of what is shown where a report has one. */
function unprompted(pipeline: string, step: Step, shown: readonly [string, InputValue][]): string {
  const about = step.description === undefined ? '' : ` ${step.description}`;
  const gists = shown.flatMap(([id, { value }]) => {
    const gist = field(value, 'thesis') ?? field(value, 'summary');
    return typeof gist === 'string' ? [`\n${id}: ${cut(gist, GIST_LIMIT)}`] : [];
  });
  return `Approve step "${step.id}" of ${pipeline}?${about}${gists.join('')}`;
}

function escalated(step: Step, { reason, chain }: NonNullable<GateInput['escalation']>): string {
  const way = chain.length > 1 ? ` (by way of ${chain.slice(0, -1).join(', ')})` : '';
  return `Step "${step.id}" needs a decision${way}: ${reason}`;
}

function showInput([step, { text, ref }]: [string, InputValue]): string {
  const heading = `## ${step}${ref?.name === undefined ? '' : `: ${ref.name}`}`;
  const digest = ref === undefined ? '' : `\n\nsha256 ${ref.sha256}`;
  return `${heading}${digest}\n\n${cut(text, SHOWN_LIMIT)}`;
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}
