import { defined } from '../../../plan/defined';
import { graphOf } from '../../../plan/graph/graph';
import { mermaid } from '../../../plan/graph/mermaid';
import { ANSWER_CHARACTERS, type AnswerPart } from '../../../plan/run/answer-part';
import type { CarryQuery } from '../../../plan/run/carry';
import { ThermidorFailure } from '../../../plan/run/failure';
import { STILL_OPENING } from '../../../plan/run/status';
import { WorkerTooOld } from '../../../plan/run/worker-version';
import type { StepOutput } from '../../../plan/steps/step-activity';
import { field, isJsonObject, type Json, type JsonObject } from '../../../plan/text/json';
import { jsonText } from '../../../plan/text/json-text';
import type { RunContext } from '../../run-context';
import { gateViews } from '../gates/gate-view';
import type { Interpreter } from '../interpreter';
import { carryOver } from '../rerun/carry';
import type { Run } from '../run';
import { endContent } from './end-content';
import { runView, stepViews } from './views';

export const QUERIES = ['status', 'gates', 'journal', 'plan', 'graph', 'carry', 'boards', 'end'] as const;

/** Before the plan is loaded, or if it never was, `status` says so and the other queries are refused. */
export function answerUnopened(ctx: RunContext, name: string, failure: Error | undefined): unknown {
  if (failure instanceof WorkerTooOld) throw failure;
  if (name !== 'status') throw new TypeError(failure ? `the run never opened: ${failure.message}` : STILL_OPENING);
  const { workflowId: run, runId, firstRunId, workflowType: pipeline, startedAtMs } = ctx.info;
  const error = failure instanceof ThermidorFailure ? { error: { code: failure.code, message: failure.message } } : {};
  return {
    run,
    runId,
    firstRunId,
    pipeline,
    state: failure ? 'failed' : 'running',
    startedAt: new Date(startedAtMs).toISOString(),
    args: {},
    steps: [],
    offset: 0,
    totalSteps: 0,
    gates: [],
    ...error,
  };
}

/** Answers a query; an unknown name lists the known. */
export function answerQuery(it: Interpreter, name: string, argument: unknown): unknown {
  const { run } = it;
  switch (name) {
    case 'status':
      return runView(run, { ...whole('offset', argument), ...whole('limit', argument) });
    case 'gates':
      return gateViews(run);
    case 'journal':
      return run.journal.view(whole('after', argument).after ?? 0);
    case 'plan':
      return inParts(run.plan, argument, 'plan');
    case 'graph':
      return inParts(runGraph(run), argument, String(run.state.journal.nextSeq));
    case 'carry':
      return inParts(carryOver(run, carryQuery(argument)), argument, String(run.state.journal.nextSeq));
    case 'boards':
      return inParts({ boards: it.kinds.boards(it, textIn('inbox', argument)) }, argument, String(run.state.journal.nextSeq));
    case 'end':
      return inParts(endContent(run), argument, String(run.state.journal.nextSeq));
    default:
      throw new TypeError(`there is no query "${name}"; queries: ${QUERIES.join(', ')}`);
  }
}

/** A short answer unchanged; of a long one the requested part. */
function inParts<Answer extends object>(answer: Answer, argument: unknown, stamp: string): Answer | AnswerPart {
  const text = jsonText(answer);
  if (text.length <= ANSWER_CHARACTERS) return answer;
  const asked = field(argument, 'part');
  if (asked === undefined) throw new TypeError(`the answer has ${text.length} characters: ask for it in parts, with {"part": {"from": 0}}`);
  const { from = 0 } = whole('from', asked);
  return { part: text.slice(from, from + ANSWER_CHARACTERS), total: text.length, stamp };
}

function carryQuery(argument: unknown): CarryQuery {
  const from = field(argument, 'from');
  if (typeof from !== 'string') throw new TypeError('carry takes {"from": "STEP"}');
  const keys = ['again', 'changed', 'otherScript', 'provenStarter', 'recorded'];
  const [again, changed, otherScript, provenStarter, recorded] = keys.map((key) => field(argument, key));
  const lists = isJsonObject(changed) ? Object.entries(changed).map(([value, ids]) => [value, texts(ids)]) : undefined;
  return {
    from,
    ...defined({
      again: Array.isArray(again) ? texts(again) : undefined,
      changed: lists && Object.fromEntries(lists),
      otherScript: otherScript === true || undefined,
      startedBy: textIn('startedBy', argument),
      provenStarter: provenStarter === true || undefined,
      behind: textIn('behind', argument),
      recorded: isJsonObject(recorded) ? outputs(recorded) : undefined,
    }),
  };
}

/** The caller provides the ledger's data, and gets an answer based on it: the run itself believes none of it. */
function outputs(recorded: JsonObject): Record<string, StepOutput> {
  const known = Object.entries(recorded).flatMap(([call, output]): [string, StepOutput][] =>
    isJsonObject(output) ? [[call, output]] : [],
  );
  return Object.fromEntries(known);
}

function texts(list: Json): string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}

function textIn(key: string, argument: unknown): string | undefined {
  const value = field(argument, key);
  return typeof value === 'string' ? value : undefined;
}

function whole<K extends string>(key: K, argument: unknown): Partial<Record<K, number>> {
  const value = field(argument, key);
  const out: Partial<Record<K, number>> = {};
  if (typeof value === 'number' && Number.isSafeInteger(value)) out[key] = value;
  return out;
}

/** The pipeline as a Mermaid flow chart, coloured by what happened. */
function runGraph(run: Run): { mermaid: string } {
  return { mermaid: mermaid(graphOf(run.plan, { steps: stepViews(run) })) };
}
