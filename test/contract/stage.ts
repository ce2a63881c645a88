import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ActivityCall } from '../../activities/activity-call';
import { LocalSecrets } from '../../activities/adapters/secrets';
import { agent } from '../../activities/agent/agent';
import type { AgentAdapter, AgentRequest } from '../../activities/agent-port';
import type { Toolbox } from '../../activities/toolbox';
import type { Tool } from '../../activities/tools/tool';
import type { AgentDefinition, Plan } from '../../plan/plan';
import type { AgentStep } from '../../plan/steps/step';
import type { StepInput, StepOutput } from '../../plan/steps/step-activity';
import { field, type Json } from '../../plan/text/json';
import type { Ledger } from '../../records/ledger';
import { MemoryArtifacts, MemoryControl, MemoryLedger } from '../../records/memory/memory-store';
import type { Turn } from '../../records/transcripts/turn';
import { aroundLines, KEY, scratchFolder, type Workshop, workshop } from '../activities/workshop';
import { type Alarms, alarmClock } from './alarms';
import type { Harness, MakeHarness, Play, Setting } from './play';

/** One step of one agent under the real runner, on a ledger and a store of its own, in memory. */
export interface Stage {
  harness: Harness;
  shop: Workshop;
  toolbox: Toolbox;
  /** Requests that the runner made of the adapter. */
  requests: readonly AgentRequest[];
  /** What happened, in order: `run`, `next` of the adapter, `asked` of its other side, `user`, `assistant`, `tool` recorded. */
  events: readonly string[];
  alarms: Alarms;
  perform(how?: Perform): Promise<StepOutput>;
  /** The turns as they are recorded, of the step and of what belongs to it. */
  turns(id?: string): Promise<Turn[]>;
  /** The reply that the step outputs. */
  said(output: StepOutput): Promise<string>;
  close(): Promise<void>;
}

export interface Perform {
  input?: Partial<StepInput>;
  id?: string;
  /** The worker dies as soon as so many of its records are durable. */
  dyingAfter?: number;
  /** The worker dies before it makes its n-th record. */
  dyingBefore?: number;
  call?: Partial<ActivityCall>;
}

export interface OpenOptions {
  agent?: Partial<AgentDefinition>;
  step?: Partial<AgentStep>;
  plan?: Partial<Plan>;
  args?: Record<string, Json>;
  toolbox?: Partial<Toolbox>;
  tools?: Record<string, Tool>;
  environment?: Record<string, string>;
  /** The service needs no key. */
  keyless?: true;
}

export const WORK = 'work#1~1';
export const MODEL = 'model-1';
/** What the replies of the step must satisfy. */
export const SCHEMA: Json = {
  type: 'object',
  required: ['thesis', 'price'],
  properties: { thesis: { type: 'string' }, price: { type: 'number' } },
};
export const GOOD = '{"thesis":"up","price":1}';
export const BAD = '{"thesis":"up"}';
export const KEY_NAME = 'CONTRACT_API_KEY';
export const KEY_VALUE = 'key-0123456789abcdef';

export async function openStage(make: MakeHarness, play: Play, options: OpenOptions = {}): Promise<Stage> {
  const events: string[] = [];
  const requests: AgentRequest[] = [];
  const setting: Setting = {
    onAsked: () => void events.push('asked'),
    key: { name: KEY_NAME, ...(options.keyless ? {} : { value: KEY_VALUE }) },
    environment: options.environment ?? {},
  };
  const harness = await make(setting);
  harness.play(play);
  const adapter = watched(harness.adapter, requests, events);
  const alarms = alarmClock();
  const root = scratchFolder();
  const world: Partial<Toolbox> = {
    adapters: new Map([[adapter.name, adapter]]),
    defaultAdapter: adapter.name,
    timer: alarms.timer,
    secrets: new LocalSecrets({ ...options.environment }),
    ...(options.tools ? { tools: options.tools } : {}),
    artifacts: new MemoryArtifacts(),
    ledger: new MemoryLedger(),
    workFolder: async () => {
      const folder = join(root, 'work');
      await mkdir(folder, { recursive: true });
      return folder;
    },
    ...options.toolbox,
  };
  const shop = workshop(world, root, new MemoryControl());
  const define = async (id: string, more: Partial<AgentDefinition> = {}) => ({
    definition: await shop.blob({ id, role: `You are the ${id}.`, model: MODEL, ...more }),
  });
  const agents = { worker: await define('worker', options.agent), bear: await define('bear') };
  const output = { name: 'Report.json', schema: await shop.blob(SCHEMA) };
  const step: AgentStep = { id: 'work', kind: 'agent', agent: 'worker', output, ...options.step };
  await shop.open([step], { agents, ...options.plan }, undefined, options.args ?? {});
  const toolbox: Toolbox = { ...shop.toolbox, ledger: noted(shop.toolbox.ledger, events) };

  return {
    ...{ harness, shop, toolbox, requests, events, alarms },
    perform: ({ input = {}, id = WORK, dyingAfter, dyingBefore, call } = {}) => {
      const tools = { ...toolbox, ledger: mortal(toolbox.ledger, dyingBefore, dyingAfter) };
      return agent(tools, shop.call(id, call), { run: KEY.run, ...input });
    },
    async turns(id = WORK) {
      return (await shop.toolbox.ledger.lines(KEY, `${id}/transcript`)).flatMap((line) => {
        const turn: unknown = field(line, 'turn');
        return turn === undefined ? [] : [turn as Turn];
      });
    },
    async said({ artifact }) {
      if (!artifact) throw new Error('it put nothing out');
      return (await shop.toolbox.artifacts.get(artifact)).toString();
    },
    close: () => harness.close(),
  };
}

/** Notes what the runner asks of an adapter. */
function watched(adapter: AgentAdapter, requests: AgentRequest[], events: string[]): AgentAdapter {
  return {
    name: adapter.name,
    ...(adapter.affords ? { affords: adapter.affords } : {}),
    ...(adapter.limitsReplies ? { limitsReplies: adapter.limitsReplies } : {}),
    ...(adapter.ownTools ? { ownTools: adapter.ownTools } : {}),
    ...(adapter.usesFolder ? { usesFolder: adapter.usesFolder } : {}),
    run(request, signal) {
      requests.push(request);
      events.push('run');
      const turns = adapter.run(request, signal)[Symbol.asyncIterator]();
      const iterator: AsyncIterableIterator<Turn> = {
        [Symbol.asyncIterator]: () => iterator,
        next() {
          events.push('next');
          return turns.next();
        },
        return: async (value) => (await turns.return?.(value)) ?? { done: true, value: undefined },
      };
      return iterator;
    },
  };
}

function noted(ledger: Ledger, events: string[]): Ledger {
  return {
    ...aroundLines(ledger, async (line, write) => {
      await write();
      const role = field(field(line, 'turn'), 'role');
      if (typeof role === 'string') events.push(role);
    }),
  };
}

export class Killed extends Error {
  override readonly name = 'Killed';
}

/** The ledger of a worker that dies at one of its records; what it does afterwards leaves no trace. */
function mortal(ledger: Ledger, before = Number.POSITIVE_INFINITY, after = Number.POSITIVE_INFINITY): Ledger {
  let made = 0;
  const lastWords = async <T>(write: () => Promise<T>): Promise<T> => {
    made += 1;
    if (made >= before || made > after) throw new Killed();
    const written = await write();
    if (made >= after) throw new Killed();
    return written;
  };
  return {
    ...aroundLines(ledger, (_, write) => lastWords(write)),
    putIfAbsent: (run, name, value) => lastWords(() => ledger.putIfAbsent(run, name, value)),
  };
}
