import { join } from 'node:path';
import type { AgentRequest } from '../../activities/agent-port';
import { PERFORM } from '../../activities/perform';
import type { WorkerToolbox } from '../../activities/toolbox';
import type { Envelope } from '../../plan/agents/envelope';
import { defined } from '../../plan/defined';
import type { Plan } from '../../plan/plan';
import type { ArtifactRef } from '../../plan/run/artifact';
import { FAILURES, ThermidorFailure } from '../../plan/run/failure';
import type { JournalEntry, JournalView } from '../../plan/run/journal';
import type { RunView } from '../../plan/run/status';
import type { Json } from '../../plan/text/json';
import { openRecords } from '../../records/open-records';
import { createToolbox, type ToolboxOptions } from '../../worker/toolbox';
import type { Work } from '../../workflows/interpreter/interpreter';
import type { MemoryCall, MemoryRun } from '../../workflows/memory/memory-run';
import { runInMemory } from '../../workflows/memory/run-context';
import { scratchFolder, writeFiles } from './scratch-folder';

/** A pipeline from its source to its end: compiled, with the real activities, stores and tools. Only Temporal is replaced, by memory. */
export interface WholeRun extends MemoryRun {
  /** Lets everything happen that needs no person. The clock moves only if `until` needs it, or if an agent is silent. */
  quiet(until?: () => boolean): Promise<void>;
  /** Lets it be quiet, and expects that the run has completed. */
  completes(): Promise<void>;
  /** The number of activities that wait for their next attempt. The ledger has their usage, which the run does not know yet. */
  retrying(): number;
  status(): RunView;
  journal(): Promise<JournalEntry[]>;
  envelopes(): Promise<Envelope[]>;
  json(ref: ArtifactRef | undefined): Promise<Json>;
  /** The state folder of the run. */
  readonly stateDir: string;
  /** Every request to an agent, in order. */
  readonly requests: AgentRequest[];
  /** What was sent to channels, in order. */
  readonly notices: { channel: string; text: string }[];
  readonly calls: { name: string; address: string; attempt: number; workflowId: string; atMs: number }[];
}

export interface WholeRunOptions {
  /**
   * The files, by path from the pipelines folder, such as `agents/x.yaml` or other pipelines. The agents `lead`, `w`, `r` and `boss` exist.
   */
  files?: Record<string, string>;
  /** The replies, as in a script's file. */
  script?: string;
  toolbox?: Partial<WorkerToolbox>;
  args?: Record<string, Json>;
  /** Changes the compiled plan, because the language has no parts of steps yet. */
  plan?: (plan: Plan) => Plan;
  /** The work of the kinds of steps. @default the interpreter's */
  work?: Work;
  /** The settings about channels and people. */
  place?: Pick<ToolboxOptions, 'channels' | 'directory'>;
}

const AGENTS = {
  'agents/lead.yaml': 'role: Leads.\nreports_to: boss\n',
  'agents/boss.yaml': 'role: Decides.\nreports_to: human\n',
  'agents/w.yaml': 'role: Writes.\n',
  'agents/r.yaml': 'role: Reviews.\n',
};

/** Runs the pipeline `p`. Its text has no `name`, which is added. */
export function runWhole(
  pipeline: string,
  { files = {}, script, toolbox: more = {}, args, place = { channels: {} }, plan = (compiled) => compiled, work }: WholeRunOptions = {},
): WholeRun {
  const root = scratchFolder();
  const all = { ...AGENTS, 'p.yaml': `name: p\n${pipeline}`, 'scripts/s.yaml': script ?? 'replies: {}\n', ...files };
  writeFiles(all, join(root, 'pipelines'));
  const requests: AgentRequest[] = [];
  const notices: WholeRun['notices'] = [];
  const calls: WholeRun['calls'] = [];
  // Slots are left out, because work that waits for the disk would get them in a random order. A test about slots provides them.
  const { slots: _ofTheFleet, ...base } = createToolbox({
    records: openRecords({ stateDir: join(root, 'state') }),
    ...{ stateDir: join(root, 'state'), pipelineDirs: [join(root, 'pipelines')], ...place, defaultAdapter: 'scripted' },
    ...{ searchAttributes: [], log: () => undefined },
  });
  /** If an agent of the script is silent, the time-outs of agents follow the clock; otherwise they never end. */
  const hangs = script?.includes('hang: true') === true;
  /** The number of agents that were asked and are silent. */
  let silent = 0;
  let wake: () => void = () => undefined;
  /** Resolves when an activity ends, or an agent becomes silent or speaks, so that no test depends on the speed of the disk. */
  const somethingHappens = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  async function* counted<T>(turns: AsyncIterable<T>): AsyncIterable<T> {
    const all = turns[Symbol.asyncIterator]();
    try {
      for (;;) {
        silent += 1;
        wake();
        const next = await all.next().finally(() => {
          silent -= 1;
          wake();
        });
        if (next.done) return;
        yield next.value;
      }
    } finally {
      void all.return?.();
    }
  }
  const scripted = base.adapters.get('scripted');
  if (!scripted) throw new Error('no scripted adapter');
  const toolbox: WorkerToolbox = {
    ...base,
    pipelines: {
      script: (pipeline, name) => base.pipelines.script(pipeline, name),
      readScript: (name, text) => base.pipelines.readScript(name, text),
      names: () => base.pipelines.names?.() ?? [],
      async pipeline(name) {
        const loaded = await base.pipelines.pipeline(name);
        return { ...loaded, plan: plan(loaded.plan) };
      },
    },
    ...(hangs ? { timer: (ms, ring) => run.clock.after(ms, ring) } : {}),
    channelAdapters: [{ name: 'test', serves: () => true, deliver: async ({ channel, text }) => void notices.push({ channel, text }) }],
    adapters: new Map([
      [
        'scripted',
        {
          ...{ name: 'scripted', ...('affords' in scripted ? { affords: true as const, limitsReplies: true as const } : {}) },
          run(request, signal) {
            const said = request.transcript();
            requests.push({ ...request, transcript: () => said });
            const turns = scripted.run(request, signal);
            return hangs ? counted(turns) : turns;
          },
        },
      ],
    ]),
    ...more,
  };
  let working = 0;
  /** The number of activities that wait for their next attempt. */
  let retrying = 0;
  const perform = async (call: MemoryCall, attempt = 1): Promise<unknown> => {
    const { options, info, signal, clock } = call;
    calls.push({ name: call.name, address: options.address ?? '', attempt, workflowId: info.workflowId, atMs: clock.now() });
    working += 1;
    let again: number;
    try {
      const key = { workflowId: info.workflowId, run: info.firstRunId };
      const activity = { key, id: options.address ?? call.name, attempt, signal, heartbeat: () => undefined, wake: call.wake };
      return await PERFORM[call.name](toolbox, activity, call.input as never);
    } catch (error) {
      if (!(error instanceof ThermidorFailure) || FAILURES[error.code].retried !== 'temporal' || attempt > 20) throw error;
      again = error.retryAfterMs ?? 1000;
    } finally {
      working -= 1;
      wake();
    }
    // Like Temporal, tries again within the try after a passing failure.
    retrying += 1;
    await new Promise<void>((resolve) => void clock.after(again, resolve));
    retrying -= 1;
    return await perform(call, attempt + 1);
  };
  const run = runInMemory({
    ...{ workflowType: 'p', workflowId: 'p-test', input: { script: 's', ...(args ? { args } : {}) } },
    perform: (call) => perform(call) as never,
    ...defined({ work }),
  });
  let ended = false;
  const end = () => {
    ended = true;
  };
  run.result.then(end, end);
  const status = () => run.query('status') as RunView;
  return {
    ...run,
    requests,
    notices,
    calls,
    stateDir: join(root, 'state'),
    status,
    retrying: () => retrying,
    async quiet(until) {
      let idle = 0;
      let alone = 0;
      while (idle < 3 && !until?.()) {
        await run.settle();
        // If only silent agents are left, the clock moves.
        alone = hangs && working > 0 && working === silent ? alone + 1 : 0;
        if (alone > 5) run.clock.tick();
        else if (working > 0 && alone === 0) await somethingHappens();
        else if (working === 0) idle = until && !ended && run.clock.tick() ? 0 : idle + 1;
      }
    },
    async completes() {
      await this.quiet();
      await expect(run.result).resolves.toMatchObject({ status: 'completed' });
    },
    async journal() {
      const { pages, entries } = run.query('journal') as JournalView;
      const flushed = await Promise.all(
        pages.map(async ({ ref }) => JSON.parse((await toolbox.artifacts.get(ref)).toString()) as JournalEntry[]),
      );
      return [...flushed.flat(), ...entries];
    },
    async envelopes() {
      return (await this.journal()).flatMap((entry) => (entry.kind === 'envelope' ? [entry.envelope] : []));
    },
    async json(ref) {
      if (!ref) throw new Error('no artifact');
      return JSON.parse((await toolbox.artifacts.get(ref)).toString()) as Json;
    },
  };
}
