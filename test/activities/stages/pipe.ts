import { FetchClient } from '../../../activities/adapters/http-client';
import { GroupProcessRunner } from '../../../activities/adapters/processes/process-runner';
import { DiskTextFiles } from '../../../activities/adapters/text-files';
import { ThreadTextMatching } from '../../../activities/adapters/threads/pattern-matching';
import type { Item } from '../../../activities/stages/items/item';
import { type PipeEnd, runStages } from '../../../activities/stages/run-stages';
import type { StageCall } from '../../../activities/stages/stage-call';
import type { StagePorts } from '../../../activities/stages/stage-ports';
import type { StageName } from '../../../plan/stages/stage';

type Flags = Record<string, string | true>;

/** A stage: its name, then words and flags in their order. `as` is its older name. */
export function stage(name: StageName, ...rest: (string | Flags)[]): StageCall {
  const words = rest.filter((part) => typeof part === 'string');
  const flags = rest.flatMap((part) => (typeof part === 'string' ? [] : Object.entries(part)));
  return { name, calledAs: name, words, flags: new Map(flags) };
}

/** The outside world of a pipe in a test: real processes and files, its own environment, and nothing kept. */
export function ports(environment: Record<string, string> = {}, more: Partial<StagePorts> = {}): StagePorts {
  return {
    processes: new GroupProcessRunner(),
    http: new FetchClient(),
    files: new DiskTextFiles(),
    matching: new ThreadTextMatching(),
    log: () => undefined,
    workflows: async () => [],
    environment,
    commandEnvironment: { env: environment },
    signal: new AbortController().signal,
    nowMs: () => Date.parse('2026-11-21T07:30:00Z'),
    limitBytes: 1_000_000,
    once: (_, work) => work(),
    ...more,
  };
}

/** Does each piece of work once and keeps its result, as a run's ledger does. */
export function keeping(): StagePorts['once'] {
  const kept = new Map<string, unknown>();
  return async (name, work) => {
    const before: unknown = kept.get(name);
    if (before !== undefined) return before as never;
    const result = await work();
    kept.set(name, result);
    return result;
  };
}

export async function run(items: readonly Item[], stages: StageCall | readonly StageCall[], with_ = ports()): Promise<PipeEnd> {
  return await runStages('name' in stages ? [stages] : stages, items, with_);
}

/** The items a pipe outputs, as JSON. */
export async function out(items: readonly Item[], stages: StageCall | readonly StageCall[], with_ = ports()): Promise<unknown> {
  const end = await run(items, stages, with_);
  if (end.kind !== 'done') throw new Error(`stage ${end.stage} asked`);
  return JSON.parse(JSON.stringify(end.items));
}

/** The text a pipe wrote. */
export async function rendered(items: readonly Item[], stages: StageCall | readonly StageCall[]): Promise<string> {
  return (await run(items, stages)).rendered;
}
