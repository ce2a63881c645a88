import { field, isJsonObject, type Json } from '../../../plan/text/json';
import { checkSchema, checkSchemaHere } from '../../schemas/schema-check';
import { type Item, stableJson } from '../items/item';
import { flagText, type StageCall } from '../stage-call';
import { stageFailed } from '../stage-failure';
import type { StagePorts } from '../stage-ports';
import { type LlmPayload, llmPayload, requestKey } from './llm-payload';
import { askProvider, type LlmProvider, llmProvider } from './llm-provider';
import { errorMessage, fromEnvironment } from './post-json';

/** How many further questions follow a reply that breaks `--output-schema`. */
const REPAIRS = 1;

const ANSWER: Json = {
  type: 'object',
  properties: {
    ok: { type: 'boolean' },
    result: {
      type: 'object',
      properties: { output: { type: 'object', properties: { text: { type: 'string' }, format: { type: 'string' } } } },
      required: ['output'],
    },
    error: { type: 'object' },
  },
  required: ['ok'],
};

/**
 * `llm.invoke --prompt P …`: asks a model through an adapter and outputs its answer as one item. Each question is paid for once: after a
 * crash an existing answer is used. An answer whose data break `--output-schema` is requested again.
 */
export async function llmInvoke(call: StageCall, items: readonly Item[], ports: StagePorts): Promise<Item[]> {
  const provider = llmProvider(call, ports);
  const payload = llmPayload(call, items, ports);
  const schema = payload['outputSchema'];
  const asks = 1 + (schema === undefined ? 0 : repairs(call, ports));
  let problems: string[] = [];
  for (let attempt = 1; attempt <= asks; attempt += 1) {
    ports.signal.throwIfAborted();
    const asked = attempt === 1 ? payload : { ...payload, retryContext: { attempt, validationErrors: problems } };
    const answer = await ports.once(`ask ${attempt}`, () => askProvider(call, provider, asked, ports));
    const item = answerItem(call, { provider, payload, answer, attempt, nowMs: ports.nowMs() });
    if (schema === undefined) return [item];
    problems = await broken(call, schema, field(item['output'], 'data') ?? null, ports);
    if (problems.length === 0) return [item];
  }
  throw stageFailed(call, `${call.calledAs} output failed schema validation: ${problems.join('; ')}`, { problems });
}

function repairs(call: StageCall, { environment }: StagePorts): number {
  const names = ['LOBSTER_LLM_VALIDATION_RETRIES', 'LLM_TASK_VALIDATION_RETRIES'];
  const written = flagText(call, 'max-validation-retries') ?? fromEnvironment(environment, ...names);
  const number = Number(written);
  return written === '' || !Number.isFinite(number) ? REPAIRS : Math.max(0, Math.floor(number));
}

async function broken(call: StageCall, schema: Json, data: Json, ports: StagePorts): Promise<string[]> {
  const found = await checkSchema(ports, `llm.invoke ${stableJson(schema)}`, schema, data);
  if (!found) return [];
  const problems = [...found.missingFields.map((path) => `missing field ${path}`), ...found.problems];
  return problems.length > 0 ? problems : [`${call.calledAs} output does not satisfy its schema`];
}

interface Answered {
  provider: LlmProvider;
  payload: LlmPayload;
  answer: Json;
  attempt: number;
  nowMs: number;
}

function answerItem(call: StageCall, { provider, payload, answer, attempt, nowMs }: Answered): Record<string, Json> {
  if (checkSchemaHere('llm.invoke answer', ANSWER, answer)) throw stageFailed(call, `${call.calledAs} received invalid response envelope`);
  if (field(answer, 'ok') !== true) {
    throw stageFailed(call, `${call.calledAs} remote error: ${errorMessage(answer, 'llm adapter returned an error')}`);
  }
  const result = field(answer, 'result');
  const output = field(result, 'output');
  const of = (key: string) => field(result, key) ?? null;
  const status = of('status');
  const data = field(output, 'data') ?? null;
  return {
    kind: call.calledAs,
    runId: of('runId'),
    prompt: of('prompt'),
    model: of('model'),
    schemaVersion: payload.schemaVersion,
    status: typeof status === 'string' ? status : 'completed',
    cacheKey: requestKey(provider.name, payload),
    artifactHashes: payload.artifactHashes,
    output: { format: field(output, 'format') ?? (data ? 'json' : 'text'), text: field(output, 'text') ?? null, data },
    usage: isJsonObject(of('usage')) ? of('usage') : null,
    metadata: of('metadata'),
    warnings: of('warnings'),
    diagnostics: of('diagnostics'),
    createdAt: new Date(nowMs).toISOString(),
    source: provider.source,
    cached: false,
    attemptCount: attempt,
  };
}
