import { ScriptedAdapter } from '../../activities/adapters/scripted';
import { agent } from '../../activities/agent/agent';
import type { AgentAdapter, AgentRequest } from '../../activities/agent-port';
import type { Toolbox } from '../../activities/toolbox';
import type { Tool } from '../../activities/tools/tool';
import type { ScriptedCall, ScriptedReply } from '../../plan/agents/script';
import type { Usage } from '../../plan/budgets/usage';
import type { AgentDefinition, Plan } from '../../plan/plan';
import type { AgentStep } from '../../plan/steps/step';
import type { StepInput, StepOutput } from '../../plan/steps/step-activity';
import type { Json } from '../../plan/text/json';
import type { Ledger } from '../../records/ledger';
import { aroundLines, asOfNow, KEY, type Workshop, workshop } from './workshop';

/** A run of one agent step, `lead`, whose agents answer by a script. */
export interface ScriptedShop extends Workshop {
  /** Every request that was made, and every reply that was given, over all calls. */
  requests: AgentRequest[];
  given: string[];
  perform(input?: Partial<StepInput>, id?: string, toolbox?: Toolbox): Promise<StepOutput>;
  /** The tools' answers, as the agents read them, in order. */
  answers(id?: string): Promise<string[]>;
  transcript(id?: string): Promise<Json[]>;
}

export interface ShopOptions {
  replies: Record<string, ScriptedReply[]>;
  lead?: Partial<AgentDefinition>;
  /** The schema of the agent `bull`, and that of the step's output. */
  bull?: Json;
  schema?: Json;
  step?: Partial<AgentStep>;
  plan?: Partial<Plan>;
  toolbox?: Partial<Toolbox>;
  args?: Record<string, Json>;
}

export const LEAD = 'lead#1~1';

export async function scriptedShop({
  replies,
  lead = {},
  bull,
  schema,
  step = {},
  plan = {},
  toolbox = {},
  args,
}: ShopOptions): Promise<ScriptedShop> {
  const requests: AgentRequest[] = [];
  const given: string[] = [];
  const scripted = new ScriptedAdapter();
  const adapter: AgentAdapter = {
    name: 'scripted',
    affords: true,
    limitsReplies: true,
    async *run(request, signal) {
      requests.push(asOfNow(request));
      for await (const turn of scripted.run(request, signal)) {
        if (!turn.calls) given.push(turn.text);
        yield turn;
      }
    },
  };
  const shop = workshop({ adapters: new Map([['scripted', adapter]]), ...toolbox });
  const define = async (id: string, more: Partial<AgentDefinition> = {}) => ({
    definition: await shop.blob({ id, role: `You are ${id}.`, ...more }),
  });
  const agents = {
    lead: await define('lead', lead),
    bull: await define('bull', bull === undefined ? {} : { schema: await shop.blob(bull) }),
    bear: await define('bear'),
  };
  const withSchema = async () =>
    schema === undefined || !step.output ? {} : { output: { ...step.output, schema: await shop.blob(schema) } };
  const script = { name: 'demo', replies, people: [] };
  await shop.open([{ id: 'lead', kind: 'agent', agent: 'lead', ...step, ...(await withSchema()) }], { agents, ...plan }, script, args);
  const turnsOf = async (id: string) => await shop.ledger.lines(KEY, `${id}/transcript`);
  return {
    ...shop,
    requests,
    given,
    perform: (input = {}, id = LEAD, tools = shop.toolbox) => agent(tools, shop.call(id), { run: KEY.run, ...input }),
    answers: async (id = LEAD) =>
      (await turnsOf(id)).flatMap((line) => {
        const { turn } = line as { turn?: { role: string; text: string } };
        return turn?.role === 'tool' ? [turn.text] : [];
      }),
    transcript: (id = LEAD) => turnsOf(id),
  };
}

export function text(said: string, more: Partial<ScriptedReply> = {}): ScriptedReply {
  return { reply: { kind: 'text', text: said }, ...more };
}

/** The answer of an agent that is spawned or sent to, unless the test asks for another. */
export function reportText(summary: string): string {
  return JSON.stringify({ summary, findings: [], artifacts: [] });
}

export function report(summary: string, more: Partial<ScriptedReply> = {}): ScriptedReply {
  return text(reportText(summary), more);
}

export function tokens(count: number, costMicroUsd: number | null = null): Partial<Usage> {
  return { inputTokens: count, costMicroUsd };
}

export function calls(...made: [tool: string, args: Json][]): { calls: ScriptedCall[] } {
  return { calls: made.map(([tool, args]) => ({ tool, args })) };
}

/** A tool that notes what it was called with. */
export function noting(parameters: Json = { type: 'object' }): Tool & { called: Json[]; keys: string[] } {
  const called: Json[] = [];
  const keys: string[] = [];
  return {
    ...{ called, keys, parameters, description: 'notes' },
    async call(args, { idempotencyKey }) {
      called.push(args);
      keys.push(idempotencyKey);
      return { text: 'done' };
    },
  };
}

/** The shop's toolbox for a worker that dies as soon as so many of its records are durable. */
export function dyingAfter(shop: Workshop, records: number): Toolbox {
  const { ledger } = shop;
  let left = records;
  const lastWords = async <T>(write: () => Promise<T>): Promise<T> => {
    left -= 1;
    const written = left < 0 ? undefined : await write();
    if (written === undefined || left <= 0) throw new Error('killed');
    return written;
  };
  const dying: Ledger = {
    ...aroundLines(ledger, async (_, write) => {
      await lastWords(async () => {
        await write();
        return true;
      });
    }),
    putIfAbsent: (run, name, value) => lastWords(() => ledger.putIfAbsent(run, name, value)),
  };
  return { ...shop.toolbox, ledger: dying };
}
