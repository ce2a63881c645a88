import type { Sha256 } from './artifact';
import type { Expr, Path, Template } from './expression';
import type { Json } from './json';
import type { FrozenQuorum } from './quorum';
import type { Block, Step, StepBase } from './step';

/** Steps with others within them, and child pipelines. */

/** `any`: the first that succeeds is enough. */
export type ParallelWait = 'any' | { quorum: FrozenQuorum };

export const MERGES = ['union', 'intersection', 'weighted'] as const;

/**
 * Branches side by side. Each is one step; a branch of several is a `group`. Puts out `{<branch id>: its output}`, or, with
 * `merge`, a `MergedOutput`.
 */
export interface ParallelStep extends StepBase {
  kind: 'parallel';
  branches: Step[];
  /** `any`: the first to end; `quorum`: so many of the branches. Absent: all. */
  wait?: ParallelWait;
  maxConcurrent?: number;
  /** How the branches' lists become one; items are the same where `key` is. */
  merge?: { how: (typeof MERGES)[number]; key: string };
}

/** What a `parallel` with `merge` puts out (patterns.md, CP-3). */
export interface MergedOutput {
  results: Record<string, Json>;
  merged: Json[];
  /** Items of one key on which branches disagree. */
  conflicts: { key: Json; values: { branch: string; value: Json }[] }[];
  /** Branches that gave no result. */
  missing: string[];
  completed: number;
  total: number;
  timedOut: boolean;
}

/** A branch of several steps. Puts out what the last of its steps that ran put out. */
export interface GroupStep extends StepBase {
  kind: 'group';
  block: Block;
}

export const ITEM_VAR = 'item';

export const INDEX_VAR = 'index';

/** A block once for each item. Puts out a list of `{item, index, <step id>: its output}`. */
export interface ForEachStep extends StepBase {
  kind: 'for_each';
  /** Must be a list; evaluated by an activity, so the list itself never travels. */
  items: Expr;
  block: Block;
  /** @default 'item' */
  itemVar?: string;
  /** @default 'index' */
  indexVar?: string;
  /** Items between two pauses. @default 1 */
  batchSize?: number;
  pauseMs?: number;
  /** Iterations at once. @default 1 */
  maxConcurrent?: number;
  /** Paths of the item that expressions which control the run read. */
  itemReads?: Path[];
}

/** Another pipeline as a child workflow. Puts out what that one does. */
export interface PipelineStep extends StepBase {
  kind: 'pipeline';
  pipeline: string;
  /** The child's frozen plan, as a blob. */
  plan: Sha256;
  /** `{arg: Template}` as JSON, by digest. */
  with?: Sha256;
  /** Lobster alone: what the child's commands find in their environment beneath their own, and the folder they run in. */
  env?: Record<string, Template>;
  cwd?: Template;
}
