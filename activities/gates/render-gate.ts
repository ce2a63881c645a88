import { isApproval, isInput } from '../../kinds/questions';
import type { GrantNeed } from '../../plan/brief/authority';
import { defined, unlessEmpty } from '../../plan/defined';
import { asText, render } from '../../plan/expressions/evaluate';
import type { ApprovalNeed, Category } from '../../plan/people/category';
import type { GateForm } from '../../plan/people/gate';
import type { GateInput, RenderedGate } from '../../plan/people/gate-activities';
import { CONTROL_VALUES_LIMIT_BYTES } from '../../plan/run/artifact';
import { bug, ThermidorFailure } from '../../plan/run/failure';
import type { ApprovalStep, InputStep, Step } from '../../plan/steps/step';
import type { RenderedApproval } from '../../plan/steps/step-activity';
import { setApart } from '../../plan/text/fenced';
import { joined } from '../../plan/text/joined';
import { field, isJsonObject, type Json } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import { inOneLine } from '../../plan/text/quoted';
import { shortened } from '../../plan/text/shortened';
import { copyField, numberAt } from '../../plan/text/spelled-json';
import { asJson, getJson } from '../../records/stored-json';
import { type ActivityCall, requireAddress } from '../activity-call';
import { renderRounds } from '../agent/escalation-rounds';
import { fenced } from '../agent/prompt/prompt';
import { loadRun, stepAt } from '../run/load-run';
import type { LoadedRun } from '../run/loaded-run';
import { type InputScope, type InputValue, inputScope, templateValue } from '../run/template-scope';
import type { Toolbox } from '../toolbox';
import { approvalUse, summaryOf } from '../tools/authorise';
import { firstCharacters } from '../tools/truncate-result';
import { actionContent } from './action-content';
import { renderApproval } from './approval-request';
import { escalationRequest } from './escalation-request';
import { QUESTION_LIMIT } from './gate-question';

/** The limit of one report's thesis or summary in a question that the author did not write. */
const GIST_LIMIT = 300;
/** The limit of one shown output in the document. Its digest is there too, so the cut part is bound as well. */
const SHOWN_LIMIT = 256 * 1024;

/**
 * Renders what a gate shows: its question, and a document with the question and every shown output. `shownSha256` is the document's own
 * digest, to which a decision binds, and which anyone can check with `sha256sum`. Gates that programs answer also have a form: those of
 * `input` steps, and approvals after a step's work. Before an action of a category exactly what is about to be done is shown, and the
 * action compares its own digest with `contentSha256`.
 *
 * Repeating it is harmless, so it needs no record in the ledger: the same inputs give the same document. Fails with `values.too-large` if
 * steps read a subject that is too large to travel.
 */
export async function gate(toolbox: Toolbox, call: ActivityCall, input: GateInput): Promise<RenderedGate> {
  const run = await loadRun(toolbox, call.key);
  const step = stepAt(run, requireAddress(call));
  const scope = await inputScope(toolbox, run, input, 'people');
  const shown = [...scope.inputs].filter(([id]) => !('show' in step) || !step.show || input.escalation || step.show.includes(id));
  const { asked, brief, form, approval, action } = await ask(toolbox, run, step, input, scope);
  const question = (asked ?? unprompted(run.plan.name, step, shown)).trim();
  const head = [`# ${run.plan.name}: ${step.id}`, question, ...showPreview(step, form, shown), ...showAction(action)];
  const rounds = await renderRounds(toolbox.artifacts, input.escalation?.rounds ?? [], scope.secrets);
  const text = scope.secrets.mask([...head, ...shown.map(showInput), ...rounds, ...answerForm(form)].join('\n\n'));
  const document = await toolbox.artifacts.put(`${text}\n`, { mediaType: 'text/markdown', name: `${step.id}.gate.md` });
  const rendered: RenderedGate = { question: shortened(brief ?? question, QUESTION_LIMIT), shownSha256: document.sha256, document };
  if (action) rendered.contentSha256 = action.sha256;
  if (action && input.given && (await holds(toolbox, call, input.given, action))) rendered.holds = true;
  if (form) {
    // Programs get a Lobster file's question literally.
    const content = jsonText(run.plan.dialect === 'lobster' ? form : joined(form, { prompt: question }));
    rendered.form = await toolbox.artifacts.put(content, { mediaType: 'application/json', name: `${step.id}.form.json` });
    if (form.subject !== undefined && travels(form.subject, step, run)) rendered.subject = form.subject;
    if (approval) rendered.approval = { ...approval, form: rendered.form };
  }
  return rendered;
}

/**
 * A step that fails before it acts, for example because a secret is missing, leaves its approval to the next try, as long as that is about
 * to do the same.
 */
async function holds(
  { ledger }: Toolbox,
  { key }: ActivityCall,
  given: Required<GateInput>['given'],
  action: ShownAction,
): Promise<boolean> {
  return given.contentSha256 === action.sha256 && (await ledger.get(key, approvalUse(given.id))) === undefined;
}

/**
 * The part of a subject that later steps can read as `$step.subject`, which travels with the run. One that is too large for that stays in
 * the form if nobody reads it; otherwise it fails with `values.too-large` before anybody is asked.
 */
function travels(subject: Json, { id }: Step, { plan }: LoadedRun): boolean {
  const sizeBytes = Buffer.byteLength(JSON.stringify(subject));
  if (sizeBytes <= CONTROL_VALUES_LIMIT_BYTES) return true;
  if (!readsSubject(asJson(plan), id)) return false;
  const message =
    `the subject of "${id}" has ${sizeBytes} bytes; $${id}.subject can have ${CONTROL_VALUES_LIMIT_BYTES}: ` +
    'ask about a part of it, or read the step that it comes from';
  throw new ThermidorFailure('values.too-large', message, { step: id, sizeBytes });
}

/** Whether an expression or a template of the plan reads the record's field `subject` of a step. */
function readsSubject(plan: Json, step: string): boolean {
  const queue: Json[] = [plan];
  for (let here = queue.pop(); here !== undefined; here = queue.pop()) {
    if (typeof here !== 'object' || here === null) continue;
    if (isJsonObject(here) && here['step'] === step && here['field'] === 'subject') return true;
    for (const inner of Object.values(here)) queue.push(inner);
  }
  return false;
}

interface Asked {
  /** Absent: the author wrote no question. */
  asked?: string;
  /** The author's question within the limit of a question. Absent: it is cut there. */
  brief?: string;
  form?: GateForm;
  approval?: RenderedApproval;
  action?: ShownAction;
}

/** What is about to be done, in full, and its digest. */
interface ShownAction {
  content: Json;
  sha256: string;
}

async function ask(toolbox: Toolbox, run: LoadedRun, step: Step, input: GateInput, scope: InputScope): Promise<Asked> {
  if (input.escalation) return escalationRequest(step, input.escalation);
  if (input.statement !== undefined) return { asked: input.statement };
  if (input.need) return await wanted(toolbox, run, step, input.need);
  if (input.category) return await aboutToDo(toolbox, run, step, input, input.category);
  if (isApproval(step)) return { ...approvalForm(step, scope), ...defined({ asked: step.prompt && render(step.prompt, scope, 'apart') }) };
  if (isInput(step)) {
    const form = await inputForm(toolbox, step, scope);
    return { ...defined({ asked: unlessEmpty(form.prompt) }), form };
  }
  if (!step.approval) return {};
  const own = scope.inputs.get(step.id);
  const approval = await renderApproval(toolbox, run, step, input, { value: own?.value ?? null, text: own?.stdout ?? own?.text ?? '' });
  const form = await getJson<GateForm>(toolbox.artifacts, approval.form, `the form of "${step.id}"`);
  return { asked: form.prompt, form, approval };
}

/**
 * Anybody may complete the activity that has paused, by hand. So what people see is the content that their yes is bound to, and not what is
 * said of it.
 */
async function wanted({ artifacts }: Toolbox, run: LoadedRun, step: Step, need: ApprovalNeed | GrantNeed): Promise<Asked> {
  const { content, contentSha256 } = need;
  if (content.sha256 !== contentSha256) {
    const message = `what step "${step.id}" wants to do has digest ${content.sha256}, and not ${contentSha256}`;
    throw bug(message, { step: step.id, contentSha256 });
  }
  const call = await getJson<Json>(artifacts, content, `what step "${step.id}" wants to do`);
  const who = `The agent of step "${step.id}" of ${run.plan.name}`;
  const asked =
    'category' in need
      ? `${who} asks for leave (${need.category}) and is about to: ${summaryOf(call)}`
      : `${who} needs ${need.categories.join(', ')}, which the brief of ${need.project} does not authorise, and is about to: ${summaryOf(call)}\n${WHAT_CHOICES_MEAN}`;
  return { asked, action: { content: call, sha256: contentSha256 } };
}

const WHAT_CHOICES_MEAN =
  'once: this call alone. run: calls that need the same, in this run. always: in every run of the project, until it is revoked. deny: the agent reads your comment.';

async function aboutToDo(toolbox: Toolbox, run: LoadedRun, step: Step, input: GateInput, category: Category): Promise<Asked> {
  const { summary, shown, sha256 } = await actionContent(toolbox, run, step, input);
  const about = step.description === undefined ? '' : `\n${step.description}`;
  const asked = `Step "${step.id}" of ${run.plan.name} asks for leave (${category}) and is about to: ${summary}${about}`;
  return { asked, action: { content: shown, sha256 } };
}

function approvalForm({ preview }: ApprovalStep, scope: InputScope): Pick<Asked, 'form'> {
  const shown = preview ? cutShown(render(preview, scope, 'apart').trimEnd()) : '';
  return shown === '' ? {} : { form: { prompt: '', preview: shown } };
}

async function inputForm({ artifacts }: Toolbox, step: InputStep, scope: InputScope): Promise<GateForm> {
  const form: GateForm = { prompt: step.prompt ? render(step.prompt, scope, 'apart') : '' };
  if (step.responseSchema !== undefined) {
    form.responseSchema = await getJson<Json>(artifacts, { sha256: step.responseSchema }, `the response schema of "${step.id}"`);
  }
  if (step.defaults !== undefined) copyField(step, 'defaults', form);
  if (step.subject) form.subject = templateValue(step.subject, scope, render(step.subject, scope, 'indented'));
  return form;
}

/** The question if the author wrote none: what is requested, and the gist of a shown report, if there is one. */
function unprompted(pipeline: string, step: Step, shown: readonly [string, InputValue][]): string {
  const about = step.description === undefined ? '' : ` ${step.description}`;
  const gists = shown.flatMap(([id, { value }]) => {
    const gist = field(value, 'thesis') ?? field(value, 'summary');
    return typeof gist === 'string' ? [`\n${id}: ${inOneLine(shortened(gist, GIST_LIMIT))}`] : [];
  });
  const what = isInput(step) ? `What is the answer to step "${step.id}" of ${pipeline}?` : `Approve step "${step.id}" of ${pipeline}?`;
  return `${what}${about}${gists.join('')}`;
}

function showInput([step, { value, text, ref }]: [string, InputValue]): string {
  const heading = `## ${step}${ref?.name === undefined ? '' : `: ${ref.name}`}`;
  const digest = ref === undefined ? '' : `\n\nsha256 ${ref.sha256}`;
  // Indented only if that loses nothing: a number too large for JavaScript keeps its spelling.
  const shown = asText(value) === text.trim() ? asText(value, 'indented') : text;
  return `${heading}${digest}\n\n${setApart(cutShown(shown))}`;
}

/** Who decides learns how much he does not see. */
function cutShown(text: string): string {
  return firstCharacters(text, SHOWN_LIMIT, 'they are not shown here');
}

/** A decision is bound to the preview too. A preview that a shown output contains is there already. */
function showPreview(step: Step, form: GateForm | undefined, shown: readonly [string, InputValue][]): string[] {
  const preview = isApproval(step) ? form?.preview : undefined;
  return preview === undefined || shown.some(([, { text }]) => text.includes(preview)) ? [] : [preview];
}

function showAction(action: ShownAction | undefined): string[] {
  if (!action) return [];
  return [`## The exact action\n\nsha256 ${action.sha256}\n\n${cutShown(fenced(action.content))}`];
}

/** The form of the answer, if it is not one of a few words. */
function answerForm(form: Partial<GateForm> = {}): string[] {
  const { responseSchema, defaults } = form;
  return [
    ...(responseSchema === undefined ? [] : [`## The answer's schema\n\n${JSON.stringify(responseSchema, null, 2)}`]),
    ...(defaults === undefined
      ? []
      : [`## Taken if nobody answers in time\n\n${jsonText(numberAt(form, 'defaults') ?? defaults, { step: '  ' })}`]),
  ];
}
