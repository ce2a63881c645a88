import { judges } from '../../../kinds/questions';
import { describeFault } from '../../../plan/agents/reply-fault';
import type { AgentDefinition } from '../../../plan/plan';
import type { AgentStep, ReviewStep } from '../../../plan/steps/step';
import type { Findings, StepInput } from '../../../plan/steps/step-activity';
import type { TryNote } from '../../../plan/steps/try-note';
import { fencedText } from '../../../plan/text/fenced';
import type { Json } from '../../../plan/text/json';
import { jsonText } from '../../../plan/text/json-text';
import { inOneLine, quoted } from '../../../plan/text/quoted';
import { numberAt, type Spelled } from '../../../plan/text/spelled-json';
import { type PromptInput, type ShownInput, shownInputs, type WholeInputs } from './prompt-inputs';

/** All parts of an agent's prompt, loaded and rendered. */
export interface PromptParts {
  pipeline: string;
  step: AgentStep | ReviewStep;
  agent: AgentDefinition;
  /** The step's own prompt; absent: the default task. */
  task?: string;
  /** The task says what the reply has to be. */
  isHandOff?: true;
  /** By name: JSON, or text as it is. */
  inputs: readonly PromptInput[];
  /** Where the agent finds cut inputs in full. */
  whole?: WholeInputs;
  /** The section on further readable outputs of earlier steps; empty if there are none. */
  further?: string;
  /** The section on earlier decisions; empty if there are none. */
  constraints?: string;
  /** The section on what the team has learned; empty if there is nothing. */
  memory?: string;
  schema?: Json;
  /** For a member that is a program: who it is in its team, and who else is there. */
  team?: string;
  /** The output of the previous round. */
  previous?: string;
  /** The changes in work that a review judged before. */
  changed?: string;
  /** The newest first. */
  findings?: FindingsText[];
  note?: TryNote & { previousText?: string };
  messages?: StepInput['messages'];
}

type FindingsText = Omit<Findings, 'also'> & { reportText?: string };

/** An agent's instructions: `system` stays the same over all requests of its context, `prompt` is the task. */
export interface Instructions {
  system: string;
  prompt: string;
}

/**
 * The whole request as text: who the agent is, its task, inputs, why it is asked again, and the form of the answer. Pure; the same parts
 * give the same text. If its context is for this step alone, the form of the answer belongs to the constant part: the rounds, tries and
 * items of a step share it.
 */
export function renderPrompt(parts: PromptParts): Instructions {
  const answer = section('Answer', answerForm(parts));
  const continued = parts.step.action === 'self';
  const sections = [
    parts.team ?? '',
    section('Task', parts.task ?? defaultTask(parts)),
    parts.inputs.length > 0 ? section('Inputs', shownInputs(parts.inputs, parts.whole).map(renderInput).join('\n\n')) : '',
    parts.further ?? '',
    parts.memory ?? '',
    parts.constraints ?? '',
    ...(judges(parts.step) ? renderJudgedAgain(parts) : [renderPrevious(parts), renderFindings(parts.findings)]),
    renderNote(parts.note),
    renderMessages(parts.messages),
    continued ? answer : '',
  ];
  return { system: renderRole(parts.agent, continued ? undefined : answer), prompt: joinSections(sections) };
}

/** Who an agent is, and the form of its answer if that is the same for all requests. */
export function renderRole({ id, title = id, role, skills = [] }: AgentDefinition, answer?: string): string {
  const known = skills.map(({ name, description }) => `- ${name}: ${description}`).join('\n');
  return joinSections([
    section('Role', `You are ${title}.\n\n${role.trim()}`),
    known === '' ? '' : section('Skills', `Instructions that you can load with \`load_skill\` when you need them:\n\n${known}`),
    answer ?? '',
  ]);
}

/** The non-empty sections, one below the other. */
export function joinSections(sections: readonly string[]): string {
  return sections.filter((text) => text !== '').join('\n\n');
}

export function section(title: string, body: string): string {
  return `# ${title}\n\n${body.trim()}`;
}

function defaultTask({ pipeline, step }: PromptParts): string {
  const judged = judges(step) ? ` You judge the output of step "${step.of}".` : '';
  const output = step.output === undefined ? '' : ` Produce ${step.output.name}.`;
  return `Do step "${step.id}" of pipeline "${pipeline}".${judged}${output}`;
}

function renderInput({ heading, note, content }: ShownInput): string {
  return joinSections([`## ${heading}`, note ?? '', fenced(content)]);
}

/** In a fence that the content cannot end. */
export function fenced(content: Spelled): string {
  return typeof content === 'string' ? fencedText(content) : fencedText(jsonText(content, { step: '  ' }), 'json');
}

function renderPrevious({ previous, findings }: PromptParts): string {
  if (previous === undefined) return '';
  const aim = findings ? 'Revise it; keep what was not criticised.' : 'It is repeated here for reference.';
  return section('Your output of the round before', `${aim}\n\n${fenced(previous)}`);
}

/** A reviewer fixes nothing: it gets its last findings, why it judges again, and the changes since. */
function renderJudgedAgain({ previous, findings = [], changed }: PromptParts): string[] {
  const aim = 'Check whether each of its findings is fixed: omit those that are, and keep field and description of those that are not.';
  const why = findings.flatMap((found) => {
    if (found.reportText === undefined || found.reportText !== previous) return [renderFound(found)];
    return found.instructions === undefined ? [] : [quoted(found.instructions)];
  });
  return [
    previous === undefined ? '' : section('Your report of the round before', `${aim}\n\n${fenced(previous)}`),
    why.length === 0 ? '' : section('Why you judge again', why.join('\n\n')),
    changed === undefined ? '' : section('What has changed since you judged', fenced(changed)),
  ];
}

function renderFindings(findings: PromptParts['findings']): string {
  if (!findings?.length) return '';
  return section('Findings', `Fix every finding.\n\n${findings.map(renderFound).join('\n\n')}`);
}

function renderFound({ review, instructions, reportText }: FindingsText): string {
  const lines = [`Step "${review}" sent this back.`];
  if (instructions !== undefined) lines.push(quoted(instructions));
  if (reportText !== undefined) lines.push(fenced(reportText));
  return lines.join('\n\n');
}

const WHY: Readonly<Record<TryNote['reason'], string>> = {
  timeout: 'The last try ran out of time. Work faster: a shorter complete answer beats a long one that comes too late.',
  missing_fields: 'The last reply could not be used. This time give every required field, each in its form.',
  api_error: 'The last try broke off with an error of the model’s API.',
  retry: 'The last try failed.',
  operator: 'An operator asked for another try.',
};

/** Why an agent is asked again; empty for the first time. */
export function renderNote(note: PromptParts['note']): string {
  if (!note) return '';
  const lines = [WHY[note.reason], quoted(note.message)];
  if (note.missingFields?.length) lines.push(`missing_fields: ${JSON.stringify(note.missingFields)}`);
  if (note.faults?.length) lines.push(note.faults.map((fault) => `- ${inOneLine(describeFault(fault))}`).join('\n'));
  if (note.previousText !== undefined) lines.push(`The last reply was:\n\n${fenced(note.previousText)}`);
  return section('Why this is another request', lines.filter((line) => line !== '').join('\n\n'));
}

function renderMessages(messages: PromptParts['messages']): string {
  if (!messages?.length) return '';
  return section(
    'Messages to you',
    messages.map((one) => `From ${one.from}, ${one.at}:\n\n${fenced(numberAt(one, 'content') ?? one.content)}`).join('\n\n'),
  );
}

/** What a review reads of a report for which the pipeline has no schema (docs/patterns.md, CP-2). */
const REPORT_OF_A_REVIEW =
  '`verdict` is `pass`, `revise` (the work must be improved, and comes back to you) or `block` (the work must not go on). `issues` lists what you have found, each with `severity` ' +
  '(`critical`, `high`, `medium` or `low`), `file`, `line`, `description` and `suggestion`; it may be empty. `summary` sums up the report in a few sentences. ' +
  'Write `unfixable: true` only if no revision would help, because what the work is made from is wrong.';

function answerForm({ step, schema, isHandOff }: PromptParts): string {
  if (isHandOff) return 'Work as you like. The task says how your last reply has to end.';
  if (!answersJson(step) && schema === undefined)
    return step.output === undefined ? 'Answer in plain text or JSON.' : `Answer with the text of ${step.output.name} and nothing else.`;
  const rule =
    'Answer with one JSON object and nothing else: no text before or after it. Give every required field, and leave none blank; ' +
    'if you cannot know one, leave it out and list its path in a field `missing_fields`.';
  if (schema !== undefined) return `${rule} The object must satisfy this JSON Schema:\n\n${fenced(schema)}`;
  return judges(step) ? `${rule}\n\n${REPORT_OF_A_REVIEW}` : rule;
}

/** Whether the step's reply must be a JSON object: its output is named as JSON or has a schema, or it is a review. */
export function answersJson(step: AgentStep | ReviewStep): boolean {
  return judges(step) || step.output?.schema !== undefined || (step.output?.name.endsWith('.json') ?? false);
}
