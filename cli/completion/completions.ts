import { readdirSync, statSync } from 'node:fs';
import { dirname, join, parse } from 'node:path';
import { defined } from '../../plan/defined';
import type { RunMemo } from '../../plan/run/run-memo';
import { unreachable } from '../../plan/unreachable';
import { PipelineIndex } from '../../worker/pipeline-index';
import type { Configuration } from '../settings/configuration';
import type { CompletedArgument } from './completed-argument';
import type { LookedUp } from './completion-source';
import type { Completion } from './format-completions';
import type { RunNames } from './run-names';

/** The names that a slot can be completed with, the likeliest first. */
export async function completionsFor(
  kind: LookedUp,
  slot: CompletedArgument,
  configuration: Configuration,
  known: RunNames,
): Promise<Completion[]> {
  const run = slot.args[0];
  switch (kind) {
    case 'pipeline':
      return pipelineNames(configuration);
    case 'run':
    case 'open-run':
    case 'gated-run':
    case 'paused-run':
      return runForms(await known.runs(kind), slot.typed);
    case 'step':
      return plain(run === undefined ? [] : await known.stepsOf(run));
    case 'gate':
      return (run === undefined ? [] : await known.gatesOf(run)).map(({ step, question }) => ({ text: step, about: question }));
    case 'held-step':
      return plain(run === undefined ? [] : await known.heldIn(run));
    case 'agent':
      return plain(run === undefined ? [] : await known.agentsOf(run));
    case 'person': {
      const asked = run === undefined ? [] : (await known.gatesOf(run)).flatMap(stillAsked);
      return plain([...asked, ...Object.keys(configuration.directory.value.people)]);
    }
    case 'script':
      return plain(scriptNames(configuration, slot.args));
    case 'schedule':
      return plain(await known.schedules());
    default:
      return unreachable(kind);
  }
}

function plain(texts: readonly string[]): Completion[] {
  return texts.map((text) => ({ text }));
}

/** The forms of a run's id: the whole, or its end if its beginning is not what was typed. */
function runForms(runs: readonly { run: string; about?: string }[], typed: string): Completion[] {
  return runs.map(({ run, about }) => {
    const [, end] = /-([a-z0-9]{6}|\d{4}-\d\d-\d\dT[\d:]+Z)$/.exec(run) ?? [];
    const isEnd = typed !== '' && !run.startsWith(typed) && end?.startsWith(typed) === true;
    return { text: isEnd ? end : run, ...defined({ about }) };
  });
}

function stillAsked({ approvers, approvedBy, notBy }: RunMemo['gates'][number]): string[] {
  return (approvers ?? []).filter((name) => !approvedBy?.includes(name) && !notBy?.includes(name));
}

function pipelineNames(configuration: Configuration): Completion[] {
  return plain([...new PipelineIndex(configuration.pipelines.value).files().keys()].sort());
}

/** Scripts next to the named pipelines; else of all the folders. */
function scriptNames(configuration: Configuration, args: readonly string[]): string[] {
  const beside = args.flatMap((file) => (/[/\\.]/.test(file) ? [dirname(file)] : []));
  const folders = (beside.length > 0 ? beside : configuration.pipelines.value).map((folder) => join(folder, 'scripts'));
  const files = folders.flatMap((folder) => (statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : []));
  return files.filter((file) => /\.(ya?ml|json)$/.test(file)).map((file) => parse(file).name);
}
