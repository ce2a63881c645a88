import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ActivityCall } from '../../activities/activity-call';
import { PERFORM } from '../../activities/perform';
import type { PipelineSource } from '../../activities/ports';
import type { WorkerToolbox } from '../../activities/toolbox';
import type { Script } from '../../plan/agents/script';
import { defined } from '../../plan/defined';
import type { JournalEntry, JournalView } from '../../plan/run/journal';
import type { RunView } from '../../plan/run/status';
import type { Json } from '../../plan/text/json';
import { openRecords } from '../../records/open-records';
import { createToolbox } from '../../worker/toolbox';
import type { MemoryCall, MemoryRun } from '../../workflows/memory/memory-run';
import { runInMemory } from '../../workflows/memory/run-context';

const PIPELINES = join(__dirname, '../../pipelines');

export interface ScriptedRun extends MemoryRun {
  status(): RunView;
  journal(): Promise<JournalEntry[]>;
  readonly script: Script;
  readonly notices: string[];
  readonly stateDir: string;
  /** Activities in flight. They take real time, so the virtual clock does not move while there are any. */
  readonly working: number;
  /** Settles when one of them ends, so that no test depends on the speed of the disk. */
  workEnds(): Promise<void>;
  close(): void;
}

/**
 * Runs a shipped pipeline with a shipped script on the real activities, stores and files, in memory instead of on a server, and without the
 * script's delays.
 */
export async function runScripted(pipeline: string, script: string, args?: Record<string, Json>): Promise<ScriptedRun> {
  const stateDir = mkdtempSync(join(tmpdir(), 'thermidor-main-job-'));
  const notices: string[] = [];
  const base = createToolbox({
    records: openRecords({ stateDir }),
    stateDir,
    pipelineDirs: [PIPELINES],
    channels: {},
    defaultAdapter: 'anthropic',
    searchAttributes: [],
    log: (level, message) => {
      if (level === 'info') notices.push(message);
    },
  });
  const toolbox: WorkerToolbox = { ...base, pipelines: withoutDelays(base.pipelines) };
  const loaded = await toolbox.pipelines.script(pipeline, script);
  let working = 0;
  let wake: () => void = () => undefined;
  const run = runInMemory({
    workflowType: pipeline,
    workflowId: `${pipeline}-test`,
    input: { script, ...(args ? { args } : {}) },
    perform: (call) => {
      working += 1;
      const work = PERFORM[call.name](toolbox, activityCall(call), call.input);
      const done = () => {
        working -= 1;
        wake();
      };
      work.then(done, done);
      return work;
    },
  });
  return {
    ...run,
    script: loaded.script,
    notices,
    stateDir,
    get working() {
      return working;
    },
    workEnds: () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      }),
    status: () => run.query('status') as RunView,
    async journal() {
      const { pages, entries } = run.query('journal') as JournalView;
      const flushed = await Promise.all(
        pages.map(async ({ ref }) => JSON.parse((await toolbox.artifacts.get(ref)).toString()) as JournalEntry[]),
      );
      return [...flushed.flat(), ...entries];
    },
    close: () => rmSync(stateDir, { recursive: true, force: true }),
  };
}

/** Plays the script's people and moves the virtual clock until the run has ended. */
export async function playToTheEnd(run: ScriptedRun): Promise<RunView> {
  let ended = false;
  const end = run.result.then(
    () => undefined,
    () => undefined,
  );
  void end.then(() => {
    ended = true;
  });
  const answered = new Set<string>();
  while (!ended) {
    await run.settle();
    if (run.working > 0) {
      await run.workEnds();
      continue;
    }
    run.clock.tick();
    for (const { step } of opened(run)) {
      const person = run.script.people.find(({ gate: at }) => at === step || at === step.split('#')[0]);
      if (!person || answered.has(step)) continue;
      answered.add(step);
      const { choice, by, comment } = person;
      const payload = { step, ...defined({ by, comment }) };
      if (choice === 'revise') run.signal('respond', { ...payload, response: 'revise' });
      else run.signal(choice, payload);
    }
  }
  return run.status();
}

function opened(run: ScriptedRun): RunView['gates'] {
  try {
    return run.status().gates;
  } catch {
    return [];
  }
}

function activityCall(call: MemoryCall): ActivityCall {
  return {
    key: { workflowId: call.info.workflowId, run: 'run-1' },
    id: call.options.address ?? call.name,
    attempt: 1,
    signal: call.signal,
    heartbeat: () => undefined,
  };
}

function withoutDelays(source: PipelineSource): PipelineSource {
  const quick = (script: Script): Script => ({
    ...script,
    replies: Object.fromEntries(
      Object.entries(script.replies).map(([step, replies]) => [step, replies.map(({ afterMs: _delay, ...reply }) => reply)]),
    ),
  });
  return {
    pipeline: (name) => source.pipeline(name),
    readScript: (name, text) => quick(source.readScript(name, text)),
    script: async (pipeline, name) => {
      const { script } = await source.script(pipeline, name);
      return { script: quick(script), text: JSON.stringify(quick(script)) };
    },
  };
}
