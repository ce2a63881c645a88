import type { ActivityCall } from '../../activities/activity-call';
import { FetchClient } from '../../activities/adapters/http-client';
import { ScriptedAdapter } from '../../activities/adapters/scripted';
import { LocalSecrets } from '../../activities/adapters/secrets';
import { DiskSharedFiles } from '../../activities/adapters/shared-text-files';
import { DiskTextFiles } from '../../activities/adapters/text-files';
import { ThreadTextMatching } from '../../activities/adapters/threads/pattern-matching';
import type { AgentAdapter, AgentRequest } from '../../activities/agent-port';
import type { LoadedPipeline } from '../../activities/ports';
import type { Toolbox, WorkerToolbox } from '../../activities/toolbox';
import type { Script } from '../../plan/agents/script';
import type { ExpressionScope } from '../../plan/expressions/evaluate';
import type { Template } from '../../plan/expressions/expression';
import { type AgentDefinition, IR_VERSION, type Plan } from '../../plan/plan';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Step } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import type { ControlStore } from '../../records/control-store';
import { ArtifactFiles } from '../../records/directory/artifact-files';
import { ControlFiles } from '../../records/directory/control-files';
import { EnvironmentFiles } from '../../records/directory/environment-files';
import { LastingGrantFiles } from '../../records/directory/lasting-grant-files';
import { LedgerFiles } from '../../records/directory/ledger-files';
import type { Ledger } from '../../records/ledger';
import { RUN_RECORD, type RunRecord } from '../../records/runs/run-record';
import { asJson } from '../../records/stored-json';
import type { Turn } from '../../records/transcripts/turn';
import { scratchFolder } from '../support/scratch-folder';

/** The workshop of a test: real files in a folder of its own (unless the test brings other stores), and everything else in memory. */
export interface Workshop {
  root: string;
  toolbox: WorkerToolbox;
  artifacts: ArtifactFiles;
  control: ControlStore;
  ledger: LedgerFiles;
  environments: EnvironmentFiles;
  /** Stores JSON as a blob and gives its digest. */
  blob(value: unknown): Promise<string>;
  /** Freezes a run with these steps. */
  open(steps: Step[], more?: Partial<Plan>, script?: Script, args?: Record<string, Json>, recordMore?: Partial<RunRecord>): Promise<void>;
  call(id: string, more?: Partial<ActivityCall>): ActivityCall;
}

export { scratchFolder };

export const KEY = { workflowId: 'demo-20261121-abc123', run: 'first-run' };

export function workshop(more: Partial<Toolbox> = {}, root = scratchFolder(), control: ControlStore = new ControlFiles(root)): Workshop {
  const artifacts = new ArtifactFiles(root);
  const ledger = new LedgerFiles(root);
  const environments = new EnvironmentFiles(root, { PATH: process.env['PATH'], THERMIDOR_ENCRYPTION_KEY: 'hush' });
  const toolbox: WorkerToolbox = {
    artifacts,
    ledger,
    pipelines: noPipelines,
    processes: { run: async () => ({ stdout: '', stderr: '' }) },
    environments,
    secrets: new LocalSecrets({}),
    http: new FetchClient(),
    files: new DiskTextFiles(),
    sharedFiles: new DiskSharedFiles(),
    matching: new ThreadTextMatching(),
    adapters: new Map([['scripted', new ScriptedAdapter()]]),
    defaultAdapter: 'fake',
    channelAdapters: [],
    grants: new LastingGrantFiles(root),
    links: { keyFor: async ({ run, step }) => `${run}-${step}` },
    seals: { check: async () => undefined },
    prices: { models: {} },
    channels: {},
    searchAttributes: [],
    log: () => undefined,
    ...more,
    control,
  };
  const blob = async (value: unknown) => (await toolbox.artifacts.put(JSON.stringify(value), { mediaType: 'application/json' })).sha256;
  return {
    root,
    toolbox,
    artifacts,
    control,
    ledger,
    environments,
    blob,
    async open(steps, planMore = {}, script, args = { market: 'BTC/USDT' }, recordMore = {}) {
      const agent: AgentDefinition = { id: 'bull', role: 'You make the bull case.' };
      const plan: Plan = {
        irVersion: IR_VERSION,
        name: 'demo',
        source: '0'.repeat(64),
        trigger: { kind: 'manual' },
        agents: { bull: { definition: await blob(agent) } },
        block: { order: 'sequence', steps },
        ...planMore,
      };
      const record = {
        plan: await control.put('plan', JSON.stringify(plan), 'demo.plan.json'),
        args,
        startedAt: '2026-11-21T07:30:00.000Z',
        ...(script
          ? { script: { name: script.name, ref: await control.put('script', JSON.stringify(script), `${script.name}.script.json`) } }
          : {}),
        ...recordMore,
      };
      await toolbox.ledger.putIfAbsent(KEY, RUN_RECORD, asJson(record));
    },
    call: (id, callMore = {}) => ({
      key: KEY,
      id,
      attempt: 1,
      signal: new AbortController().signal,
      heartbeat: () => undefined,
      ...callMore,
    }),
  };
}

/** A ledger with something around every line that is added to a log, by any writer. */
export function aroundLines(ledger: Ledger, around: (line: Json, write: () => Promise<void>, log: string) => Promise<void>): Ledger {
  return {
    get: (run, name) => ledger.get(run, name),
    lines: (run, log) => ledger.lines(run, log),
    follow: (run, log) => ledger.follow(run, log),
    recordLog: (run, log) => ledger.recordLog(run, log),
    putIfAbsent: (run, name, value) => ledger.putIfAbsent(run, name, value),
    append: async (run, log, ...lines) => {
      for (const line of lines) await around(line, () => ledger.append(run, log, line), log);
    },
    note: (run, log, line) => around(line, () => ledger.note(run, log, line), log),
    claim: async (run, log, scheduledAtMs) => {
      const own = await ledger.claim(run, log, scheduledAtMs);
      return {
        ...own,
        append: async (...lines) => {
          for (const line of lines) await around(line, () => own.append(line), log);
        },
        note: (line) => around(line, () => own.note(line), log),
      };
    },
  };
}

const noPipelines: Toolbox['pipelines'] = {
  pipeline: async (name): Promise<LoadedPipeline> => {
    throw new ThermidorFailure('pipeline.not-found', `no ${name}`);
  },
  script: async (_, name) => {
    throw new ThermidorFailure('script.not-found', `no ${name}`);
  },
  readScript: (_, text) => JSON.parse(text) as Script,
};

/** An adapter that gives what a function says and remembers what it was asked. */
export function fakeAgent(
  answer: (request: AgentRequest) => string | Turn[] | Promise<string>,
): AgentAdapter & { requests: AgentRequest[] } {
  const requests: AgentRequest[] = [];
  return {
    name: 'fake',
    requests,
    async *run(request) {
      requests.push(asOfNow(request));
      const said = await answer(request);
      if (typeof said === 'string') yield { role: 'assistant', text: said };
      else yield* said;
    },
  };
}

/** The request as it stands: its transcript grows while it is answered. */
export function asOfNow(request: AgentRequest): AgentRequest {
  const said = request.transcript();
  return { ...request, transcript: () => said };
}

export function withAgent(adapter: AgentAdapter): Pick<Toolbox, 'adapters'> {
  return { adapters: new Map([[adapter.name, adapter]]) };
}

/** The failure with which a promise rejects. */
export async function failureOf(promise: Promise<unknown>): Promise<ThermidorFailure> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof ThermidorFailure) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

export async function codeOf(promise: Promise<unknown>): Promise<string> {
  return (await failureOf(promise)).code;
}

/** The scope of a template that reads only what is in it. */
export const NO_SCOPE: ExpressionScope = {
  output: () => undefined,
  record: () => undefined,
  arg: () => undefined,
  run: () => null,
  variable: () => undefined,
  state: () => 'unsettled',
};

/** `$step.path` as a template. */
export function outputTemplate(step: string, ...path: string[]): Template {
  return [{ kind: 'output', step, path }];
}

export function literal(value: Json): Template[number] {
  return { kind: 'literal', value };
}
