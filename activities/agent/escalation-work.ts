import { escalationKey } from '../../plan/agents/script';
import { ownDepth } from '../../plan/agents/spawn-depth';
import { ThermidorFailure } from '../../plan/run/failure';
import { ESCALATION_DECISIONS, type EscalationAnswer, type EscalationRequest, type EscalationRound } from '../../plan/steps/escalation';
import type { Step } from '../../plan/steps/step';
import type { StepInput } from '../../plan/steps/step-activity';
import { field, type Json } from '../../plan/text/json';
import type { ArtifactStore } from '../../records/artifact-store';
import { cutQuestion } from '../gates/gate-question';
import type { LoadedRun } from '../run/loaded-run';
import { runSecrets } from '../run/run-secrets';
import type { Toolbox } from '../toolbox';
import { adapterFor, loadAgent } from './agent-adapter';
import type { AgentTask } from './agent-task';
import type { AgentWork } from './agent-work';
import { fenced, joinSections, renderRole, section } from './prompt/prompt';
import { furtherInputs } from './prompt/upstream-artifacts';
import { wholeInputs } from './prompt/whole-inputs';

/**
 * An agent of the escalation chain is asked what becomes of a matter (protocol.md points 8 and 10), or what it advises the person who
 * decides. The prompt has the whole history: every round with its outputs, findings and failures, and what the agents before it said.
 *
 * Invariants: 1. the agent answers `{decision, rationale}` and nothing else decides: a reply that is not one is asked for
 * again once, and then the next in the chain is asked; 2. the prompt is bounded, however long the matter went on: outputs of the
 * newest rounds stand whole before those of older ones do.
 */
export function escalationWork(toolbox: Toolbox, run: LoadedRun, step: Step, input: StepInput, request: EscalationRequest): AgentWork {
  return {
    agent: request.agent,
    asker: run.plan.owner ?? run.plan.name,
    stepId: step.id,
    scriptKey: escalationKey(step.id, request.agent),
    repairs: 1,
    depth: ownDepth(run.plan, request.agent),
    load: () => escalationTask(toolbox, run, step, request, input),
    outputName: () => `${step.id}.escalation-${request.agent}.json`,
    finish: async ({ value }) => ({ escalated: answerOf(value) }),
  };
}

/** Where neither the agent nor its definition says. */
const TIMEOUT_MS = 15 * 60_000;
/** Of one output in the prompt, and of all together, in characters. */
const OUTPUT_LIMIT = 32 * 1024;
const OUTPUTS_LIMIT = 256 * 1024;
/** It is in the run's history, and in the input of the reviser. */
const RATIONALE_LIMIT = 4000;

const SCHEMA: Json = {
  type: 'object',
  required: ['decision', 'rationale'],
  properties: {
    decision: { enum: [...ESCALATION_DECISIONS] },
    rationale: { type: 'string', pattern: '\\S' },
  },
};

async function escalationTask(
  toolbox: Toolbox,
  run: LoadedRun,
  step: Step,
  request: EscalationRequest,
  { inputs, upstream, ...input }: StepInput,
): Promise<AgentTask> {
  const agent = await loadAgent(toolbox, run, request.agent);
  const whole = wholeInputs(toolbox, adapterFor(toolbox, run, agent), agent, {});
  const further = await furtherInputs(toolbox, run, { ...input, upstream: { ...inputs, ...upstream } }, whole);
  return {
    agent,
    system: renderRole(agent, section('Answer', answerForm(request.advises))),
    prompt: joinSections([renderMatter(run.plan.name, step, request, await outputs(toolbox.artifacts, request.history)), further.section]),
    ...(further.files.length > 0 ? { files: further.files } : {}),
    form: { json: true, verdict: false, schema: { digest: 'escalation-answer', value: SCHEMA } },
    timeoutMs: run.plan.agents?.[request.agent]?.timeoutMs ?? TIMEOUT_MS,
    secrets: await runSecrets(toolbox, run),
  };
}

/** The output of each round, by its place in the history; the newest first get the room there is. */
async function outputs(artifacts: ArtifactStore, history: readonly EscalationRound[]): Promise<(string | undefined)[]> {
  const texts: (string | undefined)[] = [];
  let left = OUTPUTS_LIMIT;
  for (const { artifact } of history.toReversed()) {
    if (!artifact) {
      texts.unshift(undefined);
      continue;
    }
    if (left <= 0) {
      texts.unshift(`(left out: ${artifact.sizeBytes} bytes, sha256 ${artifact.sha256})`);
      continue;
    }
    const text = cutQuestion((await artifacts.get(artifact)).toString('utf8'), Math.min(OUTPUT_LIMIT, left));
    left -= text.length;
    texts.unshift(text);
  }
  return texts;
}

function renderMatter(
  pipeline: string,
  step: Step,
  { reason, history, before, advises }: EscalationRequest,
  texts: readonly (string | undefined)[],
): string {
  const part = advises ? 'A person decides what becomes of it, and reads your advice first.' : 'You decide what becomes of it.';
  const task = `A matter of step "${step.id}" of pipeline "${pipeline}" has come up to you. ${part}`;
  const sections = [
    section('Task', `${task}\n\nReason: ${reason}`),
    history.length > 0 ? section('What happened', history.map((round, i) => renderRound(round, texts[i])).join('\n\n')) : '',
    before.length > 0 ? section('Asked before you', before.map(({ agent: who, said }) => `${who}: ${said}`).join('\n\n')) : '',
  ];
  return joinSections(sections);
}

function renderRound({ step, round, artifact, verdict, error }: EscalationRound, text: string | undefined): string {
  const lines = [`## ${step}, round ${round}${artifact?.name === undefined ? '' : `: ${artifact.name}`}`];
  if (verdict) {
    const found = Object.entries(verdict.findings).map(([severity, count]) => `${count} ${severity}`);
    const findings = found.length > 0 ? `; findings: ${found.join(', ')}` : '';
    const said = verdict.said === undefined ? '' : ` ("${verdict.said}")`;
    const score = verdict.score === undefined ? '' : `; score ${verdict.score}`;
    lines.push(`Verdict ${verdict.verdict}${said}${score}${findings}.${verdict.summary === undefined ? '' : ` ${verdict.summary}`}`);
  }
  if (error) lines.push(`It failed with ${error.code}: ${error.message}`);
  if (text !== undefined) lines.push(fenced(text));
  return lines.join('\n\n');
}

const DECIDES = [
  '- `pass`: it goes on as it is, whatever was found.',
  '- `revise`: the work is done once more, with your words as instructions.',
  '- `abort`: the run ends here.',
  '- `pass_on`: it is not yours to decide; the next in the chain is asked, a person at the end of it.',
];
const ADVISES = [
  '- `pass`: you advise to let it go on as it is, whatever was found.',
  '- `revise`: you advise to do the work once more; what you write is what should be mended.',
  '- `abort`: you advise to end the run here.',
  '- `pass_on`: you give no advice; the person decides without it.',
];

function answerForm(advises = false): string {
  return [
    'Answer with one JSON object `{"decision", "rationale"}` and nothing else: no text before or after it. `decision` is one of:',
    (advises ? ADVISES : DECIDES).join('\n'),
    `\`rationale\` says why${advises ? ', in two or three sentences for the person who decides' : ''}. It goes into the record of the run and must not be blank.`,
    `The object must satisfy this JSON Schema:\n\n${fenced(SCHEMA)}`,
  ].join('\n\n');
}

/** What the schema let through. */
function answerOf(value: Json): EscalationAnswer {
  const said = field(value, 'decision');
  const decision = ESCALATION_DECISIONS.find((word) => word === said);
  const rationale = field(value, 'rationale');
  if (!decision || typeof rationale !== 'string') throw new ThermidorFailure('internal', 'an escalation answer was accepted unchecked');
  return { decision, rationale: cutQuestion(rationale.trim(), RATIONALE_LIMIT) };
}
