import type { GateInput, RenderedGate } from '../plan/contract';
import { render } from '../plan/evaluate';
import type { Step } from '../plan/step';
import { type ActivityCall, requireAddress } from './call';
import { loadRun, stepAt } from './run-record';
import { type InputValue, inputScope } from './scope';
import type { Toolbox } from './toolbox';

/** Questions stand in the memo of the run, which lists read; a longer one is cut there and whole in the document. */
const QUESTION_LIMIT = 1000;
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
  const question = (input.escalation ? escalated(step, input.escalation) : asked(step, (t) => render(t, scope))).trim();
  const shown = [...scope.inputs].filter(([id]) => !('show' in step) || !step.show || input.escalation || step.show.includes(id));
  const text = [`# ${run.plan.name}: ${step.id}`, question, ...shown.map(showInput)].join('\n\n');
  const document = await toolbox.artifacts.put(`${text}\n`, { mediaType: 'text/markdown', name: `${step.id}.gate.md` });
  return { question: cut(question, QUESTION_LIMIT), shownSha256: document.sha256, document };
}

function asked(step: Step, text: (template: NonNullable<Extract<Step, { kind: 'approval' }>['prompt']>) => string): string {
  if (step.kind === 'approval' && step.prompt) return text(step.prompt);
  return `Approve "${step.id}"?${step.description === undefined ? '' : ` ${step.description}`}`;
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
